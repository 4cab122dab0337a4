/// How much room text takes on a terminal, in character cells.
enum Cells {
  /// The cells of a text without control characters.
  static func width(of text: some StringProtocol) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { $0 + width(of: $1) }
  }

  /// The cells of a character. An emoji takes what its widest part takes, a family of them too;
  /// in scripts whose characters are several letters, such as Devanagari, each letter counts.
  static func width(of character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first, scalars.count > 1 else {
      return scalars.first.map(width(of:)) ?? 0
    }
    if first.properties.isEmoji || isJamo(first) {
      return scalars.map(width(of:)).max() ?? 0
    }
    return scalars.reduce(0) { $0 + width(of: $1) }
  }

  private static func width(of scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: return isWide(scalar) ? 2 : 1
    }
  }

  /// The first part of a syllable of Hangul, which the others join.
  private static func isJamo(_ scalar: Unicode.Scalar) -> Bool {
    (0x1100...0x11FF).contains(scalar.value) || (0xA960...0xA97F).contains(scalar.value)
  }

  /// Wide by UAX #11, in whole blocks.
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x17000...0x18CFF, 0x1B000...0x1B2FF, 0x20000...0x3FFFD:
      true
    default: scalar.properties.isEmojiPresentation
    }
  }

  /// The text, or its beginning with `…` where it does not fit.
  static func fit(_ text: String, _ room: Int) -> String {
    guard width(of: text) > room else { return text }
    guard room > 0 else { return "" }
    var kept = ""
    var used = 0
    for character in text {
      let cells = width(of: character)
      guard used + cells <= room - 1 else { break }
      kept.append(character)
      used += cells
    }
    return kept + "…"
  }

  /// The text with blanks after it up to that width.
  static func pad(_ text: String, _ room: Int) -> String {
    text + String(repeating: " ", count: max(0, room - width(of: text)))
  }
}
