extension WallTime {
  /// Why a text is no date.
  public struct ParseError: Error, Hashable, Sendable {
    /// What is wrong, and what would be right.
    public let why: String
  }

  /// Reads an RFC 3339 date: `T`, `t` or a space between date and time, any offset, at most
  /// microseconds, `:60` as the next second, 1970 to 9999.
  public init(rfc3339 text: some StringProtocol) throws(ParseError) {
    try self.init(rfc3339: String(text))
  }

  /// Reads an RFC 3339 date, as above.
  public init(rfc3339 text: String) throws(ParseError) {
    var scanner = DateScanner(bytes: Array(text.utf8))
    self.init(microseconds: try scanner.date())
  }

  /// RFC 3339 in UTC with microseconds: `2026-12-01T18:30:00.000000Z`.
  public var rfc3339: String {
    String(decoding: rfc3339Bytes, as: UTF8.self)
  }

  /// As `rfc3339`, as bytes.
  public var rfc3339Bytes: [UInt8] {
    withRFC3339 { text in
      var bytes: [UInt8] = []
      bytes.reserveCapacity(text.count)
      for i in text.indices { bytes.append(text[i]) }
      return bytes
    }
  }

  /// Gives the bytes of `rfc3339` to `body`, without an allocation within the years there are here.
  public func withRFC3339<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    guard self >= .earliest, self <= .latest else {
      let text = outlandish
      return body(text.span)
    }
    let (seconds, fraction) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    let (day, second) = seconds.quotientAndRemainder(dividingBy: 86_400)
    let (year, month, dayOfMonth) = Self.civil(daysSince1970: day)
    // The places that no number fills keep what stands between the numbers.
    var text: InlineArray<27, UInt8> = [
      0x30, 0x30, 0x30, 0x30, 0x2D, 0x30, 0x30, 0x2D, 0x30, 0x30, 0x54, 0x30, 0x30, 0x3A, 0x30,
      0x30, 0x3A, 0x30, 0x30, 0x2E, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x5A,
    ]
    func write(_ value: Int64, endingAt end: Int) {
      var rest = value
      var place = end
      while rest > 0 {
        place -= 1
        text[place] += UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
    }
    write(year, endingAt: 4)
    write(month, endingAt: 7)
    write(dayOfMonth, endingAt: 10)
    write(second / 3600, endingAt: 13)
    write(second / 60 % 60, endingAt: 16)
    write(second % 60, endingAt: 19)
    write(fraction, endingAt: 26)
    return body(text.span)
  }

  /// A date before 1970 or after 9999, which only an overflow of clocks could make.
  private var outlandish: [UInt8] {
    let micro = Self.floorDivide(microseconds, 1_000_000)
    let day = Self.floorDivide(micro.quotient, 86_400)
    let (year, month, dayOfMonth) = Self.civil(daysSince1970: day.quotient)
    func padded(_ value: some BinaryInteger, _ width: Int) -> String {
      let digits = String(value)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let date =
      "\(year < 0 ? "-" : "")\(padded(year.magnitude, 4))-\(padded(month, 2))"
      + "-\(padded(dayOfMonth, 2))"
    let time =
      "\(padded(day.remainder / 3600, 2)):\(padded(day.remainder / 60 % 60, 2))"
      + ":\(padded(day.remainder % 60, 2)).\(padded(micro.remainder, 6))"
    return Array("\(date)T\(time)Z".utf8)
  }

  /// Days from 1970-01-01 to a date of the proleptic Gregorian calendar (Hinnant's algorithm).
  static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let y = month <= 2 ? year - 1 : year
    let era = floorDivide(y, 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = era.remainder * 365 + era.remainder / 4 - era.remainder / 100 + dayOfYear
    return era.quotient * 146_097 + dayOfEra - 719_468
  }

  static func civil(daysSince1970: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let era = floorDivide(daysSince1970 &+ 719_468, 146_097)
    let doe = era.remainder
    let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100)
    let mp = (5 * doy + 2) / 153
    let month = mp < 10 ? mp + 3 : mp - 9
    return (yoe + era.quotient * 400 + (month <= 2 ? 1 : 0), month, doy - (153 * mp + 2) / 5 + 1)
  }

  static func floorDivide(_ a: Int64, _ b: Int64) -> (quotient: Int64, remainder: Int64) {
    let (q, r) = a.quotientAndRemainder(dividingBy: b)
    return r < 0 ? (q - 1, r + b) : (q, r)
  }
}

