/// The names of the members that an object may have: at most 32, made once.
public struct JSONFieldNames: Sendable {
  /// The names, in the order that `JSONFields` counts them.
  public let names: [String]
  let utf8: [[UInt8]]
  let fingerprints: [UInt32]

  /// Names beyond the 32nd are not known.
  public init(_ names: [String]) {
    self.names = Array(names.prefix(32))
    utf8 = self.names.map { Array($0.utf8) }
    fingerprints = utf8.map { keyFingerprint($0.span) }
  }
}

/// Why an object does not have the form that is asked for.
public enum JSONFieldsError: Error, Sendable {
  /// The value is no object.
  case notAnObject(JSONNode)
  /// The key is none of the names.
  case unknown(key: JSONNode)
}

/// The members of an object by the place of their name in a list, found in one pass and without
/// an allocation. null counts as absent.
public struct JSONFields: Sendable {
  /// The object.
  public let object: JSONNode
  private var rows = InlineArray<32, Int32>(repeating: 0)

  /// Throws if `object` is none, or has a member that is not among `names`.
  public init(_ object: JSONNode, _ names: JSONFieldNames) throws(JSONFieldsError) {
    self.object = object
    guard object.kind == .object else { throw .notAnObject(object) }
    let entries = object.document.entries
    let end = Int(entries[object.row].next)
    var row = object.row + 1
    // Most senders keep the order of the interface: look first where the last one was left.
    var hint = 0
    while row < end {
      let entry = entries[row]
      guard let place = JSONFields.place(of: entry, in: object.document, names, from: hint) else {
        throw .unknown(key: JSONNode(document: object.document, row: row))
      }
      let value = entries[row + 1]
      if value.kind != .null { rows[place] = Int32(truncatingIfNeeded: row + 1) }
      hint = place + 1
      row = Int(value.next)
    }
  }

  private static func place(
    of key: JSONEntry, in document: JSONDocument, _ names: JSONFieldNames, from hint: Int
  ) -> Int? {
    let count = names.fingerprints.count
    var place = hint
    for _ in 0..<count {
      if place >= count { place = 0 }
      if names.fingerprints[place] == key.next, matches(key, document, names.utf8[place]) {
        return place
      }
      place += 1
    }
    return nil
  }

  private static func matches(
    _ key: JSONEntry, _ document: JSONDocument, _ name: [UInt8]
  ) -> Bool {
    let bytes = document.bytes
    let text = bytes.span.extracting((Int(key.start) + 1)..<(Int(key.end) - 1))
    return key.isEscaped
      ? equalBytes(unescaped(text).span, name.span) : equalBytes(text, name.span)
  }

  /// The value of the member whose name has that place; nil if it is absent or null.
  public subscript(place: Int) -> JSONNode? {
    let row = rows[place]
    return row == 0 ? nil : JSONNode(document: object.document, row: Int(row))
  }
}
