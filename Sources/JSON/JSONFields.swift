/// The names of the members that an object may have: at most 32, made once.
public struct JSONFieldNames: Sendable {
  /// The names, in the order that `JSONFields` counts them.
  public let names: [String]
  /// The names' bytes, one after the other, and where each one ends.
  let utf8: [UInt8]
  let ends: [Int]
  let fingerprints: [UInt32]

  /// Names beyond the 32nd are not known.
  public init(_ names: [String]) {
    self.names = Array(names.prefix(32))
    var utf8: [UInt8] = []
    var ends: [Int] = []
    for name in self.names {
      utf8 += Array(name.utf8)
      ends.append(utf8.count)
    }
    self.utf8 = utf8
    self.ends = ends
    fingerprints = self.names.map { keyFingerprint(Array($0.utf8).span) }
  }

  /// The place of the name that a string stands for; nil for any other string or kind.
  public func place(of node: JSONNode) -> Int? {
    guard node.kind == .string else { return nil }
    let bytes = node.document.bytes
    let range = node.range
    let text = bytes.span.extracting((range.lowerBound + 1)..<(range.upperBound - 1))
    if node.entry.isEscaped {
      let plain = unescaped(text)
      return place(of: plain.span, fingerprint: keyFingerprint(plain.span), from: 0)
    }
    return place(of: text, fingerprint: keyFingerprint(text), from: 0)
  }

  func place(of text: Span<UInt8>, fingerprint: UInt32, from hint: Int) -> Int? {
    var place = hint
    for _ in 0..<fingerprints.count {
      if place >= fingerprints.count { place = 0 }
      if fingerprints[place] == fingerprint, equals(place, text) { return place }
      place += 1
    }
    return nil
  }

  private func equals(_ place: Int, _ text: Span<UInt8>) -> Bool {
    let start = place == 0 ? 0 : ends[place - 1]
    guard text.count == ends[place] - start else { return false }
    for i in text.indices where text[i] != utf8[start + i] { return false }
    return true
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
/// an allocation. null counts as absent. Not copied: it is large, and read many times.
public struct JSONFields: ~Copyable, Sendable {
  /// The object.
  public let object: JSONNode
  private var rows = InlineArray<32, Int32>(repeating: 0)

  /// Throws if `object` is none, or has a member that is not among `names` and is not to be
  /// passed over.
  public init(
    _ object: JSONNode, _ names: JSONFieldNames, ignoringUnknown: Bool = false
  ) throws(JSONFieldsError) {
    self.object = object
    guard object.kind == .object else { throw .notAnObject(object) }
    let entries = object.document.entries
    let bytes = object.document.bytes
    let end = Int(entries[object.row].next)
    var row = object.row + 1
    // Most senders keep the order of the interface: look first where the last one was left.
    var hint = 0
    while row < end {
      let entry = entries[row]
      let text = bytes.span.extracting((Int(entry.start) + 1)..<(Int(entry.end) - 1))
      let place =
        entry.isEscaped
        ? names.place(of: unescaped(text).span, fingerprint: entry.next, from: hint)
        : names.place(of: text, fingerprint: entry.next, from: hint)
      let value = entries[row + 1]
      if let place {
        if value.kind != .null { rows[place] = Int32(truncatingIfNeeded: row + 1) }
        hint = place + 1
      } else if !ignoringUnknown {
        throw .unknown(key: JSONNode(document: object.document, row: row))
      }
      row = Int(value.next)
    }
  }

  /// The value of the member whose name has that place; nil if it is absent or null.
  public subscript(place: Int) -> JSONNode? {
    let row = rows[place]
    return row == 0 ? nil : JSONNode(document: object.document, row: Int(row))
  }
}
