public import JSON
public import LiveActivity

/// `Update`: changes content. `content` replaces all of it; the others change what they name.
public struct UpdateParameters: SchedulerCall {
  /// Which activities.
  public var address: Address
  /// Only if this is the current session; not with a channel.
  public var session: Int64?
  /// Only if nothing has changed since this event; not with a channel.
  public var ifSequence: Int64?
  /// The new content; a stale date or relevance score beside it is part of it.
  public var content: Content?
  /// A merge patch of the state (RFC 7396), an object; not with `content`.
  public var patch: JSONText?
  /// The new stale date, without `content`.
  public var staleDate: WallTime?
  /// The new relevance score, without `content`.
  public var relevanceScore: Double?
  /// What a person is told.
  public var alert: Alert?
  /// The caller's own date of the content.
  public var timestamp: WallTime?
  /// Whose they are; the caller's where there is none.
  public var owner: UserID?
  /// Whether those of every owner are meant; not with `owner`.
  public var everyOwner = false
  /// When it is to be applied, without anybody asking again; a span counts from the start. Not with
  /// a timestamp.
  public var due: Moment?
  /// Whether updates that were planned before are taken back.
  public var discardsPlanned = false

  /// Whether it is about what is to come rather than about now.
  public var isPlan: Bool { due != nil || discardsPlanned }

  /// Changes nothing.
  public init(_ address: Address) { self.address = address }

  /// What `Update` replies.
  public typealias Reply = AppliedReply
  /// The method's full name.
  public static let method = SchedulerMethod.update.name

  private enum Key: Int, FieldKey {
    case id, channel, session, ifSequence, content, patch, staleDate, relevanceScore, alert
    case timestamp, owner, everyOwner, at, afterUSec, discardPlanned
    static let names = fieldNames()
  }

  /// Reads the parameters.
  public init(decoding parameters: JSONNode) throws(SchedulerError) {
    let fields = try FieldReader<Key>(call: parameters)
    address = try fields.address(.id, .channel, single: .session, .ifSequence)
    session = try fields.int(.session)
    ifSequence = try fields.int(.ifSequence)
    content = try fields.nested(.content, decodeContent)
    try fields.exclude(content != nil, .patch)
    try fields.exclude(content?.staleDate != nil, .staleDate)
    try fields.exclude(content?.relevanceScore != nil, .relevanceScore)
    patch = try fields.object(.patch)
    staleDate = try fields.date(.staleDate)
    relevanceScore = try fields.double(.relevanceScore)
    if var whole = content {
      // Named beside the content they are part of it: there is one form of each update.
      whole.staleDate = whole.staleDate ?? staleDate
      whole.relevanceScore = whole.relevanceScore ?? relevanceScore
      (content, staleDate, relevanceScore) = (whole, nil, nil)
    }
    alert = try fields.nested(.alert, decodeAlert)
    timestamp = try fields.date(.timestamp)
    owner = try fields.user(.owner)
    everyOwner = try fields.everyOwner(.everyOwner, owner: owner)
    due = try fields.moment(.at, .afterUSec)
    discardsPlanned = try fields.bool(.discardPlanned) ?? false
    try fields.exclude(isPlan, .timestamp)
    // What only takes back says nothing new.
    let isNew = content != nil || patch != nil || relevanceScore != nil || staleDate != nil
    if discardsPlanned, due == nil, isNew || alert != nil { throw fields.invalid(.discardPlanned) }
  }

  /// Writes the members.
  public func encode(_ writer: inout JSONWriter) {
    writer.members(address)
    writer.member("session", session)
    writer.member("ifSequence", ifSequence)
    writer.member("content", content)
    writer.member("patch", patch)
    writer.member("staleDate", staleDate)
    writer.member("relevanceScore", relevanceScore)
    writer.member("alert", alert)
    writer.member("timestamp", timestamp)
    writer.member("owner", owner)
    writer.flag("everyOwner", everyOwner)
    writer.member("at", due?.date)
    writer.member("afterUSec", due?.span)
    writer.flag("discardPlanned", discardsPlanned)
  }
}

/// What `Update` and `End` reply.
public struct AppliedReply: SchedulerReply {
  /// To how many activities it was applied.
  public var applied: Int64
  /// How many refused it.
  public var skipped: Int64

  /// A reply.
  public init(applied: Int64, skipped: Int64) {
    self.applied = applied
    self.skipped = skipped
  }

  private enum Key: Int, FieldKey {
    case applied, skipped
    static let names = fieldNames()
  }

  /// Reads the parameters.
  public init(decoding parameters: JSONNode) throws(SchedulerError) {
    let fields = try FieldReader<Key>(reply: parameters)
    applied = try fields.required(.applied, fields.int(.applied))
    skipped = try fields.required(.skipped, fields.int(.skipped))
  }

  /// Writes the members.
  public func encode(_ writer: inout JSONWriter) {
    writer.member("applied", applied)
    writer.member("skipped", skipped)
  }
}
