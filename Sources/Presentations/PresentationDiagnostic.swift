/// A mistake in a presentation. What is wrong is left out; everything else of the file is in force.
public struct PresentationDiagnostic: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file, as it was named.
  public let file: String
  /// The line, from 1.
  public let line: Int
  /// The column in characters, from 1.
  public let column: Int
  /// What is wrong, and what would be right; one line.
  public let message: String

  /// A mistake at a place.
  public init(file: String, line: Int, column: Int, message: String) {
    self.file = file
    self.line = line
    self.column = column
    // It may quote what an escape in the file made a line break of.
    self.message = message.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// One line, as compilers have it: `FILE:LINE:COLUMN: message`.
  public var description: String { "\(file):\(line):\(column): \(message)" }
}

/// What is wrong with a template, and at which of its characters, from 0.
struct TemplateError: Error, Hashable {
  let offset: Int
  let message: String
}