/// Reads one RFC 3339 date from bytes; a date that does not exist is an error, never its neighbour.
private struct DateScanner {
  let bytes: [UInt8]
  var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func date() throws(WallTime.ParseError) -> Int64 {
    let year = try number(4, "the year")
    try expect("-", after: "the year")
    let month = try number(2, "the month")
    try expect("-", after: "the month")
    let day = try number(2, "the day")
    guard (1970...9999).contains(year) else {
      throw .init(why: "the year \(year) is outside 1970 to 9999")
    }
    guard (1...12).contains(month), day >= 1, day <= Self.length(of: month, in: year) else {
      throw .init(why: "there is no such day; write YYYY-MM-DDTHH:MM:SSZ")
    }
    guard let separator = next(), [0x54, 0x74, 0x20].contains(separator) else {
      throw .init(why: "the time is missing; write YYYY-MM-DDTHH:MM:SSZ")
    }
    let hour = try number(2, "the hour")
    try expect(":", after: "the hour")
    let minute = try number(2, "the minute")
    try expect(":", after: "the minute")
    let second = try number(2, "the second")
    guard hour <= 23, minute <= 59, second <= 60 else {
      throw .init(why: "there is no such time of day; 00:00:00 to 23:59:60 would be right")
    }
    let micros = try fraction()
    let offset = try offset()
    let days = WallTime.days(year: year, month: month, day: day)
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
    let total = seconds * 1_000_000 + micros
    guard total >= 0, total <= WallTime.latest.microseconds else {
      throw .init(why: "it is outside 1970 to 9999 in UTC")
    }
    return total
  }

  private static func length(of month: Int64, in year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private mutating func fraction() throws(WallTime.ParseError) -> Int64 {
    guard position < bytes.count, bytes[position] == UInt8(ascii: ".") else { return 0 }
    position += 1
    var value: Int64 = 0
    var digits = 0
    while position < bytes.count, let digit = Self.digit(bytes[position]) {
      guard digits < 6 else { throw .init(why: "the fraction is finer than microseconds") }
      value = value * 10 + digit
      digits += 1
      position += 1
    }
    guard digits > 0 else { throw .init(why: "a digit is missing after the point") }
    for _ in digits..<6 { value *= 10 }
    return value
  }

  private mutating func offset() throws(WallTime.ParseError) -> Int64 {
    guard let sign = next() else {
      throw .init(why: "the offset is missing; end with Z or +HH:MM")
    }
    if sign == UInt8(ascii: "Z") || sign == UInt8(ascii: "z") {
      try end()
      return 0
    }
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else {
      throw .init(why: "the offset is not Z or +HH:MM")
    }
    let hours = try number(2, "the offset's hours")
    try expect(":", after: "the offset's hours")
    let minutes = try number(2, "the offset's minutes")
    guard hours <= 23, minutes <= 59 else {
      throw .init(why: "the offset is beyond 23:59")
    }
    try end()
    let seconds = hours * 3600 + minutes * 60
    return sign == UInt8(ascii: "-") ? -seconds : seconds
  }

  private func end() throws(WallTime.ParseError) {
    guard position == bytes.count else { throw .init(why: "something follows the offset") }
  }

  private mutating func next() -> UInt8? {
    guard position < bytes.count else { return nil }
    defer { position += 1 }
    return bytes[position]
  }

  private mutating func expect(
    _ character: Unicode.Scalar, after what: String
  ) throws(WallTime.ParseError) {
    guard next() == UInt8(ascii: character) else {
      throw .init(why: "'\(character)' is missing after \(what); write YYYY-MM-DDTHH:MM:SSZ")
    }
  }

  private mutating func number(
    _ width: Int, _ what: String
  ) throws(WallTime.ParseError) -> Int64 {
    var value: Int64 = 0
    for _ in 0..<width {
      guard let byte = next(), let digit = Self.digit(byte) else {
        throw .init(why: "\(what) is not \(width) digits; write YYYY-MM-DDTHH:MM:SSZ")
      }
      value = value * 10 + digit
    }
    return value
  }

  private static func digit(_ byte: UInt8) -> Int64? {
    byte >= 0x30 && byte <= 0x39 ? Int64(byte) - 0x30 : nil
  }
}
