/// Reads a whole expression; the parts of a point may come in either order, each once.
struct ExpressionParser {
  var scanner: Scanner
  var date: DatePart?
  var datePlace: Located?
  /// A weekday that stands before a date and must agree with it.
  var weekday: (day: Weekday, place: Located)?
  var time: TimeOfDay?
  /// Where `24:00` stands, which needs a date.
  var endOfDayPlace: Located?
  var isNow = false
  var zone = ZoneMark()

  static let forms =
    "write 25min, 18:30, tomorrow 18:30, 2026-12-01 18:30 or 2026-12-01T18:30:00Z"

  init(_ text: String) { scanner = Scanner(text) }

  mutating func parse() throws(TimeExpressionError) -> TimeExpression.Form {
    scanner.skipBlanks()
    guard let first = scanner.peek else {
      throw scanner.refusal(
        .empty, at: scanner.position..<scanner.position, "there is no time here",
        hint: ExpressionParser.forms)
    }
    switch first {
    case UInt8(ascii: "+"):
      scanner.position += 1
      return try span()
    case UInt8(ascii: "-"):
      throw scanner.negativeSpan()
    case UInt8(ascii: "@"):
      return try point(start: scanner.position, base: .instant(try epoch()))
    default:
      if first.isASCIIDigit, beginsSpan() { return try span() }
      return try point(start: scanner.position, base: nil)
    }
  }

  /// Whether the number here is followed by a unit, or by nothing that a date or time could be.
  private func beginsSpan() -> Bool {
    switch numberKind() {
    case .measure: true
    default: false
    }
  }

  private mutating func span() throws(TimeExpressionError) -> TimeExpression.Form {
    let start = scanner.position
    let terms = try scanner.spanTerms()
    guard scanner.isAtEnd else {
      throw scanner.unexpected(
        "a number with a unit", hint: "nothing but numbers with units follows in a span")
    }
    return .span(terms, scanner.located(start..<scanner.position))
  }

  /// `@SECONDS[.FRACTION]` in microseconds.
  private mutating func epoch() throws(TimeExpressionError) -> Int64 {
    let start = scanner.position
    scanner.position += 1
    let digits = scanner.position..<scanner.endOfDigits(from: scanner.position)
    guard !digits.isEmpty else {
      let word = start..<scanner.endOfWord(from: start)
      let negative = scanner.peek == UInt8(ascii: "-")
      throw scanner.refusal(
        negative ? .outOfRange : .syntax, at: word,
        negative
          ? "'\(harmless(scanner.string(word)[...]))' lies before 1970"
          : "'\(harmless(scanner.string(word)[...]))' is not a number of seconds",
        hint: "write the seconds since 1970 as @1893456000")
    }
    scanner.position = digits.upperBound
    let fraction = try self.fraction()
    guard let seconds = scanner.number(digits), seconds <= Instant.lastSecond else {
      throw scanner.refusal(
        .outOfRange, at: start..<scanner.position,
        "'\(harmless(scanner.string(start..<scanner.position)[...]))' lies after the year 9999",
        hint: "@\(Instant.lastSecond) is the last second")
    }
    return seconds * 1_000_000 + Int64(fraction)
  }

  /// `.` and one to six digits, in microseconds; 0 if there is no point.
  mutating func fraction() throws(TimeExpressionError) -> Int {
    let point = scanner.position
    guard scanner.take(".") else { return 0 }
    let digits = scanner.position..<scanner.endOfDigits(from: scanner.position)
    guard !digits.isEmpty else {
      throw scanner.refusal(
        .syntax, at: point..<scanner.position, "no digit follows the point",
        hint: "write a fraction as .5")
    }
    guard digits.count <= 6 else {
      throw scanner.refusal(
        .tooFine, at: digits,
        "the fraction '\(harmless(scanner.string(digits)[...]))' has \(digits.count) digits",
        hint: "six are the most: dates are kept in microseconds")
    }
    scanner.position = digits.upperBound
    return (digits.count..<6).reduce(scanner.number(digits).map(Int.init) ?? 0) { value, _ in
      value * 10
    }
  }

