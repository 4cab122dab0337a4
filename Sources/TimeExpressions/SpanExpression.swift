/// An elapsed span of time, in whole microseconds: `25min`, `+1h30min`, `2 days 4 hours`.
///
/// A day is 24 hours, a week 7 days; a month is 30.4375 and a year 365.25 days, as systemd.time(7)
/// has them. (In a sum such as `tomorrow 09:00 + 1 day` these four move the calendar date instead.)
public struct SpanExpression: Hashable, Comparable, Sendable {
  /// The length in microseconds; negative only where the caller allowed it.
  public let microseconds: Int64

  /// A span of so many microseconds.
  public init(microseconds: Int64) { self.microseconds = microseconds }

  /// Reads a span: an optional `+`, then numbers with units, each unit once.
  ///
  /// - Parameter allowingNegative: takes a leading `-`, for a verb whose span has a direction.
  /// - Throws: what is wrong and where; a span that does not fit 64 bits of microseconds too.
  public static func parse(
    _ text: String, allowingNegative: Bool = false
  ) throws(TimeExpressionError) -> SpanExpression {
    var scanner = Scanner(text)
    scanner.skipBlanks()
    var negative = false
    if !scanner.take("+"), scanner.peek == UInt8(ascii: "-") {
      guard allowingNegative else { throw scanner.negativeSpan() }
      negative = scanner.take("-")
    }
    let terms = try scanner.spanTerms()
    guard scanner.isAtEnd else {
      throw scanner.unexpected("a number with a unit", hint: "write a span as 1h30min or 2 days")
    }
    return SpanExpression(microseconds: negative ? -terms.total : terms.total)
  }

  /// Orders by length.
  public static func < (left: SpanExpression, right: SpanExpression) -> Bool {
    left.microseconds < right.microseconds
  }

  /// The shortest text that reads back as the same span: `1h30min`, `1s500ms`, `0s`.
  public var description: String { TimeFormat.span(microseconds: microseconds) }
}

extension SpanExpression: CustomStringConvertible {}

/// The units of a span, as systemd.time(7) spells them, and `mo` for the month.
enum SpanUnit: Int, CaseIterable, Hashable, Sendable {
  case year, month, week, day, hour, minute, second, millisecond, microsecond

  var microseconds: Int64 {
    switch self {
    case .year: 31_557_600_000_000
    case .month: 2_629_800_000_000
    case .week: 604_800_000_000
    case .day: 86_400_000_000
    case .hour: 3_600_000_000
    case .minute: 60_000_000
    case .second: 1_000_000
    case .millisecond: 1_000
    case .microsecond: 1
    }
  }

  var spellings: [String] {
    switch self {
    case .year: ["y", "year", "years"]
    case .month: ["mo", "month", "months"]
    case .week: ["w", "week", "weeks"]
    case .day: ["d", "day", "days"]
    case .hour: ["h", "hr", "hrs", "hour", "hours"]
    case .minute: ["m", "min", "mins", "minute", "minutes"]
    case .second: ["s", "sec", "secs", "second", "seconds"]
    case .millisecond: ["ms", "msec"]
    case .microsecond: ["us", "usec", "\u{B5}s", "\u{3BC}s"]
    }
  }

  /// Years to days: what moves the date in a sum.
  var isCalendar: Bool { rawValue <= SpanUnit.day.rawValue }

  init?(_ word: String) {
    // Compared as bytes: no normalisation may make two spellings one.
    let unit = SpanUnit.allCases.first { unit in
      unit.spellings.contains { $0.utf8.elementsEqual(word.utf8) }
    }
    guard let unit else { return nil }
    self = unit
  }
}

/// A span as it was written: its calendar part apart, for sums.
struct SpanTerms: Hashable, Sendable {
  /// The whole, each unit at its fixed length.
  var total: Int64 = 0
  /// Years and months, in months.
  var months: Int64 = 0
  /// Weeks and days, in days.
  var days: Int64 = 0
  /// Hours and less, in microseconds.
  var clock: Int64 = 0
  /// A calendar unit with a fraction, which a sum cannot take.
  var fractional: Located?
}

extension Scanner {
  func negativeSpan() -> TimeExpressionError {
    let word = position..<endOfWord(from: position)
    return refusal(
      .negative, at: word, "'\(harmless(string(word)[...]))' is a negative span",
      hint: "a span counts forward, as 25min")
  }

  /// Numbers with units up to the end or to what is not a number; at least one.
  mutating func spanTerms() throws(TimeExpressionError) -> SpanTerms {
    var terms = SpanTerms()
    var seen: Set<SpanUnit> = []
    skipBlanks()
    guard let first = peek, first.isASCIIDigit else {
      throw unexpected("a number with a unit", hint: "write a span as 25min or 1h30min")
    }
    while isDigit(at: position) {
      try term(into: &terms, seen: &seen)
      skipBlanks()
    }
    return terms
  }

