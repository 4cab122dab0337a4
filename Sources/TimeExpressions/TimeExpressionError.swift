/// Why a time expression was refused: where, what, and what would be right. One line for a person.
public struct TimeExpressionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of refusal, for programs.
  public struct Code: Hashable, Sendable {
    private let number: UInt8
    private init(_ number: UInt8) { self.number = number }

    /// Nothing but blanks.
    public static let empty = Code(0)
    /// Not in the grammar of lasched-time(7), or something is left over.
    public static let syntax = Code(1)
    /// A day, month, hour, minute or second that the calendar or the clock does not have.
    public static let noSuchTime = Code(2)
    /// It could mean two things.
    public static let ambiguous = Code(3)
    /// A part is missing: a date without a time, a number without a unit.
    public static let incomplete = Code(4)
    /// Outside 1970-01-01 to 9999-12-31, or too large to count.
    public static let outOfRange = Code(5)
    /// A negative span.
    public static let negative = Code(6)
    /// Finer than a microsecond.
    public static let tooFine = Code(7)
    /// The zone is not known, or its data cannot be used.
    public static let zone = Code(8)
    /// Date, weekday, offset or zone contradict each other.
    public static let contradiction = Code(9)
  }

  /// The kind of refusal.
  public let code: Code
  /// Where the trouble begins: 1-based, in characters as the reader sees them.
  public let column: Int
  /// The text in question, harmless to show; empty at the end of the expression.
  public let found: String
  /// What is wrong, with the value.
  public let problem: String
  /// What would be right.
  public let hint: String

  /// `column 9: there is no 30 February 2026; February 2026 has 28 days`.
  public var description: String { "column \(column): \(problem); \(hint)" }
}

/// Foreign text made fit for a message: control, format, bidi and unassigned characters as
/// `\u{…}`, no longer than `limit` characters.
func harmless(_ text: Substring, limit: Int = 40) -> String {
  var result = ""
  var count = 0
  for character in text {
    if count == limit { return result + "…" }
    count += 1
    // One "character" may carry any number of combining marks.
    for scalar in character.unicodeScalars.prefix(4) {
      switch scalar.properties.generalCategory {
      case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
        .paragraphSeparator:
        result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      case .spaceSeparator where scalar != " ":
        result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      default:
        result.unicodeScalars.append(scalar)
      }
    }
  }
  return result
}
