/// One JSON value as its text: valid, without white space between tokens, otherwise as sent — number
/// literals, the order of members and escapes are kept. Nested at most 64 deep.
///
/// Equal means the same bytes.
public struct JSONText: Hashable, Sendable {
  /// The text: UTF-8.
  public let bytes: [UInt8]

  /// `{}`.
  public static let emptyObject = JSONText(trusted: [0x7B, 0x7D])
  /// `null`.
  public static let null = JSONText(trusted: [0x6E, 0x75, 0x6C, 0x6C])

  /// Checks a text. Throws where it is not JSON, or breaks a limit (see `JSONDocument`).
  public init(validating bytes: [UInt8]) throws(JSONError) {
    self.bytes = try JSONDocument(validating: bytes.span).bytes
  }

  /// Checks a text. Throws where it is not JSON, or breaks a limit (see `JSONDocument`).
  public init(validating text: String) throws(JSONError) {
    try self.init(validating: Array(text.utf8))
  }

  /// Takes bytes that another `JSONText` gave, such as those out of a store, without a look at them.
  public init(trusted bytes: [UInt8]) { self.bytes = bytes }

  /// Writes one value. Throws where what was written is not one, or breaks a limit.
  public init(_ write: (inout JSONWriter) -> Void) throws(JSONError) {
    var writer = JSONWriter()
    write(&writer)
    try self.init(validating: writer.bytes)
  }

  /// The text.
  public var string: String { String(decoding: bytes, as: UTF8.self) }
  /// Bytes of the text.
  public var byteCount: Int { bytes.count }
  /// Whether it is an object.
  public var isObject: Bool { bytes.first == 0x7B }

  /// The value, to look into. Throws only if it was made of trusted bytes that are not JSON.
  public func parsed() throws(JSONError) -> JSONNode { try JSONNode(validating: bytes) }
}

extension JSONText: CustomStringConvertible {
  /// The text.
  public var description: String { string }
}
