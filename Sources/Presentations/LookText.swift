/// Bounds for texts of a look; what a reader must escape is its own business.
enum LookText {
  /// One line: line breaks are blanks, what is too long ends with `…`.
  static func line(_ text: String, most: Int) -> String {
    var result = ""
    var count = 0
    var wasBlank = true
    for character in text {
      let isBlank = character.isNewline || character == "\t" || character == " "
      if isBlank, wasBlank { continue }
      wasBlank = isBlank
      if count >= most { return result + "…" }
      result.append(isBlank ? " " : character)
      count += 1
    }
    while result.last == " " { result.removeLast() }
    return result
  }

  /// Lines, without those that are empty.
  static func lines(_ text: String, most: Int) -> [String] {
    text.split(whereSeparator: \.isNewline).prefix(12).map { line(String($0), most: most) }
      .filter { !$0.isEmpty }
  }
}
