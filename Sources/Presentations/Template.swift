/// Text with fields in it, such as `{content.status|on its way}[ · {end:countdown}]`.
///
/// `{FIELD}`, `{FIELD:FORMAT}` and `{FIELD|FIELD|text}`, of which the first that is there counts;
/// `[…]` is left out where a field in it is missing; `\` makes the next character an ordinary one,
/// and `\n` is a new line. lasched.presentation(5).
struct Template: Hashable, Sendable {
  indirect enum Piece: Hashable, Sendable {
    case text(String)
    case field([Choice])
    /// What is there only if all its fields are.
    case part([Piece])
  }

  /// One of the alternatives of a field.
  enum Choice: Hashable, Sendable {
    case field(Field, FieldFormat?)
    case text(String)
  }

  let pieces: [Piece]

  /// Whether anything in it comes from an activity.
  var hasFields: Bool { Template.hasFields(pieces) }

  private static func hasFields(_ pieces: [Piece]) -> Bool {
    pieces.contains { piece in
      switch piece {
      case .text: false
      case .field: true
      case .part(let inner): hasFields(inner)
      }
    }
  }

  /// Whether it begins with text of its own.
  var beginsWithText: Bool {
    if case .text = pieces.first { return true }
    return false
  }

  /// Whether it is one field and nothing else.
  var isOneField: Bool {
    if pieces.count == 1, case .field = pieces[0] { return true }
    return false
  }
}
