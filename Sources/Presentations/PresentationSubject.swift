public import JSON
public import LiveActivity

/// What a presentation draws: an activity as it is now, and the alert of the event that is shown,
/// if one is.
public struct PresentationSubject: Sendable {
  /// An alert, as far as it is read here.
  public struct AlertText: Hashable, Sendable {
    /// The title.
    public var title: String
    /// The text below; may be empty.
    public var body: String
    /// The sound, as the caller named it.
    public var sound: String?
    /// `low`, `normal` or `critical`.
    public var urgency: String?
  }

  /// The Activity ID.
  public let id: String
  /// The uid of its owner.
  public let owner: UserID?
  /// The state, by its name in the interface; one of a newer daemon too.
  public let state: String
  /// The attributes type.
  public let type: String
  /// The program that it comes from.
  public let application: String?
  /// When it starts or started, as it was asked for.
  public let startDate: WallTime?
  /// When it did start.
  public let startedDate: WallTime?
  /// When it ends by itself.
  public let endDate: WallTime?
  /// When it did end.
  public let endedDate: WallTime?
  /// When its content is out of date.
  public let staleDate: WallTime?
  /// How much too late it started, in microseconds.
  public let lateness: Int64
  /// How it compares with others; 0 where nobody said.
  public let relevance: Double
  /// The alert of its start and the one of its end.
  let startAlert: AlertText?
  let endAlert: AlertText?
  /// The alert of the event that is shown.
  public let alert: AlertText?
  let attributes: JSONNode?
  let content: JSONNode?
  let actions: [(name: String, label: String)]

  /// An activity as the interface's JSON has it (`Activity`), and the alert of an event (`Alert`).
  /// What is missing or of an unexpected kind is left out, never an error.
  public init(_ activity: JSONNode, alert: JSONNode? = nil) {
    func date(_ node: JSONNode?) -> WallTime? {
      node?.string.flatMap { try? WallTime(rfc3339: $0) }
    }
    id = activity["id"]?.string ?? ""
    owner = activity["owner"]?.int64.flatMap { UInt32(exactly: $0) }.map { UserID($0) }
    state = activity["state"]?.string ?? ""
    type = activity["attributesType"]?.string ?? Activity.defaultAttributesType
    application = activity["application"]?.string
    startDate = date(activity["startDate"])
    startedDate = date(activity["startedDate"])
    endDate = date(activity["endDate"])
    endedDate = date(activity["endedDate"])
    let content = activity["content"]
    staleDate = date(content?["staleDate"])
    lateness = max(0, activity["latenessUSec"]?.int64 ?? 0)
    relevance = content?["relevanceScore"]?.double ?? 0
    startAlert = AlertText(activity["alert"])
    endAlert = AlertText(activity["endAlert"])
    self.alert = AlertText(alert)
    attributes = activity["attributes"]
    self.content = content?["state"]
    actions =
      activity["actions"]?.elements.compactMap { action in
        action["name"]?.string.map { ($0, action["label"]?.string ?? $0) }
      } ?? []
  }

  /// An activity, and the alert of an event.
  public init(_ activity: Activity, alert: Alert? = nil) {
    id = activity.id
    owner = activity.owner
    state = activity.state.name
    type = activity.attributesType
    application = activity.application
    startDate = activity.startDate
    startedDate = activity.startedDate
    endDate = activity.endDate
    endedDate = activity.endedDate
    staleDate = activity.content.staleDate
    lateness = max(0, activity.latenessMicroseconds ?? 0)
    relevance = activity.content.relevanceScore ?? 0
    startAlert = activity.alert.map(AlertText.init)
    endAlert = activity.endAlert.map(AlertText.init)
    self.alert = alert.map(AlertText.init)
    attributes = try? activity.attributes.parsed()
    content = try? activity.content.state.parsed()
    actions = activity.actions.map { ($0.name, $0.label) }
  }

  /// The objects in which a field is looked for, the first that has it counts.
  ///
  /// What is sent for Pushwoosh's and OneSignal's `DefaultLiveActivityAttributes` has all its values
  /// below `data`.
  func objects(_ root: PayloadRoot) -> [JSONNode] {
    guard let whole = root == .attributes ? attributes : content else { return [] }
    guard type == Activity.defaultAttributesType, let data = whole["data"], data.kind == .object
    else { return [whole] }
    return [data, whole]
  }

  func value(_ root: PayloadRoot, _ path: [PathStep]) -> JSONNode? {
    for object in objects(root) {
      if let node = object.value(at: path), !node.isNull { return node }
    }
    return nil
  }

  /// Whether it runs: active or stale.
  var isRunning: Bool { state == "active" || state == "stale" }
}

extension PresentationSubject.AlertText {
  init?(_ node: JSONNode?) {
    guard let node, let title = node["title"]?.string else { return nil }
    self.init(
      title: title, body: node["body"]?.string ?? "", sound: node["sound"]?.string,
      urgency: node["urgency"]?.string)
  }

  init(_ alert: Alert) {
    self.init(
      title: alert.title, body: alert.body, sound: alert.sound, urgency: alert.urgency?.name)
  }
}

extension JSONNode {
  func value(at path: [PathStep]) -> JSONNode? {
    var node = self
    for step in path {
      switch step {
      case .key(let key):
        guard let next = node[key] else { return nil }
        node = next
      case .index(let index):
        var elements = node.elements
        var next = elements.next()
        for _ in 0..<index where next != nil { next = elements.next() }
        guard let next else { return nil }
        node = next
      }
    }
    return node
  }
}
