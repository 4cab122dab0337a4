/// Reads the name of a field with its format.
enum FieldNameReader {
  /// Whether an alternative is meant as a field, not as text.
  static func looksLikeField(_ text: String) -> Bool {
    let name = text.prefix { $0 != ":" }
    return OwnField(rawValue: String(name)) != nil
      || PayloadRoot.allCases.contains {
        name.hasPrefix($0.rawValue + ".") || name.hasPrefix($0.rawValue + "[")
      }
  }

  /// Reads `content.eta:time`; `offset` is where it stands.
  static func read(_ text: String, at offset: Int) throws(TemplateError) -> Template.Choice {
    let characters = Array(text)
    var place = 0
    var steps: [PathStep] = []
    var name = ""
    var isKeyOpen = true
    func error(_ message: String, _ at: Int) -> TemplateError {
      TemplateError(offset: offset + at, message: message)
    }
    func closeKey() throws(TemplateError) {
      guard isKeyOpen else { return }
      guard !name.isEmpty else { throw error("a name of a field is missing here", place) }
      steps.append(.key(name))
      name = ""
      isKeyOpen = false
    }
    scan: while place < characters.count {
      let character = characters[place]
      switch character {
      case "\\":
        place += 1
        if place < characters.count { name.append(characters[place]) }
      case ":": break scan
      case ".":
        try closeKey()
        isKeyOpen = true
      case "[":
        try closeKey()
        let digits = characters[(place + 1)...].prefix { $0.isASCII && $0.isNumber }
        let end = place + 1 + digits.count
        guard let index = Int(String(digits)), end < characters.count, characters[end] == "]"
        else {
          throw error("'[' is not followed by a number and ']', as in content.teams[0]", place)
        }
        steps.append(.index(index))
        place = end
      default:
        guard isKeyOpen else { throw error("'.' or '[' would be right here", place) }
        name.append(character)
      }
      place += 1
    }
    try closeKey()
    let format: FieldFormat?
    if place < characters.count {
      format = try FieldFormat(String(characters[(place + 1)...]), at: offset + place + 1)
    } else {
      format = nil
    }
    let field = try field(steps, text, at: offset)
    if case .own(let own) = field, let kind = format?.kind, !own.formats.contains(kind) {
      let fitting = FieldFormat.Kind.allCases.filter(own.formats.contains).map(\.rawValue)
      throw error(
        "\(own.rawValue) has no format \(kind.rawValue)"
          + (fitting.isEmpty ? "" : "; it has: \(fitting.joined(separator: ", "))"), place + 1)
    }
    return .field(field, format)
  }

  private static func field(
    _ steps: [PathStep], _ text: String, at offset: Int
  ) throws(TemplateError) -> Field {
    var names: [String] = []
    for case .key(let key) in steps { names.append(key) }
    if names.count == steps.count, let own = OwnField(rawValue: names.joined(separator: ".")) {
      return .own(own)
    }
    if case .key(let first)? = steps.first, let root = PayloadRoot(rawValue: first) {
      guard steps.count > 1 else {
        throw TemplateError(
          offset: offset, message: "'\(first)' is all of it; name a field, as in \(first).status")
      }
      return .payload(root, Array(steps.dropFirst()))
    }
    let own = OwnField.allCases.map(\.rawValue).joined(separator: ", ")
    throw TemplateError(
      offset: offset,
      message: "there is no field '\(text)'; these are: content.NAME, attributes.NAME, \(own)")
  }
}
