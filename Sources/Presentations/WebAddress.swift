/// What can be opened: any scheme, no control characters or blanks. Whoever opens it decides which
/// schemes.
enum WebAddress {
  /// The address as it is, if it can be one (RFC 3986).
  static func check(_ text: String) -> String? {
    guard text.utf8.count <= 2048, text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }),
      let colon = text.firstIndex(of: ":"), colon > text.startIndex
    else { return nil }
    let scheme = text[..<colon].utf8
    guard let first = scheme.first, isLetter(first), text.index(after: colon) < text.endIndex,
      scheme.allSatisfy({ isLetter($0) || (0x30...0x39).contains($0) || "+.-".utf8.contains($0) })
    else { return nil }
    return text
  }

  /// A field's text inside an address: all but unreserved characters as `%XX`.
  static func escaped(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      if isLetter(byte) || (0x30...0x39).contains(byte) || "-._~".utf8.contains(byte) {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        result += "%" + (digits.utf8.count < 2 ? "0" : "") + digits
      }
    }
    return result
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }
}
