/// Messages as lines with the level in front, as sd-daemon(3) has them on standard error.
enum LogLines {
  /// Each line of the message gets its own prefix; control characters become `?`, so that foreign
  /// text cannot move a terminal's cursor.
  static func render(_ level: LogLevel, _ message: String) -> [UInt8] {
    var line: [UInt8] = []
    let prefix = "<\(level.rawValue)>"
    for part in message.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      line += prefix.utf8
      for scalar in part.unicodeScalars {
        let isControl = scalar.properties.generalCategory == .control && scalar != "\t"
        line += isControl ? Array("?".utf8) : Array(String(scalar).utf8)
      }
      line.append(UInt8(ascii: "\n"))
    }
    return line
  }
}
