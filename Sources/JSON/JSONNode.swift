/// One value in a document. Nothing of it is copied or converted before it is asked for.
public struct JSONNode: Sendable {
  let document: JSONDocument
  let row: Int

  init(document: JSONDocument, row: Int) {
    self.document = document
    self.row = row
  }

  /// Checks a text and gives its value. Throws where it is not JSON (see `JSONDocument`).
  public init(
    validating bytes: [UInt8], maximumDepth: Int = JSONDocument.maximumDepth
  ) throws(JSONError) {
    self = try JSONDocument(validating: bytes.span, maximumDepth: maximumDepth).root
  }

  /// Checks a text and gives its value. Throws where it is not JSON (see `JSONDocument`).
  public init(validating text: String) throws(JSONError) {
    try self.init(validating: Array(text.utf8))
  }

  var entry: JSONEntry { document.entries[row] }
  /// Where its text is in the document's bytes.
  var range: Range<Int> {
    let entry = entry
    return Int(entry.start)..<Int(entry.end)
  }

  /// What kind of value it is.
  public var kind: JSONKind { entry.kind }
  /// Whether it is `null`.
  public var isNull: Bool { entry.kind == .null }
  /// Levels of arrays and objects in it, itself included: 0 for a scalar, 1 for `[]`.
  public var height: Int { Int(entry.height) }
  /// Bytes of its text, white space between tokens not counted.
  public var byteCount: Int { range.count }

  /// Its members, if it is an object; nothing otherwise.
  public var members: JSONMembers { JSONMembers(self) }
  /// Its elements, if it is an array; nothing otherwise.
  public var elements: JSONElements { JSONElements(self) }

  /// The value of the member with that key, if it is an object and has one. Looks at each key in
  /// turn; `JSONFields` is the way to many.
  public subscript(key: String) -> JSONNode? {
    for member in members where member.key.equals(key) { return member.value }
    return nil
  }

  /// Its text, unless it is nested deeper than `JSONDocument.maximumDepth`.
  public var text: JSONText? {
    guard height <= JSONDocument.maximumDepth, document.violation == nil else { return nil }
    return JSONText(trusted: Array(document.bytes[range]))
  }
}

/// The members of an object, in the order of the text.
public struct JSONMembers: Sequence, IteratorProtocol {
  private let document: JSONDocument
  private var row: Int
  private let end: Int

  init(_ node: JSONNode) {
    document = node.document
    row = node.row + 1
    end = node.kind == .object ? Int(node.entry.next) : row
  }

  /// The next member; the key is a string value.
  public mutating func next() -> (key: JSONNode, value: JSONNode)? {
    guard row < end else { return nil }
    let key = row
    row = Int(document.entries[key + 1].next)
    return (JSONNode(document: document, row: key), JSONNode(document: document, row: key + 1))
  }
}

/// The elements of an array, in order.
public struct JSONElements: Sequence, IteratorProtocol {
  private let document: JSONDocument
  private var row: Int
  private let end: Int

  init(_ node: JSONNode) {
    document = node.document
    row = node.row + 1
    end = node.kind == .array ? Int(node.entry.next) : row
  }

  /// The next element.
  public mutating func next() -> JSONNode? {
    guard row < end else { return nil }
    let element = JSONNode(document: document, row: row)
    row = Int(document.entries[row].next)
    return element
  }
}
