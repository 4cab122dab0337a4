extension JSONNode {
  /// The value as a person reads it: indented by two spaces a level, or on one line.
  ///
  /// It is JSON of the same meaning. Characters that could steer a terminal or turn text around
  /// (DEL, C1 controls, bidi controls, line separators) are written as escapes, so that text from
  /// others does no harm.
  public func displayed(indented: Bool) -> String {
    var output = JSONDisplay(indented: indented)
    output.write(self, level: 0)
    return output.text
  }
}

private struct JSONDisplay {
  let indented: Bool
  var text = ""

  /// Recursion is bound by the depth of the document.
  mutating func write(_ node: JSONNode, level: Int) {
    switch node.kind {
    case .object:
      var isFirst = true
      text += "{"
      for member in node.members {
        separate(&isFirst, level)
        harmless(member.key)
        text += indented ? ": " : ":"
        write(member.value, level: level + 1)
      }
      end("}", isEmpty: isFirst, level)
    case .array:
      var isFirst = true
      text += "["
      for element in node.elements {
        separate(&isFirst, level)
        write(element, level: level + 1)
      }
      end("]", isEmpty: isFirst, level)
    case .string, .number, .bool, .null: harmless(node)
    }
  }

  private mutating func separate(_ isFirst: inout Bool, _ level: Int) {
    if !isFirst { text += "," }
    isFirst = false
    newLine(level + 1)
  }

  private mutating func end(_ bracket: String, isEmpty: Bool, _ level: Int) {
    if !isEmpty { newLine(level) }
    text += bracket
  }

  private mutating func newLine(_ level: Int) {
    guard indented else { return }
    text += "\n" + String(repeating: "  ", count: level)
  }

  private mutating func harmless(_ node: JSONNode) {
    for scalar in String(decoding: node.document.bytes[node.range], as: UTF8.self).unicodeScalars {
      switch scalar.value {
      case 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}
