/// Foreign text as a terminal can be shown it.
public enum HarmlessText {
  /// What could steer a terminal, hide or turn text around is written as a visible escape (`\x1b`,
  /// `\u{202e}`), and no character carries a tower of marks. One line, whatever the text has.
  public static func of(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
    var result = ""
    for character in text {
      for (place, scalar) in character.unicodeScalars.enumerated() {
        if place >= 8 || isHarmful(scalar) {
          result += escape(scalar)
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result
  }

  private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .surrogate, .unassigned, .lineSeparator, .paragraphSeparator: true
    // The joiners belong to the spelling of Persian, Hindi and many emoji.
    case .format: scalar.value != 0x200C && scalar.value != 0x200D
    default: false
    }
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": return "\\n"
    case "\t": return "\\t"
    case "\r": return "\\r"
    default:
      let digits = String(scalar.value, radix: 16)
      guard scalar.value < 0x80 else { return "\\u{\(digits)}" }
      return "\\x" + (digits.utf8.count < 2 ? "0" : "") + digits
    }
  }
}
