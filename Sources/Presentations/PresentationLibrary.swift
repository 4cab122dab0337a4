public import LiveActivity

/// The presentations of all types: those of `presentations/TYPE.conf` in some directories. A type
/// without one has the look without a file.
public struct PresentationLibrary: Sendable {
  private var presentations: [String: Presentation] = [:]

  /// Nothing but the look without a file.
  public init() {}

  /// Adds a file. One that is added later takes the place of an earlier one of the same name, so
  /// directories come in the order of `PresentationFiles.directories`. What is no `TYPE.conf` is
  /// passed over; an empty file gives a type the look without a file.
  public mutating func add(path: String, text: String) {
    guard let type = PresentationLibrary.type(path: path) else { return }
    presentations[type] = Presentation(parsing: text, type: type, file: path)
  }

  /// The attributes type that a file is for; nil if its name is no `TYPE.conf`.
  public static func type(path: String) -> String? {
    let name = path.split(separator: "/").last ?? ""
    guard name.hasSuffix(".conf") else { return nil }
    let type = String(name.dropLast(5))
    guard (try? TextRules.checkName(type, "")) != nil else { return nil }
    return type
  }

  /// The presentation of a type; the one without a file where it has none.
  public func presentation(for type: String) -> Presentation {
    presentations[type] ?? .standard(type: type)
  }

  /// The types that have a file, sorted.
  public var types: [String] { presentations.keys.sorted() }

  /// The mistakes of all files.
  public var diagnostics: [PresentationDiagnostic] {
    types.flatMap { presentations[$0]?.diagnostics ?? [] }
  }

  /// How an activity looks at a time, by the presentation of its type.
  public func look(
    of subject: PresentationSubject, at now: WallTime, _ settings: LookSettings
  ) -> Look {
    presentation(for: subject.type).look(of: subject, at: now, settings)
  }
}
