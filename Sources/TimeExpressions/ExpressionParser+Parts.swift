extension ExpressionParser {
  /// What a number is the beginning of.
  enum NumberKind {
    /// `2026-12-01`.
    case isoDate
    /// `1 Dec 2026`.
    case monthDate
    /// `18:30`, `6pm`.
    case time
    /// A number and its unit, or a number that lacks one.
    case measure
    /// `01/12/2026`, `1.12.2026`.
    case foreignDate
  }

  func numberKind() -> NumberKind {
    let digits = scanner.position..<scanner.endOfDigits(from: scanner.position)
    switch scanner.byte(at: digits.upperBound) {
    case UInt8(ascii: "-") where scanner.isDigit(at: digits.upperBound + 1): return .isoDate
    case UInt8(ascii: ":"): return .time
    case UInt8(ascii: "/"): return .foreignDate
    case UInt8(ascii: "."):
      let second = scanner.endOfDigits(from: digits.upperBound + 1)
      let isDotted = scanner.byte(at: second) == UInt8(ascii: ".")
      return isDotted && digits.count <= 2 && second - digits.upperBound <= 3
        ? .foreignDate : .measure
    default: break
    }
    var next = digits.upperBound
    while let byte = scanner.byte(at: next), byte == 0x20 || byte == 0x09 { next += 1 }
    let word = scanner.string(next..<scanner.endOfLetters(from: next)).lowercased()
    if word == "am" || word == "pm" { return .time }
    return Month.named(word) != nil ? .monthDate : .measure
  }

  /// Dates, times, words, then a zone; stops before a sum or what is left over.
  mutating func parts() throws(TimeExpressionError) {
    var isFirst = true
    while true {
      let end = scanner.position
      scanner.skipBlanks()
      guard let byte = scanner.peek else {
        scanner.position = end
        return
      }
      let isAttached = end == scanner.position && !isFirst
      isFirst = false
      if isAttached && (byte.isASCIIDigit || byte.isASCIILetter), !isAttachedZulu() {
        throw leftOver()
      }
      if byte.isASCIIDigit {
        try number()
      } else if byte.isASCIILetter {
        if try word() { return }
      } else if time != nil, byte == UInt8(ascii: "[") || isOffset() {
        try zoneMark()
        return
      } else {
        if isNow || time != nil || date != nil || weekday != nil {
          scanner.position = end
          return
        }
        throw unknownWord()
      }
      if isNow {
        // Only a zone or a sum may follow.
        return
      }
    }
  }

  /// `Z` right behind a time; everything else stands apart.
  private func isAttachedZulu() -> Bool {
    time != nil && scanner.bytes[scanner.position] | 0x20 == UInt8(ascii: "z")
      && endOfZoneName(from: scanner.position) == scanner.position + 1
  }

  private mutating func number() throws(TimeExpressionError) {
    let start = scanner.position
    switch numberKind() {
    case .isoDate:
      let day = try isoDate()
      try setDate(.civil(day), from: start)
      if let mark = scanner.peek, mark | 0x20 == UInt8(ascii: "t"),
        scanner.isDigit(at: scanner.position + 1)
      {
        scanner.position += 1
        try setTime(from: scanner.position) { parser throws(TimeExpressionError) in
          try parser.clock(joined: true)
        }
      }
    case .monthDate:
      try setDate(.civil(try monthDate()), from: start)
    case .time:
      try setTime(from: start) { parser throws(TimeExpressionError) in
        try parser.clock(joined: false)
      }
    case .foreignDate:
      let word = start..<scanner.endOfWord(from: start)
      throw scanner.refusal(
        .ambiguous, at: word,
        "'\(harmless(scanner.string(word)[...]))' could be day first or month first",
        hint: "write 2026-12-01 or 1 Dec 2026")
    case .measure:
      let word = start..<scanner.endOfWord(from: start)
      throw scanner.refusal(
        .syntax, at: word, "'\(harmless(scanner.string(word)[...]))' is no date and no time",
        hint: time == nil ? ExpressionParser.forms : "to add a span write + before it")
    }
  }

  mutating func setDate(_ part: DatePart, from start: Int) throws(TimeExpressionError) {
    let place = scanner.located(start..<scanner.position)
    if let datePlace {
      throw place.refusal(
        .contradiction, "'\(place.text)' is a second date", hint: "'\(datePlace.text)' is the first"
      )
    }
    date = part
    datePlace = place
  }

  mutating func setTime(
    from start: Int,
    _ read: (inout ExpressionParser) throws(TimeExpressionError) -> TimeOfDay
  ) throws(TimeExpressionError) {
    let isSecond = time != nil
    let value = try read(&self)
    if isSecond {
      let word = start..<scanner.position
      throw scanner.refusal(
        .contradiction, at: word, "'\(scanner.string(word))' is a second time",
        hint: "one time is enough")
    }
    time = value
    if value.seconds == 86_400 && !value.isLeapSecond {
      endOfDayPlace = scanner.located(start..<scanner.position)
    }
  }

  /// One word. True when it was a zone, after which only a sum may come.
  private mutating func word() throws(TimeExpressionError) -> Bool {
    let start = scanner.position
    let range = start..<scanner.endOfLetters(from: start)
    let next = scanner.byte(at: range.upperBound)
    let isWhole =
      next == nil || next == 0x20 || next == 0x09 || next == UInt8(ascii: "+")
      || next == UInt8(ascii: "-") || next == UInt8(ascii: ",")
    let word = isWhole ? scanner.string(range).lowercased() : ""
    switch word {
    case "now":
      guard date == nil, time == nil, weekday == nil else { break }
      scanner.position = range.upperBound
      isNow = true
      return false
    case "today", "tomorrow", "yesterday":
      scanner.position = range.upperBound
      try setDate(.day(word == "today" ? 0 : word == "tomorrow" ? 1 : -1), from: start)
      return false
    case "noon":
      try setTime(from: start) { parser throws(TimeExpressionError) in
        parser.scanner.position = range.upperBound
        return TimeOfDay(seconds: 43_200, microsecond: 0)
      }
      return false
    default: break
    }
    if let day = Weekday.named(word) {
      scanner.position = range.upperBound
      try setWeekday(day, from: start)
      return false
    }
    if let refusal = refusedWord(word, at: range) { throw refusal }
    guard time != nil, beginsZone(at: start) else { throw unknownWord() }
    try zoneMark()
    return true
  }

  private mutating func setWeekday(_ day: Weekday, from start: Int) throws(TimeExpressionError) {
    let place = scanner.located(start..<scanner.position)
    if let first = weekday {
      throw place.refusal(
        .contradiction, "'\(place.text)' is a second weekday",
        hint: "'\(first.place.text)' is the first")
    }
    if let datePlace, case .day? = date {
      throw place.refusal(
        .contradiction, "'\(place.text)' is a second date", hint: "'\(datePlace.text)' is the first"
      )
    }
    weekday = (day, place)
  }

  /// Words that people use and that mean two things, or that go without saying.
  private func refusedWord(_ word: String, at range: Range<Int>) -> TimeExpressionError? {
    let hint: String
    switch word {
    case "midnight": hint = "write 00:00 for the start of a day, 24:00 with a date for its end"
    case "next", "this", "last": hint = "write mon 09:00 for the first Monday 09:00 after now"
    case "tonight", "morning", "afternoon", "evening": hint = "write a time such as 21:30"
    default:
      let superfluous = ["at", "in", "on", "ago"]
      guard superfluous.contains(word) else {
        guard Month.named(word) != nil else { return nil }
        return scanner.refusal(
          .syntax, at: range, "a date does not begin with '\(scanner.string(range))'",
          hint: "write the day first: 1 Dec 2026")
      }
      return scanner.refusal(
        .syntax, at: range, "'\(scanner.string(range))' does not belong here",
        hint: word == "ago" ? "write now - 2h" : "leave it out")
    }
    return scanner.refusal(
      .ambiguous, at: range, "'\(scanner.string(range))' can mean two things", hint: hint)
  }

  func unknownWord() -> TimeExpressionError {
    let start = scanner.position
    let word = start..<max(scanner.endOfWord(from: start), start + 1)
    return scanner.refusal(
      .syntax, at: word, "'\(harmless(scanner.string(word)[...]))' is not understood",
      hint: time == nil ? ExpressionParser.forms : "zones are written as Europe/Berlin or +01:00")
  }
}
