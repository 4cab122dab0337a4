/// Why bytes are not taken as JSON: the kind of fault, where it is, and one line for a person.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of a fault.
  public struct Code: Hashable, Sendable {
    enum Value: UInt8 {
      case syntax, depth, duplicateKey, number, utf8, surrogate, noncharacter, nul, size
    }
    let value: Value

    /// Not JSON by the grammar of RFC 8259.
    public static let syntax = Code(value: .syntax)
    /// Objects and arrays nested too deep.
    public static let depth = Code(value: .depth)
    /// One object with the same key twice, compared as what the escapes stand for.
    public static let duplicateKey = Code(value: .duplicateKey)
    /// A number that no finite double comes near.
    public static let number = Code(value: .number)
    /// Bytes that are not UTF-8 (RFC 3629).
    public static let utf8 = Code(value: .utf8)
    /// An escape that is half of a surrogate pair.
    public static let surrogate = Code(value: .surrogate)
    /// One of Unicode's 66 noncharacters, such as U+FFFF.
    public static let noncharacter = Code(value: .noncharacter)
    /// The character U+0000.
    public static let nul = Code(value: .nul)
    /// More than 2 GiB.
    public static let size = Code(value: .size)
  }

  /// The kind of the fault.
  public let code: Code
  /// Where it is: bytes from the start of what was given.
  public let offset: Int
  /// What was wrong, in a few words that go on after "at byte 12: ".
  public let reason: String

  init(_ code: Code.Value, _ offset: Int, _ reason: String) {
    self.code = Code(value: code)
    self.offset = offset
    self.reason = reason
  }

  /// One line for a person.
  public var description: String { "JSON at byte \(offset): \(reason)" }
}
