extension PosixRule {
  /// Reads a `TZ` string; nil if it is not one in full. A daylight name without its rule is not
  /// taken: what it means is left to each system by POSIX.
  init?(parsing text: some Sequence<UInt8>) {
    var reader = RuleReader(bytes: Array(text))
    guard let standardName = reader.name(), let standardWest = reader.offset(maximumHours: 24),
      TimeZoneRules.isPlausible(-standardWest)
    else { return nil }
    standard = LocalTimeType(
      offsetSeconds: -standardWest, isDaylight: false, abbreviation: standardName)
    if reader.isAtEnd {
      daylight = nil
      return
    }
    guard let daylightName = reader.name() else { return nil }
    var daylightEast = -standardWest + 3600
    if reader.peek != UInt8(ascii: ",") {
      guard let west = reader.offset(maximumHours: 24) else { return nil }
      daylightEast = -west
    }
    guard TimeZoneRules.isPlausible(daylightEast), let start = reader.change(),
      let end = reader.change(), reader.isAtEnd
    else { return nil }
    daylight = Daylight(
      type: LocalTimeType(
        offsetSeconds: daylightEast, isDaylight: true, abbreviation: daylightName),
      start: start, end: end)
  }
}

/// Reads the pieces of a `TZ` string; each returns nil when the text is not of its form.
private struct RuleReader {
  let bytes: [UInt8]
  var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  var peek: UInt8? { position < bytes.count ? bytes[position] : nil }
  var isAtEnd: Bool { position == bytes.count }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// Three letters or more, or `<…>` with digits and signs too.
  mutating func name() -> String? {
    let quoted = take("<")
    let start = position
    while let byte = peek, byte.isASCIILetter || (quoted && byte.isNameCharacter) { position += 1 }
    let name = bytes[start..<position]
    guard name.count >= 3, !quoted || take(">") else { return nil }
    return String(decoding: name, as: UTF8.self)
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int? {
    var value = 0
    let start = position
    while let byte = peek, byte.isASCIIDigit, position - start < 4 {
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
      position += 1
    }
    return position > start && range.contains(value) ? value : nil
  }

  /// `[+-]hh[:mm[:ss]]` in seconds, its sign as written.
  mutating func offset(maximumHours: Int) -> Int? {
    let negative = take("-")
    if !negative { _ = take("+") }
    guard var seconds = number(0...maximumHours).map({ $0 * 3600 }) else { return nil }
    if take(":") {
      guard let minutes = number(0...59) else { return nil }
      seconds += minutes * 60
      if take(":") {
        guard let rest = number(0...59) else { return nil }
        seconds += rest
      }
    }
    return negative ? -seconds : seconds
  }

  /// `,date[/time]`; the time is 02:00 when left out.
  mutating func change() -> PosixRule.Change? {
    guard take(",") else { return nil }
    let day: PosixRule.Change.Day
    if take("M") {
      guard let month = number(1...12), take("."), let week = number(1...5), take("."),
        let weekday = number(0...6)
      else { return nil }
      day = .weekday(month: month, week: week, day: weekday)
    } else if take("J") {
      guard let number = number(1...365) else { return nil }
      day = .julian(number)
    } else {
      guard let number = number(0...365) else { return nil }
      day = .ofYear(number)
    }
    guard take("/") else { return PosixRule.Change(day: day, seconds: 7200) }
    guard let seconds = offset(maximumHours: 167) else { return nil }
    return PosixRule.Change(day: day, seconds: seconds)
  }
}

extension UInt8 {
  var isASCIIDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
  var isASCIILetter: Bool {
    let lower = self | 0x20
    return lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z")
  }
  fileprivate var isNameCharacter: Bool {
    isASCIIDigit || self == UInt8(ascii: "+") || self == UInt8(ascii: "-")
  }
}
