public import JSON
public import LiveActivity

/// `Cancel`: gone at once, whatever the state.
public struct CancelParameters: SchedulerCall {
  /// Which activities.
  public var address: Address
  /// Only if this is the current session; not with a channel.
  public var session: Int64?
  /// Whose they are; the caller's where there is none.
  public var owner: UserID?
  /// Whether those of every owner are meant; not with `owner`.
  public var everyOwner = false
  /// Whether a series goes on: then this occurrence alone is cancelled.
  public var onlyThis = false

  /// Cancels those.
  public init(_ address: Address) { self.address = address }

  /// What `Cancel` replies.
  public typealias Reply = CancelReply
  /// The method's full name.
  public static let method = SchedulerMethod.cancel.name

  private enum Key: Int, FieldKey {
    case id, channel, session, owner, everyOwner, this
    static let names = fieldNames()
  }

  /// Reads the parameters.
  public init(decoding parameters: JSONNode) throws(SchedulerError) {
    let fields = try FieldReader<Key>(call: parameters)
    address = try fields.address(.id, .channel, single: .session)
    session = try fields.int(.session)
    owner = try fields.user(.owner)
    everyOwner = try fields.everyOwner(.everyOwner, owner: owner)
    onlyThis = try fields.bool(.this) ?? false
  }

  /// Writes the members.
  public func encode(_ writer: inout JSONWriter) {
    writer.members(address)
    writer.member("session", session)
    writer.member("owner", owner)
    writer.flag("everyOwner", everyOwner)
    writer.flag("this", onlyThis)
  }
}

/// What `Cancel` replies.
public struct CancelReply: SchedulerReply {
  /// How many were cancelled.
  public var applied: Int64
  /// How many refused it.
  public var skipped: Int64
  /// How many were pending.
  public var pending: Int64 = 0
  /// How many were active.
  public var active: Int64 = 0
  /// How many were stale.
  public var stale: Int64 = 0
  /// How many were ended.
  public var ended: Int64 = 0

  /// A reply; the states that the cancel found are set afterwards.
  public init(applied: Int64, skipped: Int64) {
    self.applied = applied
    self.skipped = skipped
  }

  private enum Key: Int, FieldKey {
    case applied, skipped, found
    static let names = fieldNames()
  }

  private enum FoundKey: Int, FieldKey {
    case pending, active, stale, ended
    static let names = fieldNames()
  }

  /// Reads the parameters.
  public init(decoding parameters: JSONNode) throws(SchedulerError) {
    let fields = try FieldReader<Key>(reply: parameters)
    applied = try fields.required(.applied, fields.int(.applied))
    skipped = try fields.required(.skipped, fields.int(.skipped))
    let found = try fields.required(.found, fields[.found])
    let counts = try FieldReader<FoundKey>(found, fields.context)
    pending = try counts.required(.pending, counts.int(.pending))
    active = try counts.required(.active, counts.int(.active))
    stale = try counts.required(.stale, counts.int(.stale))
    ended = try counts.required(.ended, counts.int(.ended))
  }

  /// Writes the members.
  public func encode(_ writer: inout JSONWriter) {
    writer.member("applied", applied)
    writer.member("skipped", skipped)
    writer.object("found") { writer in
      writer.member("pending", pending)
      writer.member("active", active)
      writer.member("stale", stale)
      writer.member("ended", ended)
    }
  }
}

/// `Stop`: cut off from remote updates; the activity stays.
public struct StopParameters: SchedulerCall {
  /// The Activity ID; every activity of the caller where there is none.
  public var id: ActivityID?
  /// Only if this is the current session; only with an ID.
  public var session: Int64?
  /// Whose they are; the caller's where there is none.
  public var owner: UserID?

  /// Stops that one, or all.
  public init(id: ActivityID? = nil) { self.id = id }

  private enum Key: Int, FieldKey {
    case id, session, owner
    static let names = fieldNames()
  }

  /// Reads the parameters.
  public init(decoding parameters: JSONNode) throws(SchedulerError) {
    let fields = try FieldReader<Key>(call: parameters)
    id = try fields.id(.id)
    try fields.exclude(id == nil, .session)
    session = try fields.int(.session)
    owner = try fields.user(.owner)
  }

  /// Writes the members.
  public func encode(_ writer: inout JSONWriter) {
    writer.member("id", id?.text)
    writer.member("session", session)
    writer.member("owner", owner)
  }

  /// The method's full name.
  public static let method = SchedulerMethod.stop.name

  /// What `Stop` replies.
  public struct Reply: SchedulerReply {
    /// To how many activities it was applied.
    public var applied: Int64

    /// A reply.
    public init(applied: Int64) { self.applied = applied }

    private enum Key: Int, FieldKey {
      case applied
      static let names = fieldNames()
    }

    /// Reads the parameters.
    public init(decoding parameters: JSONNode) throws(SchedulerError) {
      let fields = try FieldReader<Key>(reply: parameters)
      applied = try fields.required(.applied, fields.int(.applied))
    }

    /// Writes the members.
    public func encode(_ writer: inout JSONWriter) { writer.member("applied", applied) }
  }
}
