/// How the activities of one attributes type look: one file, `TYPE.conf`, as it was read.
/// lasched.presentation(5).
public struct Presentation: Sendable {
  /// The keys that hold a template.
  enum Key: String, CaseIterable, Hashable, Sendable {
    case title = "Title"
    case body = "Body"
    case compactLeading = "CompactLeading"
    case compactTrailing = "CompactTrailing"
    case minimal = "Minimal"
    case expanded = "Expanded"
    case progress = "Progress"
    case icon = "Icon"
    case tint = "Tint"
    case url = "URL"
    case urgency = "Urgency"
  }

  /// A section `[Action NAME]`.
  struct Action: Sendable {
    let name: String
    var label: Template?
    /// A word each; the first has no fields.
    var command: [Template] = []
  }

  /// The attributes type that it is for; the file's name without `.conf`.
  public let type: String
  /// The file, as it was named; empty for the look without a file.
  public let file: String
  /// What was left out of it, in the order of its lines.
  public internal(set) var diagnostics: [PresentationDiagnostic] = []
  /// `Expanded=` may have several, one a line; all others have one.
  var templates: [Key: [Template]] = [:]
  var dates = DateCounting.unix
  var actions: [Action] = []

  init(type: String, file: String) {
    self.type = type
    self.file = file
  }

  /// The look of a type without a file.
  public static func standard(type: String) -> Presentation { Presentation(type: type, file: "") }

  /// What holds where a file says nothing; `CompactLeading=` is then `Title=`, `Expanded=` is `Body=`.
  static let standardTemplates: [Key: [Template]] = {
    func parsed(_ text: String) -> [Template] {
      (try? Template(parsing: text)).map { [$0] } ?? []
    }
    return [
      .title: parsed("{title}"),
      .body: parsed("{body}\\n{details}"),
      .compactTrailing: parsed("{timer}"),
      .minimal: parsed("{timer|title}"),
      .progress: parsed("{content.progress}"),
      .icon: parsed("{content.icon|content.systemImage|attributes.icon|attributes.systemImage}"),
      .tint: parsed("{content.tint|attributes.tint}"),
      .url: parsed("{content.url|attributes.url}"),
    ]
  }()

  func templates(_ key: Key) -> [Template] {
    templates[key] ?? Presentation.standardTemplates[key] ?? []
  }
}
