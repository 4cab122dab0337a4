/// A JSON value as a tree, for programs that build or change one step by step. Slower than reading
/// a `JSONNode`; numbers keep their literals and objects the order of their members.
public indirect enum JSONValue: Hashable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number, by its literal.
  case number(String)
  /// A string.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object.
  case object([Member])

  /// A member of an object.
  public struct Member: Hashable, Sendable {
    /// The key.
    public var key: String
    /// The value.
    public var value: JSONValue

    /// A member.
    public init(_ key: String, _ value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// Copies a value. Recursion is bound by the depth of the document.
  public init(_ node: JSONNode) {
    switch node.kind {
    case .null: self = .null
    case .bool: self = .bool(node.bool ?? false)
    case .number: self = .number(String(decoding: node.document.bytes[node.range], as: UTF8.self))
    case .string: self = .string(node.string ?? "")
    case .array: self = .array(node.elements.map { JSONValue($0) })
    case .object:
      self = .object(node.members.map { Member($0.key.string ?? "", JSONValue($0.value)) })
    }
  }

  /// The text. Throws where the tree breaks a limit of JSON: depth, a key twice, a bad number.
  public func text() throws(JSONError) -> JSONText {
    guard fits(JSONDocument.maximumDepth) else {
      throw JSONError(.depth, 0, "nested deeper than \(JSONDocument.maximumDepth)")
    }
    return try JSONText { write(to: &$0) }
  }

  /// The value of the member with that key, if it is an object and has one.
  public subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
  }

  /// Sets the value at a path of keys, making objects on the way. What stands in the way and is no
  /// object is replaced. Throws if the path is deeper than JSON may be.
  public mutating func set(_ value: JSONValue, at path: [String]) throws(JSONError) {
    guard path.count <= JSONDocument.maximumDepth else {
      throw JSONError(.depth, 0, "nested deeper than \(JSONDocument.maximumDepth)")
    }
    set(value, at: path[...])
  }

  private mutating func set(_ value: JSONValue, at path: ArraySlice<String>) {
    guard let key = path.first else {
      self = value
      return
    }
    var members: [Member] = []
    if case .object(let own) = self { members = own }
    let place = members.firstIndex { $0.key.utf8.elementsEqual(key.utf8) } ?? members.count
    if place == members.count { members.append(Member(key, .null)) }
    members[place].value.set(value, at: path.dropFirst())
    self = .object(members)
  }

  private func fits(_ levels: Int) -> Bool {
    switch self {
    case .array(let elements): levels > 0 && elements.allSatisfy { $0.fits(levels - 1) }
    case .object(let members): levels > 0 && members.allSatisfy { $0.value.fits(levels - 1) }
    case .null, .bool, .number, .string: true
    }
  }

  private func write(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.null()
    case .bool(let value): writer.bool(value)
    case .number(let literal): writer.text(JSONText(trusted: Array(literal.utf8)))
    case .string(let value): writer.string(value)
    case .array(let elements):
      writer.beginArray()
      for element in elements { element.write(to: &writer) }
      writer.endArray()
    case .object(let members):
      writer.beginObject()
      for member in members {
        writer.key(escaping: member.key)
        member.value.write(to: &writer)
      }
      writer.endObject()
    }
  }
}
