/// A time expression as it was written (lasched-time(7)): a span, or a point in time that may need
/// a base time and a zone before it is an instant.
///
/// The grammar is closed; blanks are spaces and tabs, words know no case, units are lower case:
/// ```
/// expression = span | point [("+" | "-") span]
/// span       = ["+"] {NUMBER UNIT}                              25min  +1h30min  2 days 4 hours
/// point      = "now" | "@" SECONDS | date time [zone] | time [date] [zone]
/// date       = YYYY-MM-DD | DAY MONTH YEAR | [WEEKDAY] date | WEEKDAY
///            | "today" | "tomorrow" | "yesterday"
/// time       = H:MM[:SS[.FRACTION]] | H[:MM[:SS[.FRACTION]]] ("am" | "pm") | "noon"
/// zone       = "Z" | ±HH:MM | NAME | ABBREVIATION | ±HH:MM "[" NAME "]"
/// ```
/// `T` may join date and time (RFC 3339, RFC 9557). Parsing takes linear time and never traps.
public struct TimeExpression: Hashable, Sendable {
  enum Form: Hashable, Sendable {
    case span(SpanTerms, Located)
    case point(Point)
  }

  let form: Form

  /// Reads an expression; nothing may be left over.
  ///
  /// - Throws: what is wrong, in which column, and what would be right.
  public static func parse(_ text: String) throws(TimeExpressionError) -> TimeExpression {
    var parser = ExpressionParser(text)
    return TimeExpression(form: try parser.parse())
  }

  /// The name of the zone that the expression itself asks for, if it does.
  public var zoneName: String? {
    guard case .point(let point) = form else { return nil }
    return point.zone.name
  }

  /// Whether it is a span, which counts from whatever the caller says.
  public var isSpan: Bool {
    if case .span = form { return true }
    return false
  }
}

/// A point in time before it meets a base time and a zone.
struct Point: Hashable, Sendable {
  enum Base: Hashable, Sendable {
    case now
    /// Microseconds since 1970.
    case instant(Int64)
    case wall(DatePart?, TimeOfDay)
  }

  let base: Base
  let zone: ZoneMark
  let sum: Sum?
  /// The expression without its sum.
  let place: Located
}

enum DatePart: Hashable, Sendable {
  case civil(CivilDate)
  /// So many days after today.
  case day(Int64)
  /// The next one that lies after the base time.
  case weekday(Weekday)
}

struct TimeOfDay: Hashable, Sendable {
  /// After midnight: 0 to 86 400, where 86 400 is 24:00.
  var seconds: Int64
  var microsecond: Int
  /// Written with `:60`; `seconds` is already that of the next second.
  var isLeapSecond = false
}

/// What was said of the zone; with nothing said it is the caller's.
struct ZoneMark: Hashable, Sendable {
  var offset: Int?
  var offsetPlace: Located?
  /// A zone's name, or an abbreviation of the caller's zone.
  var name: String?
  var namePlace: Located?

  var isEmpty: Bool { offset == nil && name == nil }
}

struct Sum: Hashable, Sendable {
  let isNegative: Bool
  let terms: SpanTerms
  let place: Located
}
