/// How text looks on a terminal that has colours (ECMA-48's SGR).
enum Style: String, Sendable {
  case plain = ""
  case bold = "1"
  case dim = "2"
  case red = "31"
  case green = "32"
  case yellow = "33"
  case cyan = "36"
  case boldRed = "1;31"
  /// Whose something is.
  case origin = "1;35"
  /// What is about to go.
  case faint = "2;37"

  func applied(to text: String, _ isColoured: Bool) -> String {
    isColoured && self != .plain && !text.isEmpty ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
  }
}
