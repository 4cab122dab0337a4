/// A checked JSON text and the place of each value in it; what its `JSONNode`s look into.
///
/// RFC 8259, and stricter where it leaves a choice: nested at most so deep, no key twice in an
/// object, numbers finite, no U+0000, no lone surrogates, no noncharacters.
public final class JSONDocument: Sendable {
  /// How deep arrays and objects may be nested where nothing else is said.
  public static let maximumDepth = 64

  /// The text without white space between its tokens, otherwise as sent.
  public let bytes: [UInt8]
  let entries: [JSONEntry]
  /// The first breach of a limit, in a document that was read with `init(recording:)`.
  public let violation: JSONError?
  private let violationRow: Int

  /// Checks and reads a text. Throws where it is not JSON, or breaks a limit.
  public init(
    validating text: Span<UInt8>, maximumDepth: Int = JSONDocument.maximumDepth
  ) throws(JSONError) {
    var parser = JSONParser(maximumDepth: maximumDepth, records: false)
    try parser.parse(text)
    (bytes, entries) = (parser.compact, parser.entries)
    (violation, violationRow) = (nil, 0)
  }

  /// Reads a text whose breaches of the limits do not end it: the first is kept in `violation`, and
  /// `violating` says where, so that a server can name it in its answer. Such a document is read
  /// for that alone: what breaks the rules comes out replaced or twice. Throws where the text is
  /// not JSON by its grammar.
  public init(
    recording text: Span<UInt8>, maximumDepth: Int = JSONDocument.maximumDepth
  ) throws(JSONError) {
    var parser = JSONParser(maximumDepth: maximumDepth, records: true)
    try parser.parse(text)
    (bytes, entries) = (parser.compact, parser.entries)
    (violation, violationRow) = (parser.violation, parser.violationRow)
  }

  private init(emptyObject: Void) {
    bytes = JSONText.emptyObject.bytes
    entries = [JSONEntry(start: 0, end: 2, next: 1, kind: .object, flags: 0, height: 1)]
    (violation, violationRow) = (nil, 0)
  }

  /// `{}`.
  public static let emptyObject = JSONDocument(emptyObject: ())

  /// The whole value.
  public var root: JSONNode { JSONNode(document: self, row: 0) }

  /// The value or key that `violation` is about.
  public var violating: JSONNode? {
    violation == nil ? nil : JSONNode(document: self, row: violationRow)
  }
}
