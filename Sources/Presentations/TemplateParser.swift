extension Template {
  /// Reads a template. Throws the first mistake.
  init(parsing text: String) throws(TemplateError) {
    var parser = TemplateParser(text)
    pieces = try parser.pieces()
  }
}

private struct TemplateParser {
  private let characters: [Character]
  private var place = 0

  init(_ text: String) { characters = Array(text) }

  private var current: Character? { place < characters.count ? characters[place] : nil }

  mutating func pieces() throws(TemplateError) -> [Template.Piece] {
    var pieces: [Template.Piece] = []
    var text = ""
    func close() {
      if !text.isEmpty { pieces.append(.text(text)) }
      text = ""
    }
    while let character = current {
      switch character {
      case "\\": text.append(try escaped())
      case "{":
        close()
        pieces.append(try field())
      case "[":
        let start = place
        place += 1
        let inner = try part(from: start)
        if inner.contains(where: { if case .field = $0 { true } else { false } }) {
          close()
          pieces.append(.part(inner))
        } else {
          // Brackets without a field in them are brackets.
          text.append("[")
          for case .text(let words) in inner { text += words }
          text.append("]")
        }
      case "}": throw error("'}' without a '{'; an ordinary one is written \\}")
      default:
        text.append(character)
        place += 1
      }
    }
    close()
    return pieces
  }

  private mutating func part(from start: Int) throws(TemplateError) -> [Template.Piece] {
    var pieces: [Template.Piece] = []
    var text = ""
    while let character = current {
      switch character {
      case "]":
        place += 1
        if !text.isEmpty { pieces.append(.text(text)) }
        return pieces
      case "\\": text.append(try escaped())
      case "{":
        if !text.isEmpty { pieces.append(.text(text)) }
        text = ""
        pieces.append(try field())
      case "[": throw error("'[' inside of […]; an ordinary one is written \\[")
      case "}": throw error("'}' without a '{'; an ordinary one is written \\}")
      default:
        text.append(character)
        place += 1
      }
    }
    throw TemplateError(
      offset: start, message: "'[' is not closed by ']'; an ordinary one is written \\[")
  }

  private mutating func escaped() throws(TemplateError) -> Character {
    place += 1
    guard let character = current else {
      place -= 1
      throw error("'\\' at the end; an ordinary one is written \\\\")
    }
    place += 1
    return character == "n" ? "\n" : character
  }

  private mutating func field() throws(TemplateError) -> Template.Piece {
    let start = place
    place += 1
    var choices: [Template.Choice] = []
    while true {
      choices.append(try choice(first: choices.isEmpty, opening: start))
      guard let end = current else { throw unclosed(start) }
      place += 1
      if end == "}" { return .field(choices) }
    }
  }

  private func unclosed(_ start: Int) -> TemplateError {
    TemplateError(
      offset: start, message: "'{' is not closed by '}'; an ordinary one is written \\{")
  }

  /// Up to the `|` or `}` that ends it.
  private mutating func choice(first: Bool, opening: Int) throws(TemplateError) -> Template.Choice {
    let start = place
    if !first, current == "\"" { return .text(try quoted(opening)) }
    var text = ""
    var isPlain = true
    while let character = current, character != "|", character != "}" {
      if character == "\\" {
        isPlain = false
        let escape = try escaped()
        text += escape == "\n" ? "\\n" : "\\" + String(escape)
      } else if character == "{" {
        throw error("'{' inside of {…}; an ordinary one is written \\{")
      } else {
        text.append(character)
        place += 1
      }
    }
    if current == nil { throw unclosed(opening) }
    if first || (isPlain && FieldNameReader.looksLikeField(text)) {
      return try FieldNameReader.read(text, at: start)
    }
    return .text(plain(text))
  }

  private func plain(_ text: String) -> String {
    var result = ""
    var isEscaped = false
    for character in text {
      if !isEscaped, character == "\\" {
        isEscaped = true
        continue
      }
      result.append(isEscaped && character == "n" ? "\n" : character)
      isEscaped = false
    }
    return result
  }

  private mutating func quoted(_ opening: Int) throws(TemplateError) -> String {
    let start = place
    place += 1
    var text = ""
    while let character = current, character != "\"" {
      if character == "\\" {
        text.append(try escaped())
      } else {
        text.append(character)
        place += 1
      }
    }
    guard current == "\"" else {
      throw TemplateError(offset: start, message: "'\"' is not closed by another")
    }
    place += 1
    guard let end = current else { throw unclosed(opening) }
    guard end == "|" || end == "}" else {
      throw error("'\(end)' after quoted text; '|' or '}' would be right")
    }
    return text
  }

  private func error(_ message: String) -> TemplateError {
    TemplateError(offset: place, message: message)
  }
}