  private mutating func point(
    start: Int, base: Point.Base?
  ) throws(TimeExpressionError) -> TimeExpression.Form {
    if base == nil { try parts() }
    let end = scanner.position
    let place = scanner.located(start..<end)
    scanner.skipBlanks()
    let sum = try self.sum()
    if let base { return .point(Point(base: base, zone: zone, sum: sum, place: place)) }
    if isNow { return .point(Point(base: .now, zone: zone, sum: sum, place: place)) }
    guard let time else { throw missingTime(at: end) }
    return .point(
      Point(base: .wall(try checkedDate(time), time), zone: zone, sum: sum, place: place))
  }

  /// The date with its weekday checked, and 24:00 only with a date.
  private func checkedDate(_ time: TimeOfDay) throws(TimeExpressionError) -> DatePart? {
    if date == nil, weekday == nil, let endOfDayPlace {
      throw endOfDayPlace.refusal(
        .ambiguous, "'\(endOfDayPlace.text)' without a date can mean two things",
        hint: "write 00:00, or a date before 24:00 for its end")
    }
    guard let weekday else { return date }
    guard case .civil(let day)? = date else { return .weekday(weekday.day) }
    guard day.weekday == weekday.day else {
      throw weekday.place.refusal(
        .contradiction, "\(TimeFormat.date(day)) is not a \(weekday.day.name)",
        hint: "it is a \(day.weekday.name)")
    }
    return date
  }

  private func missingTime(at end: Int) -> TimeExpressionError {
    if let datePlace {
      return scanner.refusal(
        .incomplete, at: end..<end, "'\(datePlace.text)' has no time",
        hint: "add one: \(datePlace.text) 09:00")
    }
    if let weekday {
      return scanner.refusal(
        .incomplete, at: end..<end, "'\(weekday.place.text)' has no time",
        hint: "add one: \(weekday.place.text) 09:00")
    }
    return scanner.unexpected("a time", hint: ExpressionParser.forms)
  }

  /// `+` or `-` and a span, up to the end.
  private mutating func sum() throws(TimeExpressionError) -> Sum? {
    guard let sign = scanner.peek else { return nil }
    let start = scanner.position
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else {
      throw leftOver()
    }
    scanner.position += 1
    let digits = scanner.position..<scanner.endOfDigits(from: scanner.position)
    if digits.count == 2 || digits.count == 4, digits.upperBound == scanner.bytes.count {
      let text = scanner.string(start..<digits.upperBound)
      throw scanner.refusal(
        .ambiguous, at: start..<digits.upperBound, "'\(text)' could be an offset or a span",
        hint: "write \(text.prefix(3)):\(digits.count == 4 ? text.suffix(2) : "00") or \(text)min")
    }
    let terms = try scanner.spanTerms()
    guard scanner.isAtEnd else {
      throw scanner.unexpected(
        "a number with a unit", hint: "a sum is one span, and the zone stands before it")
    }
    if let fractional = terms.fractional {
      throw fractional.refusal(
        .ambiguous, "'\(fractional.text)' is no whole number of days or months",
        hint: "in a sum these move the calendar; write 1 day 12h")
    }
    return Sum(
      isNegative: sign == UInt8(ascii: "-"), terms: terms,
      place: scanner.located(start..<scanner.position))
  }

  func leftOver() -> TimeExpressionError {
    let start = scanner.position
    let word = start..<max(scanner.endOfWord(from: start), start + 1)
    return scanner.refusal(
      .syntax, at: word, "'\(harmless(scanner.string(word)[...]))' is left over",
      hint: "a time ends with its zone (Europe/Berlin, +01:00) or with + and a span")
  }
}
