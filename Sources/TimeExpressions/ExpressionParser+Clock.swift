/// The months' names, in full or their first three letters.
enum Month {
  static let names = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]

  /// 1 to 12 for a name in lower case.
  static func named(_ word: String) -> Int? {
    names.firstIndex { $0 == word || (word.utf8.count == 3 && $0.hasPrefix(word)) }.map { $0 + 1 }
  }

  static func title(_ month: Int) -> String {
    names[month - 1].prefix(1).uppercased() + names[month - 1].dropFirst()
  }
}

extension Weekday {
  /// The weekday of a name in lower case, in full or its first three letters.
  static func named(_ word: String) -> Weekday? {
    allCases.first { day in
      let name = day.name.lowercased()
      return name == word || (word.utf8.count == 3 && name.hasPrefix(word))
    }
  }
}

extension ExpressionParser {
  /// `YYYY-MM-DD`.
  mutating func isoDate() throws(TimeExpressionError) -> CivilDate {
    let year = try field(4...4, "a year", hint: "a date is YYYY-MM-DD, as 2026-12-01")
    try expect("-", hint: "a date is YYYY-MM-DD, as 2026-12-01")
    let month = try field(2...2, "a month", hint: "a date is YYYY-MM-DD, as 2026-12-01")
    try expect("-", hint: "a date is YYYY-MM-DD, as 2026-12-01")
    let day = try field(2...2, "a day", hint: "a date is YYYY-MM-DD, as 2026-12-01")
    if let next = scanner.peek, next.isASCIIDigit || next == UInt8(ascii: "-") {
      throw scanner.unexpected("a time", hint: "a date is YYYY-MM-DD, as 2026-12-01")
    }
    return try date(year: year, month: month, day: day)
  }

  /// `1 Dec 2026`.
  mutating func monthDate() throws(TimeExpressionError) -> CivilDate {
    let day = try field(1...2, "a day", hint: "write 1 Dec 2026")
    scanner.skipBlanks()
    let start = scanner.position
    let word = start..<scanner.endOfLetters(from: start)
    let month = Month.named(scanner.string(word).lowercased()) ?? 1
    scanner.position = word.upperBound
    let monthEnd = scanner.position
    scanner.skipBlanks()
    let yearEnd = scanner.endOfDigits(from: scanner.position)
    // `1 Dec 18:30`: what follows is the time, not the year.
    guard scanner.position < yearEnd, scanner.byte(at: yearEnd) != UInt8(ascii: ":") else {
      throw scanner.refusal(
        .incomplete, at: monthEnd..<monthEnd, "the date has no year",
        hint: "write \(scanner.string(day.range)) \(scanner.string(word)) 2026")
    }
    let year = try field(4...4, "a year", hint: "a year has four digits: 1 Dec 2026")
    return try date(year: year, month: (month, word), day: day)
  }

  typealias Field = (value: Int, range: Range<Int>)

  private func date(year: Field, month: Field, day: Field) throws(TimeExpressionError) -> CivilDate
  {
    guard (1...12).contains(month.value) else {
      throw scanner.refusal(
        .noSuchTime, at: month.range, "there is no month '\(scanner.string(month.range))'",
        hint: "months are 01 to 12")
    }
    if let date = CivilDate(year: year.value, month: month.value, day: day.value) { return date }
    let title = Month.title(month.value)
    throw scanner.refusal(
      .noSuchTime, at: day.range, "there is no \(day.value) \(title) \(year.value)",
      hint:
        "\(title) \(year.value) has \(CivilDate.days(inMonth: month.value, of: year.value)) days")
  }

  private mutating func field(
    _ width: ClosedRange<Int>, _ what: String, hint: String
  ) throws(TimeExpressionError) -> Field {
    let range = scanner.position..<scanner.endOfDigits(from: scanner.position)
    if range.isEmpty { throw scanner.unexpected(what, hint: hint) }
    guard width.contains(range.count) else {
      throw scanner.refusal(
        .syntax, at: range, "'\(harmless(scanner.string(range)[...]))' is not \(what)", hint: hint)
    }
    scanner.position = range.upperBound
    return (scanner.smallNumber(range), range)
  }

