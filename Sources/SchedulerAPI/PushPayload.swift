public import JSON
public import LiveActivity

/// A payload of ActivityKit's push notifications, by Apple's rules of each event
/// (developer.apple.com, "Starting and updating Live Activities with ActivityKit push
/// notifications"): `{"aps": {…}}`.
public struct PushPayload: Hashable, Sendable {
  /// What it asks for.
  public enum Event: Hashable, Sendable {
    /// A new activity.
    case start(Start)
    /// New content.
    case update
    /// The end; the activity is dismissed at the date, if there is one.
    case end(dismissalDate: WallTime?)
  }

  /// What only a start has.
  public struct Start: Hashable, Sendable {
    /// The kind of activity.
    public var attributesType: String
    /// Its attributes.
    public var attributes: JSONText
    /// The Activity ID that the attributes name: `pushwoosh.activityId`.
    public var id: ActivityID?
    /// The channel that it is to listen to.
    public var channel: String?
  }

  /// What it asks for.
  public var event: Event
  /// The sender's own date of it.
  public var timestamp: WallTime
  /// The content state; always there with a start and an update.
  public var contentState: JSONText?
  /// When the content is out of date.
  public var staleDate: WallTime?
  /// How it compares with other activities.
  public var relevanceScore: Double?
  /// What a person is told; always there with a start.
  public var alert: Alert?

  /// Reads a payload. Throws `InvalidPayload` with the path and the reason.
  public init(_ payload: JSONText) throws(SchedulerError) {
    guard let node = try? payload.parsed(), let aps = node["aps"] else {
      throw .invalidPayload(field: "aps", why: "it is missing")
    }
    let fields = try PushFields(aps)
    timestamp = try fields.required(.timestamp, fields.date(.timestamp))
    contentState = try fields.object(.contentState)
    staleDate = try fields.date(.staleDate)
    relevanceScore = try fields.number(.relevanceScore)
    alert = try fields.alert()
    let name = try fields.required(.event, fields.text(.event))
    switch name {
    case "start": event = .start(try fields.start())
    case "update": event = .update
    case "end": event = .end(dismissalDate: try fields.date(.dismissalDate))
    default:
      throw fields.invalid(.event, "'\(name.cutOff())' is none of start, update and end")
    }
    if case .end = event {
    } else {
      try fields.exclude(.dismissalDate, "comes only with the event end")
      contentState = try fields.required(.contentState, contentState)
    }
    guard case .start = event else {
      for key in [PushFields.Key.attributesType, .attributes, .channel] {
        try fields.exclude(key, "comes only with the event start")
      }
      return
    }
    _ = try fields.required(.alert, alert)
  }
}

extension PushFields {
  /// What only a start has.
  fileprivate func start() throws(SchedulerError) -> PushPayload.Start {
    let type = try required(.attributesType, text(.attributesType))
    try checking(.attributesType) { () throws(InvalidValue) in
      try TextRules.checkName(type, "the attributes type")
    }
    let attributes = try required(.attributes, object(.attributes))
    var start = PushPayload.Start(attributesType: type, attributes: attributes)
    if let channel = try text(.channel) {
      start.channel = try checking(.channel) { () throws(InvalidValue) in
        try ActivityID(channel).text
      }
    }
    if let id = self[.attributes]?["pushwoosh"]?["activityId"], !id.isNull {
      let path = "aps.attributes.pushwoosh.activityId"
      guard let text = id.string else {
        throw .invalidPayload(field: path, why: "it is not a text")
      }
      do throws(InvalidValue) { start.id = try ActivityID(text) } catch {
        throw .invalidPayload(field: path, why: error.why)
      }
    }
    return start
  }
}
