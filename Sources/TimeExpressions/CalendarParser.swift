/// Reads a calendar expression: `[WEEKDAYS] [DATE] [TIME] [ZONE]`, in this order.
struct CalendarParser {
  var scanner: Scanner
  var result = CalendarExpression()
  /// Far more than anybody writes; it bounds the cost of a search.
  static let itemLimit = 240
  static let form = "write WEEKDAYS DATE TIME ZONE, as Mon..Fri *-*-* 09:00 Europe/Berlin"

  init(_ text: String) { scanner = Scanner(text) }

  mutating func parse() throws(TimeExpressionError) -> CalendarExpression {
    scanner.skipBlanks()
    let start = scanner.position
    guard let first = scanner.peek else {
      throw scanner.refusal(
        .empty, at: start..<start, "there is no repeat here", hint: CalendarParser.form)
    }
    var hasPart = false
    if first.isASCIILetter {
      if try shorthand() {
        scanner.skipBlanks()
        try zone()
        return result
      }
      try weekdays()
      hasPart = true
      scanner.skipBlanks()
    }
    if try date() {
      hasPart = true
      scanner.skipBlanks()
    }
    if try time() {
      hasPart = true
      scanner.skipBlanks()
    }
    guard hasPart else {
      throw scanner.unexpected("a weekday, date or time", hint: CalendarParser.form)
    }
    let end = scanner.position
    try zone()
    if result.firstWall(from: 0) == nil {
      throw scanner.refusal(
        .noSuchTime, at: start..<end,
        "'\(harmless(scanner.string(start..<end)[...]))' never comes",
        hint: "no such day is in the calendar from 1970 to 9999")
    }
    return result
  }

  /// `hourly` and the like.
  private mutating func shorthand() throws(TimeExpressionError) -> Bool {
    let range = scanner.position..<scanner.endOfLetters(from: scanner.position)
    let all: UInt64 = 0b1111_1111_1111_1111_1111_1111
    switch scanner.string(range).lowercased() {
    case "minutely": (result.hours, result.minutes) = (all, (1 << 60) - 1)
    case "hourly": result.hours = all
    case "daily": break
    case "weekly": result.weekdays = 1 << 1
    case "monthly": result.days = [CalendarItem(start: 1, stop: 1, step: 1)]
    case "quarterly": try months([1, 4, 7, 10])
    case "semiannually": try months([1, 7])
    case "yearly", "annually": try months([1])
    default: return false
    }
    guard range.upperBound == scanner.bytes.count || scanner.bytes[range.upperBound] <= 0x20 else {
      return false
    }
    scanner.position = range.upperBound
    return true
  }

  private mutating func months(_ months: [UInt64]) throws(TimeExpressionError) {
    result.months = months.reduce(0) { $0 | 1 << $1 }
    result.days = [CalendarItem(start: 1, stop: 1, step: 1)]
  }

  /// `Mon..Wed,Sat`; a comma may end it.
  private mutating func weekdays() throws(TimeExpressionError) {
    var mask: UInt8 = 0
    repeat {
      // `Wed, 17:48` is one of systemd's own examples.
      if mask != 0, let next = scanner.peek, next <= 0x20 { break }
      let start = scanner.position
      let first = try weekday()
      var last = first
      if scanner.take(".") {
        guard scanner.take(".") else {
          throw scanner.unexpected("'..'", hint: "a range is Mon..Fri")
        }
        last = try weekday()
      } else if scanner.peek == UInt8(ascii: "-") {
        throw scanner.unexpected("a list of weekdays", hint: "a range is Mon..Fri")
      }
      guard first.rawValue <= last.rawValue else {
        let range = start..<scanner.position
        throw scanner.refusal(
          .contradiction, at: range, "'\(scanner.string(range))' runs backward",
          hint: "weeks begin with Monday: write Sat,Sun,Mon for Saturday to Monday")
      }
      for day in first.rawValue...last.rawValue { mask |= 1 << UInt8(day) }
    } while scanner.take(",")
    guard scanner.isAtEnd || scanner.bytes[scanner.position] <= 0x20 else {
      throw scanner.unexpected("a list of weekdays", hint: "write Mon..Fri,Sun")
    }
    result.weekdays = mask
  }

  private mutating func weekday() throws(TimeExpressionError) -> Weekday {
    let range = scanner.position..<scanner.endOfLetters(from: scanner.position)
    guard let day = Weekday.named(scanner.string(range).lowercased()) else {
      throw scanner.unexpected("a weekday", hint: CalendarParser.form)
    }
    scanner.position = range.upperBound
    return day
  }

  private mutating func zone() throws(TimeExpressionError) {
    if scanner.isAtEnd { return }
    let start = scanner.position
    let end = ExpressionParser.endOfZoneName(in: scanner, from: start)
    let word = start..<max(end, scanner.endOfWord(from: start), start + 1)
    guard end > start, scanner.bytes[start].isASCIILetter, end == word.upperBound,
      end - start <= 255
    else {
      throw scanner.refusal(
        .syntax, at: word, "'\(harmless(scanner.string(word)[...]))' is left over",
        hint: "a repeat ends with its time or a zone such as Europe/Berlin")
    }
    result.zone = scanner.string(start..<end)
    result.zonePlace = scanner.located(start..<end)
    scanner.position = end
    scanner.skipBlanks()
    guard scanner.isAtEnd else {
      throw scanner.unexpected("the end", hint: "a repeat ends with its zone")
    }
  }
}
