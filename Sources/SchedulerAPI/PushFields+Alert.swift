import JSON
import LiveActivity

extension PushFields {
  private static let alertNames = [
    "title", "body", "sound", "title-loc-key", "title-loc-args", "loc-key", "loc-args",
    // They mean nothing here.
    "subtitle", "subtitle-loc-key", "subtitle-loc-args", "launch-image", "action-loc-key", "action",
    "summary-arg", "summary-arg-count",
  ]

  /// `alert`: a text, which becomes the title, or an object with title, body and sound.
  func alert() throws(SchedulerError) -> Alert? {
    guard let node = self[.alert] else { return nil }
    let outerSound = self[.sound]?.string
    if let text = node.string {
      return try checking(.alert) { () throws(InvalidValue) in
        try Alert(title: text, body: "", sound: outerSound)
      }
    }
    guard node.kind == .object else { throw invalid(.alert, "it is neither a text nor an object") }
    for member in node.members {
      let key = member.key.string ?? ""
      guard Self.alertNames.contains(key) else {
        throw .invalidPayload(field: "aps.alert.\(key.cutOff())", why: "there is no such key")
      }
    }
    let title = try line(node, "title", "title-loc-key", "title-loc-args")
    let body = try line(node, "body", "loc-key", "loc-args")
    guard title != nil || body != nil else {
      throw .invalidPayload(field: "aps.alert.title", why: "it is missing")
    }
    let sound = try inner(node, "sound") ?? outerSound
    return try checking(.alert) { () throws(InvalidValue) in
      try Alert(title: title ?? "", body: body ?? "", sound: sound)
    }
  }

  private func inner(_ alert: JSONNode, _ name: String) throws(SchedulerError) -> String? {
    guard let node = alert[name], !node.isNull else { return nil }
    guard let text = node.string else {
      throw .invalidPayload(field: "aps.alert.\(name)", why: "it is not a text")
    }
    return text
  }

  /// A text, or a key to be translated with its arguments. Linux has no table for the key: it is the
  /// text itself, as where an app has no translation.
  private func line(
    _ alert: JSONNode, _ name: String, _ keyName: String, _ argumentsName: String
  ) throws(SchedulerError) -> String? {
    if let node = alert[name], node.kind == .object {
      guard let key = node["loc-key"]?.string else {
        throw .invalidPayload(field: "aps.alert.\(name).loc-key", why: "it is missing")
      }
      return Self.fill(key, Self.texts(node["loc-args"]))
    }
    if let text = try inner(alert, name) { return text }
    return try inner(alert, keyName).map { Self.fill($0, Self.texts(alert[argumentsName])) }
  }

  private static func texts(_ node: JSONNode?) -> [String] {
    guard let node, node.kind == .array else { return [] }
    return node.elements.map { $0.string ?? $0.text?.string ?? "" }
  }

  /// Puts the arguments in the places of `%@` and `%2$@`; `%%` is a percent sign.
  private static func fill(_ format: String, _ arguments: [String]) -> String {
    var out = ""
    var next = 0
    var rest = Substring(format)
    while let percent = rest.firstIndex(of: "%") {
      out += rest[..<percent]
      rest = rest[percent...].dropFirst()
      if rest.hasPrefix("%") {
        out += "%"
        rest = rest.dropFirst()
      } else if rest.hasPrefix("@") {
        out += arguments.indices.contains(next) ? arguments[next] : "%@"
        next += 1
        rest = rest.dropFirst()
      } else {
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        let after = rest[digits.endIndex...]
        if let place = Int(digits), after.hasPrefix("$@"),
          arguments.indices.contains(place - 1)
        {
          out += arguments[place - 1]
          rest = after.dropFirst(2)
        } else {
          out += "%"
        }
      }
    }
    return out + rest
  }
}
