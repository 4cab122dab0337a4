/// How a field is written.
struct FieldFormat: Hashable, Sendable {
  enum Kind: String, CaseIterable, Hashable, Sendable {
    /// A number of seconds as `mm:ss` or `hh:mm:ss`.
    case duration
    /// The time until a date; ticks by itself.
    case countdown
    /// The time since a date; ticks by itself.
    case elapsed
    /// The time of day of a date, `18:30`.
    case time
    /// The day of a date, `2026-12-01`.
    case date
    /// A fraction as `45%`.
    case percent
    /// A fraction as a row of blocks.
    case bar
  }

  let kind: Kind
  /// How long a bar is, in characters.
  var cells = 10

  init(_ kind: Kind) { self.kind = kind }

  /// Reads `percent`, or `bar 20`. Throws where it is none.
  init(_ text: String, at offset: Int) throws(TemplateError) {
    let words = text.split(separator: " ", omittingEmptySubsequences: true)
    let names = Kind.allCases.map(\.rawValue).joined(separator: ", ")
    guard let kind = words.first.flatMap({ Kind(rawValue: String($0)) }) else {
      throw TemplateError(
        offset: offset, message: "'\(text)' is no format; these are: \(names)")
    }
    self.kind = kind
    if words.count == 1 { return }
    guard kind == .bar, words.count == 2, let cells = Int(words[1]), (1...60).contains(cells)
    else {
      throw TemplateError(
        offset: offset,
        message: "'\(text)': only bar takes a number, its length from 1 to 60, as in 'bar 20'")
    }
    self.cells = cells
  }
}
