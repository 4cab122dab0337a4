public import JSON
public import LiveActivity

/// `End`: ends sessions, with final content and an alert if given.
public struct EndParameters: SchedulerCall {
  /// Which activities.
  public var address: Address
  /// Only if this is the current session; not with a channel.
  public var session: Int64?
  /// The final content; a relevance score beside it is part of it.
  public var content: Content?
  /// A merge patch of the state (RFC 7396), an object; not with `content`.
  public var patch: JSONText?
  /// The new relevance score, without `content`.
  public var relevanceScore: Double?
  /// What a person is told.
  public var alert: Alert?
  /// What becomes of them afterwards.
  public var dismissal: DismissalPolicy?
  /// The caller's own date of the content.
  public var timestamp: WallTime?
  /// Whose they are; the caller's where there is none.
  public var owner: UserID?
  /// Whether those of every owner are meant; not with `owner`.
  public var everyOwner = false

  /// Ends with the default policy.
  public init(_ address: Address) { self.address = address }

  /// What `End` replies.
  public typealias Reply = AppliedReply
  /// The method's full name.
  public static let method = SchedulerMethod.end.name

  private enum Key: Int, FieldKey {
    case id, channel, session, content, patch, relevanceScore, alert, dismissal, timestamp, owner
    case everyOwner
    static let names = fieldNames()
  }

  /// Reads the parameters.
  public init(decoding parameters: JSONNode) throws(SchedulerError) {
    let fields = try FieldReader<Key>(call: parameters)
    address = try fields.address(.id, .channel, single: .session)
    session = try fields.int(.session)
    content = try fields.nested(.content, decodeContent)
    try fields.exclude(content != nil, .patch)
    try fields.exclude(content?.relevanceScore != nil, .relevanceScore)
    patch = try fields.object(.patch)
    relevanceScore = try fields.double(.relevanceScore)
    if var whole = content {
      whole.relevanceScore = whole.relevanceScore ?? relevanceScore
      (content, relevanceScore) = (whole, nil)
    }
    alert = try fields.nested(.alert, decodeAlert)
    dismissal = try fields.nested(.dismissal, decodeDismissal)
    timestamp = try fields.date(.timestamp)
    owner = try fields.user(.owner)
    everyOwner = try fields.everyOwner(.everyOwner, owner: owner)
  }

  /// Writes the members.
  public func encode(_ writer: inout JSONWriter) {
    writer.members(address)
    writer.member("session", session)
    writer.member("content", content)
    writer.member("patch", patch)
    writer.member("relevanceScore", relevanceScore)
    writer.member("alert", alert)
    writer.member("dismissal", dismissal)
    writer.member("timestamp", timestamp)
    writer.member("owner", owner)
    writer.flag("everyOwner", everyOwner)
  }
}
