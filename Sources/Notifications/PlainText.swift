/// Foreign text made harmless for a bubble.
enum PlainText {
  /// Stands before the origin of what is another user's. Content never has it.
  static let originMark: Unicode.Scalar = "\u{25C6}"
  /// What content has instead.
  private static let otherMark: Unicode.Scalar = "\u{25C7}"

  /// Without control characters, what turns text around or hides in it, and towers of marks. Line
  /// breaks stay where they are wanted, and are blanks elsewhere.
  static func clean(_ text: String, lines: Bool = false) -> String {
    var result = String.UnicodeScalarView()
    for character in text {
      for (place, scalar) in character.unicodeScalars.enumerated() {
        guard place < 8 else { break }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator:
          if scalar == "\n" || scalar.value == 0x2028 || scalar.value == 0x2029 {
            result.append(lines ? "\n" : " ")
          } else if scalar == "\t" {
            result.append(" ")
          }
        case .format:
          // The joiners belong to the spelling of Persian, Hindi and many emoji.
          if scalar.value == 0x200C || scalar.value == 0x200D { result.append(scalar) }
        case .surrogate, .unassigned, .privateUse: result.append("\u{FFFD}")
        default: result.append(scalar == originMark ? otherMark : scalar)
        }
      }
    }
    return String(result)
  }

  /// Text as the specification's markup has it: `&`, `<`, `>` and quotes are entities.
  static func markup(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
