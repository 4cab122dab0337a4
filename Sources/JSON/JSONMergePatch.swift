extension JSONText {
  /// The target changed by a merge patch (RFC 7396). Members keep their order and numbers their
  /// literals; what the patch adds comes last. Throws only if either was made of trusted bytes that
  /// are not JSON.
  public static func mergePatch(target: JSONText, patch: JSONText) throws(JSONError) -> JSONText {
    let patch = try patch.parsed()
    guard patch.kind == .object else { return JSONText(trusted: patch.document.bytes) }
    var writer = JSONWriter()
    writer.reserve(target.byteCount + patch.byteCount)
    merge(target: try target.parsed(), patch: patch, &writer)
    return JSONText(trusted: writer.take())
  }

  /// Recursion is bound by the depth of a `JSONText`. `patch` is an object.
  private static func merge(target: JSONNode?, patch: JSONNode, _ writer: inout JSONWriter) {
    writer.beginObject()
    var changes = MemberIndex(patch)
    if let target {
      for member in target.members {
        guard let change = changes.take(member.key) else {
          writer.key(of: member.key)
          writer.node(member.value)
          continue
        }
        guard !change.isNull else { continue }
        writer.key(of: member.key)
        write(change, over: member.value, &writer)
      }
    }
    for member in patch.members where !member.value.isNull {
      guard changes.isLeft(member.key) else { continue }
      writer.key(of: member.key)
      write(member.value, over: nil, &writer)
    }
    writer.endObject()
  }

  private static func write(_ change: JSONNode, over old: JSONNode?, _ writer: inout JSONWriter) {
    if change.kind == .object {
      merge(target: old, patch: change, &writer)
    } else {
      writer.node(change)
    }
  }
}

/// The members of an object by key, each to be taken once. Hashed, so that no choice of keys makes
/// a merge slow; by bytes, as a `String` would take é and e + ´ for the same.
private struct MemberIndex {
  private var rows: [[UInt8]: JSONNode] = [:]

  init(_ object: JSONNode) {
    for member in object.members { rows[member.key.utf8] = member.value }
  }

  mutating func take(_ key: JSONNode) -> JSONNode? {
    rows.isEmpty ? nil : rows.removeValue(forKey: key.utf8)
  }

  func isLeft(_ key: JSONNode) -> Bool { rows[key.utf8] != nil }
}
