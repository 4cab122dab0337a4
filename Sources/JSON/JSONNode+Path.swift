extension JSONNode {
  /// Where the value or key is within `root`: `actions[2].label`, empty for `root` itself. nil if it
  /// is not in it. Slow: for an error's text. What grows past 512 bytes is cut off with `…`, and
  /// characters that JSON is refused for become U+FFFD, so that it can be sent.
  public func path(in root: JSONNode) -> String? {
    guard document === root.document else { return nil }
    let entries = document.entries
    guard row >= root.row, row < Int(entries[root.row].next) else { return nil }
    var path = ""
    var parent = root.row
    while parent != row {
      guard path.utf8.count <= 512 else { return cut(path) }
      var child = parent + 1
      if entries[parent].kind == .object {
        while Int(entries[child + 1].next) <= row { child = Int(entries[child + 1].next) }
        let key = presentable(JSONNode(document: document, row: child).string ?? "")
        path += path.isEmpty ? key : "." + key
        if child == row { break }
        child += 1
      } else {
        var index = 0
        while Int(entries[child].next) <= row {
          child = Int(entries[child].next)
          index += 1
        }
        path += "[\(index)]"
      }
      parent = child
    }
    return path.utf8.count <= 512 ? path : cut(path)
  }

  private func presentable(_ key: String) -> String {
    guard document.violation != nil else { return key }
    var kept = ""
    for scalar in key.unicodeScalars {
      let isRefused = scalar.value == 0 || isNoncharacter(scalar.value)
      kept.unicodeScalars.append(isRefused ? "\u{FFFD}" : scalar)
    }
    return kept
  }

  private func cut(_ path: String) -> String {
    var kept = ""
    for scalar in path.unicodeScalars {
      guard kept.utf8.count < 500 else { break }
      kept.unicodeScalars.append(scalar)
    }
    return kept + "…"
  }
}
