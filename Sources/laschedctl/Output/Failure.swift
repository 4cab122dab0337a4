import JSON
import TimeExpressions

/// Why a verb did not do what it was asked: one line for a person, a name for programs, a code.
struct Failure: Error, Sendable {
  /// What the process exits with.
  var code: ExitCode
  /// The error's full name: the daemon's, or one of this program's own.
  var name: String
  /// What was wrong, with which value, and what would be right.
  var message: String
  /// The daemon's parameters; nil where it is this program's own error.
  var parameters: JSONText?
  /// The text in which something is wrong, and the column, counted from 1.
  var place: Place?

  struct Place: Sendable {
    let text: String
    let column: Int
  }

  init(_ code: ExitCode, _ name: String, _ message: String, parameters: JSONText? = nil) {
    self.code = code
    self.name = name
    self.message = message
    self.parameters = parameters
  }

  /// The command line is not one.
  static func usage(_ message: String) -> Failure {
    Failure(.usage, "laschedctl.Usage", message)
  }

  /// A value is not what it must be.
  static func malformed(_ message: String) -> Failure {
    Failure(.malformed, "laschedctl.Malformed", message)
  }

  /// The daemon cannot be reached.
  static func unreachable(_ message: String) -> Failure {
    Failure(.unreachable, "laschedctl.Unreachable", message)
  }

  /// Something of the system's did not work.
  static func system(_ message: String) -> Failure {
    Failure(.refused, "laschedctl.System", message)
  }

  /// A time expression that is none; `what` is the option or operand that it came with.
  static func time(_ what: String, _ text: String, _ error: TimeExpressionError) -> Failure {
    var failure = Failure.malformed("\(what): \(error)")
    failure.place = Place(text: text, column: error.column)
    return failure
  }

  /// The last part of the name: `ActivityExists`.
  var shortName: String { String(name.split(separator: ".").last ?? "") }

  /// `{"error", "parameters"}`, as the daemon writes it.
  var json: JSONText? {
    try? JSONText { writer in
      writer.beginObject()
      writer.member("error", name)
      if let parameters {
        writer.member("parameters", parameters)
      } else {
        writer.object("parameters") { $0.member("message", message) }
      }
      writer.endObject()
    }
  }
}
