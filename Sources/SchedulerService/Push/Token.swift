internal import LiveActivity

/// A token as it is kept: its SHA-256 hash. The token itself is 256 random bits, so that nothing can be
/// tried out against the hash.
struct TokenHash: Hashable {
  /// 64 hexadecimal digits.
  let digits: String

  /// The hash of a token as it was shown, in either case of letters; nil where it is none.
  init?(of token: String) {
    guard let bytes = Hexadecimal.bytes(token), bytes.count == 32 else { return nil }
    digits = Hexadecimal.text(SHA256.hash(bytes))
  }

  /// A hash out of the store.
  init?(stored digits: Substring) {
    guard digits.utf8.count == 64, Hexadecimal.bytes(String(digits)) != nil else { return nil }
    self.digits = String(digits)
  }

  /// A new token, from the kernel's random numbers (getrandom(2)).
  static func makeToken() -> String {
    var random = SystemRandomNumberGenerator()
    return Hexadecimal.text((0..<32).map { _ in UInt8.random(in: 0...255, using: &random) })
  }
}

/// Bytes as hexadecimal digits.
enum Hexadecimal {
  private static let digits = Array("0123456789abcdef".utf8)

  static func text(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes that pairs of digits stand for; nil where it is something else.
  static func bytes(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var high: UInt8?
    for character in text.utf8 {
      let value: UInt8
      switch character {
      case 0x30...0x39: value = character - 0x30
      case 0x41...0x46: value = character - 0x41 + 10
      case 0x61...0x66: value = character - 0x61 + 10
      default: return nil
      }
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return high == nil ? bytes : nil
  }
}

/// What a token is good for.
enum TokenUse: Hashable {
  /// Updates of a session, known by its first event.
  case session(owner: UserID, first: Int64)
  /// New sessions of a type and an application.
  case start(StartUse)
}

/// What push-to-start tokens are good for.
struct StartUse: Hashable {
  var owner: UserID
  var attributesType: String
  var application: String?
}