  private mutating func expect(
    _ mark: Unicode.Scalar, hint: String
  ) throws(TimeExpressionError) {
    guard scanner.take(mark) else { throw scanner.unexpected("'\(mark)'", hint: hint) }
  }

  /// A time of day. `joined` by `T` it is RFC 3339's: two digits of hour, no am or pm.
  mutating func clock(joined: Bool) throws(TimeExpressionError) -> TimeOfDay {
    let hint = "a time is HH:MM or HH:MM:SS, as 18:30"
    let start = scanner.position
    let hour = try field(joined ? 2...2 : 1...2, "an hour", hint: hint)
    var minute = 0
    var second = 0
    var microsecond = 0
    if scanner.take(":") {
      minute = try clockField("minute", limit: 59, hint: hint)
      if scanner.take(":") {
        second = try clockField("second", limit: 60, hint: hint)
        microsecond = try fraction()
      }
    } else if joined {
      throw scanner.unexpected("a minute", hint: hint)
    }
    if let next = scanner.peek,
      next == UInt8(ascii: ":") || next == UInt8(ascii: ".")
        || next == UInt8(ascii: ",")
    {
      throw scanner.unexpected("part of a time", hint: "a time is HH:MM[:SS[.FRACTION]]")
    }
    var hours = hour.value
    if !joined, let half = try halfOfDay() {
      hours = try twelveHour(hour, half, isSharp: minute == 0 && second == 0 && microsecond == 0)
    }
    let isEndOfDay = hours == 24 && minute == 0 && second == 0 && microsecond == 0
    guard hours <= 23 || isEndOfDay else {
      throw scanner.refusal(
        .noSuchTime, at: hour.range,
        hours == 24
          ? "there is no time '\(scanner.string(start..<scanner.position))'"
          : "there is no hour '\(scanner.string(hour.range))'",
        hint: hours == 24 ? "the last hour is 23; 24:00 is the end of a day" : "hours are 00 to 23")
    }
    return TimeOfDay(
      seconds: Int64(hours * 3600 + minute * 60 + second), microsecond: microsecond,
      isLeapSecond: second == 60)
  }

  private mutating func clockField(
    _ name: String, limit: Int, hint: String
  ) throws(TimeExpressionError) -> Int {
    let value = try field(2...2, "two digits of the \(name)", hint: hint)
    guard value.value <= limit else {
      throw scanner.refusal(
        .noSuchTime, at: value.range, "there is no \(name) '\(scanner.string(value.range))'",
        hint: limit == 60 ? "seconds are 00 to 59, 60 for the next minute" : "minutes are 00 to 59")
    }
    return value.value
  }

  /// `am` or `pm`, also after blanks; nil if something else follows.
  private mutating func halfOfDay() throws(TimeExpressionError) -> (isPM: Bool, range: Range<Int>)?
  {
    var start = scanner.position
    while let byte = scanner.byte(at: start), byte == 0x20 || byte == 0x09 { start += 1 }
    let range = start..<scanner.endOfLetters(from: start)
    let word = scanner.string(range).lowercased()
    guard word == "am" || word == "pm" else { return nil }
    scanner.position = range.upperBound
    return (word == "pm", range)
  }

  private func twelveHour(
    _ hour: Field, _ half: (isPM: Bool, range: Range<Int>), isSharp: Bool
  ) throws(TimeExpressionError) -> Int {
    let name = scanner.string(half.range)
    guard (1...12).contains(hour.value) else {
      throw scanner.refusal(
        .noSuchTime, at: hour.range, "there is no \(hour.value) \(name)",
        hint: "before am and pm hours are 1 to 12")
    }
    if hour.value == 12 && isSharp {
      throw scanner.refusal(
        .ambiguous, at: hour.range, "12 \(name) can mean noon or midnight",
        hint: "write 12:00 for noon, 00:00 or 24:00 for midnight")
    }
    return hour.value % 12 + (half.isPM ? 12 : 0)
  }
}
