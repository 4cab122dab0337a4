/// Colours as text.
enum Tint {
  /// `#rrggbb` of `#rgb`, `#rrggbb` or the name of one of Swift's system colours; nil for all else.
  static func hex(_ text: String) -> String? {
    if let known = names[text.lowercased()] { return known }
    guard text.hasPrefix("#"), text.utf8.dropFirst().allSatisfy(isHexDigit) else { return nil }
    let digits = text.dropFirst().lowercased()
    switch digits.utf8.count {
    case 3: return "#" + digits.map { "\($0)\($0)" }.joined()
    case 6: return "#" + digits
    default: return nil
    }
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
  }

  private static let names: [String: String] = [
    "black": "#000000", "blue": "#007aff", "brown": "#a2845e", "cyan": "#32ade6",
    "gray": "#8e8e93", "grey": "#8e8e93", "green": "#34c759", "indigo": "#5856d6",
    "mint": "#00c7be", "orange": "#ff9500", "pink": "#ff2d55", "purple": "#af52de",
    "red": "#ff3b30", "teal": "#30b0c7", "white": "#ffffff", "yellow": "#ffcc00",
  ]
}
