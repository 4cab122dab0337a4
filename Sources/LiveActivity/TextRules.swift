/// A value that its type does not take.
public struct InvalidValue: Error, Hashable, Sendable {
  /// What was wrong, with which value, and what would be right; one line.
  public let why: String

  /// An error with that explanation.
  public init(_ why: String) { self.why = why }
}

/// What text from outside may hold, so that no reader of it can be broken by it.
public enum TextRules {
  /// Checks the length in bytes and the characters: never NUL or a noncharacter; `plain` text also
  /// no control, bidi-control and line-separator characters.
  public static func check(
    _ text: String, _ what: String, bytes: ClosedRange<Int>, plain: Bool
  ) throws(InvalidValue) {
    let count = text.utf8.count
    guard bytes.contains(count) else {
      throw InvalidValue(
        "\(what) has \(count) bytes; \(bytes.lowerBound) to \(bytes.upperBound) would be right")
    }
    // Most text is printable ASCII, which has no flaw.
    if isPrintableASCII(text.utf8Span.span) { return }
    for scalar in text.unicodeScalars {
      if let name = flaw(of: scalar, plain: plain) {
        let code = String(scalar.value, radix: 16, uppercase: true)
        throw InvalidValue("\(what) holds \(name) U+\(code), which is not allowed there")
      }
    }
  }

  private static func isName(_ text: Span<UInt8>) -> Bool {
    for i in text.indices {
      switch text[i] {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2E, 0x5F, 0x2D: continue
      default: return false
      }
    }
    return true
  }

  private static func isPrintableASCII(_ text: Span<UInt8>) -> Bool {
    for i in text.indices where text[i] < 0x20 || text[i] > 0x7E { return false }
    return true
  }

  /// Checks a name of 1 to 128 characters of `A-Za-z0-9._-` without a leading dot.
  public static func checkName(_ text: String, _ what: String) throws(InvalidValue) {
    guard isName(text.utf8Span.span), (1...128).contains(text.utf8.count), text.utf8.first != 0x2E
    else {
      throw InvalidValue("\(what) is not 1 to 128 of A-Z a-z 0-9 . _ - without a leading dot")
    }
  }

  /// The kind of a scalar that text may not hold, if it is one.
  public static func flaw(of scalar: Unicode.Scalar, plain: Bool) -> String? {
    switch scalar.value {
    case 0: return "NUL"
    case 0xFDD0...0xFDEF: return "the noncharacter"
    case let value where value & 0xFFFE == 0xFFFE: return "the noncharacter"
    case 0x01...0x1F, 0x7F...0x9F: return plain ? "the control character" : nil
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069:
      return plain ? "the bidi control" : nil
    case 0x2028, 0x2029: return plain ? "the line separator" : nil
    default: return nil
    }
  }
}