  private mutating func term(
    into terms: inout SpanTerms, seen: inout Set<SpanUnit>
  ) throws(TimeExpressionError) {
    let start = position
    let whole = start..<endOfDigits(from: start)
    var fraction = whole.upperBound..<whole.upperBound
    position = whole.upperBound
    if take(".") {
      fraction = position..<endOfDigits(from: position)
      position = fraction.upperBound
      guard !fraction.isEmpty, peek != UInt8(ascii: ".") else {
        let word = start..<endOfWord(from: start)
        throw refusal(
          .syntax, at: word, "'\(harmless(string(word)[...]))' is not a number",
          hint: "a number has at most one point, with digits on both sides")
      }
    }
    let number = start..<position
    skipBlanks()
    let unitRange = position..<endOfLetters(from: position)
    let unit = try unit(unitRange, of: number)
    guard seen.insert(unit).inserted else {
      throw refusal(
        .contradiction, at: start..<unitRange.upperBound,
        "'\(string(unitRange))' comes a second time", hint: "name each unit once")
    }
    position = unitRange.upperBound
    try add(unit, whole: whole, fraction: fraction, end: position, into: &terms)
  }

  private func unit(
    _ range: Range<Int>, of number: Range<Int>
  ) throws(TimeExpressionError) -> SpanUnit {
    guard !range.isEmpty else {
      let digits = harmless(string(number)[...])
      throw refusal(
        .incomplete, at: number, "'\(digits)' has no unit",
        hint: "write a unit: \(digits)min or \(digits)s")
    }
    let word = string(range)
    if let unit = SpanUnit(word) { return unit }
    if word == "M" {
      throw refusal(
        .ambiguous, at: range, "'M' could be months or minutes",
        hint: "write mo for months, min for minutes")
    }
    let hint =
      SpanUnit(word.lowercased()) != nil
      ? "units are written in lower case: \(word.lowercased())"
      : "units are y, mo, w, d, h, min, s, ms, us"
    throw refusal(
      .syntax, at: range, "'\(harmless(word[...]))' is not a unit of time", hint: hint)
  }

  private func add(
    _ unit: SpanUnit, whole: Range<Int>, fraction: Range<Int>, end: Int, into terms: inout SpanTerms
  ) throws(TimeExpressionError) {
    let all = whole.lowerBound..<end
    func tooLong() -> TimeExpressionError {
      refusal(
        .outOfRange, at: all, "'\(harmless(string(all)[...]))' is too long a span",
        hint: "dates end with the year 9999")
    }
    guard let count = number(whole) else { throw tooLong() }
    let (product, overflow) = count.multipliedReportingOverflow(by: unit.microseconds)
    let part = try microseconds(ofFraction: fraction, unit: unit, all: all)
    let (value, carry) = product.addingReportingOverflow(part)
    let (total, totalCarry) = terms.total.addingReportingOverflow(value)
    if overflow || carry || totalCarry { throw tooLong() }
    // Whatever fits below is smaller than the total in microseconds, so it cannot overflow.
    terms.total = total
    if part != 0 && unit.isCalendar { terms.fractional = terms.fractional ?? located(all) }
    switch unit {
    case .year: terms.months += count * 12
    case .month: terms.months += count
    case .week: terms.days += count * 7
    case .day: terms.days += count
    default: terms.clock += value
    }
  }

  /// The fraction of a unit in microseconds, exactly or not at all.
  private func microseconds(
    ofFraction range: Range<Int>, unit: SpanUnit, all: Range<Int>
  ) throws(TimeExpressionError) -> Int64 {
    var end = range.upperBound
    while end > range.lowerBound, bytes[end - 1] == UInt8(ascii: "0") { end -= 1 }
    let digits = range.lowerBound..<end
    if digits.isEmpty { return 0 }
    // 18 digits and a year in microseconds fit 128 bits with room to spare.
    if digits.count <= 18, let numerator = number(digits) {
      let scale = (0..<digits.count).reduce(Int128(1)) { power, _ in power * 10 }
      let (quotient, remainder) =
        (Int128(numerator) * Int128(unit.microseconds)).quotientAndRemainder(dividingBy: scale)
      if remainder == 0, let value = Int64(exactly: quotient) { return value }
    }
    throw refusal(
      .tooFine, at: all,
      "'\(harmless(string(all)[...]))' is not a whole number of microseconds",
      hint: "nothing finer than a microsecond is kept")
  }
}
