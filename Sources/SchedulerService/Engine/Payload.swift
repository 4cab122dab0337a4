internal import ActivityStore
internal import JSON
internal import LiveActivity
internal import Scheduling

/// What a row's body holds: a request, content, alerts, an action, each where the event had one.
struct Payload {
  /// The row itself.
  let row: EventRow
  let body: JSONNode?

  init(_ row: EventRow) throws(JSONError) {
    self.row = row
    body = row.body.isEmpty ? nil : try JSONNode(validating: row.body)
  }

  /// The request in force from this row on.
  var request: JSONNode? { body?["request"] }

  /// The content state and the relevance score that this row holds.
  var content: (state: JSONText, relevanceScore: Double?) {
    let node = body?["content"] ?? request?["content"]
    return (node?["state"]?.text ?? .emptyObject, node?["relevanceScore"]?.double)
  }

  /// The text of one of its alerts.
  func alert(_ field: AlertSource.Field) -> Alert? {
    switch field {
    case .startAlert, .alert, .reminder: Alert(stored: body?["alert"] ?? request?["alert"])
    case .endAlert: Alert(stored: body?["endAlert"] ?? request?["endAlert"])
    }
  }

  /// The action that a person used.
  var action: String? { body?["action"]?.string }

  /// What a planned update merges into the content state.
  var patch: JSONText? { body?["patch"]?.text }

  /// The relevance score that a planned update sets, without other content.
  var relevanceScore: Double? { body?["relevanceScore"]?.double }

  /// The update as it was asked for, for comparison with another.
  var update: JSONText? { body?["update"]?.text }

  /// The end as it was asked for, for comparison with another.
  var end: JSONText? { body?["end"]?.text }

  /// What was enabled or disabled.
  var enabled: (isEnabled: Bool, attributesType: String?, application: String?)? {
    guard let isEnabled = body?["enabled"]?.bool else { return nil }
    return (isEnabled, body?["attributesType"]?.string, body?["application"]?.string)
  }

  /// Who the request's audience comes to: users by uid, groups by gid.
  var audience: ResolvedAudience { ResolvedAudience(stored: body?["audience"]) }
}

extension Alert {
  /// An alert that was checked when it was stored.
  fileprivate init?(stored node: JSONNode?) {
    guard let node, let title = node["title"]?.string, let body = node["body"]?.string else {
      return nil
    }
    let urgency = node["urgency"].flatMap { text in
      Urgency.allCases.first { text.equals($0.name) }
    }
    guard
      let alert = try? Alert(
        title: title, body: body, sound: node["sound"]?.string, urgency: urgency)
    else { return nil }
    self = alert
  }
}

/// An audience by the numbers that the kernel knows people by.
struct ResolvedAudience: Hashable, Sendable {
  var isEveryone = false
  var users: Set<UInt32> = []
  var groups: Set<UInt32> = []

  init() {}

  fileprivate init(stored node: JSONNode?) {
    guard let node, node.kind == .object else { return }
    isEveryone = node["everyone"]?.bool ?? false
    users = Self.numbers(node["users"])
    groups = Self.numbers(node["groups"])
  }

  private static func numbers(_ node: JSONNode?) -> Set<UInt32> {
    guard let node, node.kind == .array else { return [] }
    return Set(node.elements.compactMap { $0.int64.flatMap(UInt32.init(exactly:)) })
  }

  /// Whether a peer is among it.
  func includes(_ peer: Peer) -> Bool {
    isEveryone || users.contains(peer.user.rawValue) || !groups.isDisjoint(with: peer.groups)
  }

  /// Whether it names anybody.
  var isEmpty: Bool { !isEveryone && users.isEmpty && groups.isEmpty }

  /// Its form in a row's body.
  func write(_ writer: inout JSONWriter) {
    if isEveryone { writer.member("everyone", true) }
    for (name, numbers) in [("users" as StaticString, users), ("groups", groups)]
    where !numbers.isEmpty {
      writer.key(name)
      writer.beginArray()
      for number in numbers.sorted() { writer.int(Int64(number)) }
      writer.endArray()
    }
  }
}
