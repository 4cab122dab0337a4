public import JSON
public import LiveActivity

/// `Get`: reads one session.
public struct GetParameters: SchedulerCall {
  /// The Activity ID.
  public var id: ActivityID
  /// Which session, a past one too; the last where there is none.
  public var session: Int64?
  /// Whose it is; the caller's where there is none.
  public var owner: UserID?

  /// Reads the last session of an ID.
  public init(id: ActivityID) { self.id = id }

  /// What `Get` replies.
  public typealias Reply = ActivityReply
  /// The method's full name.
  public static let method = SchedulerMethod.get.name

  private enum Key: Int, FieldKey {
    case id, session, owner
    static let names = fieldNames()
  }

  /// Reads the parameters.
  public init(decoding parameters: JSONNode) throws(SchedulerError) {
    let fields = try FieldReader<Key>(call: parameters)
    id = try fields.required(.id, fields.id(.id))
    session = try fields.int(.session)
    owner = try fields.user(.owner)
  }

  /// Writes the members.
  public func encode(_ writer: inout JSONWriter) {
    writer.member("id", id.text)
    writer.member("session", session)
    writer.member("owner", owner)
  }
}

/// `List`: reads sessions, live ones by default, the next deadline first.
public struct ListParameters: SchedulerCall {
  /// Those in these states.
  public var states: [ActivityState]?
  /// Those of this application.
  public var application: String?
  /// Those in this channel.
  public var channel: String?
  /// Whose they are; the caller's where there is none.
  public var owner: UserID?
  /// Whether those of every owner are meant; not with `owner`.
  public var everyOwner = false

  /// Reads the caller's live ones.
  public init() {}

  /// The method's full name.
  public static let method = SchedulerMethod.list.name

  private enum Key: Int, FieldKey {
    case states, application, channel, owner, everyOwner
    static let names = fieldNames()
  }

  /// Reads the parameters.
  public init(decoding parameters: JSONNode) throws(SchedulerError) {
    let fields = try FieldReader<Key>(call: parameters)
    states = try fields.array(.states, decodeChoice)
    application = try fields.name(.application)
    channel = try fields.name(.channel)
    owner = try fields.user(.owner)
    everyOwner = try fields.everyOwner(.everyOwner, owner: owner)
  }

  /// Writes the members.
  public func encode(_ writer: inout JSONWriter) {
    writer.member("states", states?.map(\.name))
    writer.member("application", application)
    writer.member("channel", channel)
    writer.member("owner", owner)
    writer.flag("everyOwner", everyOwner)
  }

  /// What `List` replies, as often as it takes.
  public struct Reply: SchedulerReply {
    /// Some of the sessions.
    public var activities: [Activity]

    /// A reply.
    public init(activities: [Activity]) { self.activities = activities }

    private enum Key: Int, FieldKey {
      case activities
      static let names = fieldNames()
    }

    /// Reads the parameters.
    public init(decoding parameters: JSONNode) throws(SchedulerError) {
      let fields = try FieldReader<Key>(reply: parameters)
      activities = try fields.required(.activities, fields.array(.activities, decodeActivity))
    }

    /// Writes the members.
    public func encode(_ writer: inout JSONWriter) {
      writer.key("activities")
      writer.beginArray()
      for activity in activities { activity.encode(&writer) }
      writer.endArray()
    }
  }
}

/// `History`: reads events, the oldest first.
public struct HistoryParameters: SchedulerCall {
  /// Those of this ID.
  public var id: ActivityID?
  /// Those of this session; only with an ID.
  public var session: Int64?
  /// Whose they are; the caller's where there is none.
  public var owner: UserID?
  /// Whether those of every owner are meant; not with `owner`.
  public var everyOwner = false
  /// From this date on.
  public var sinceDate: WallTime?
  /// Up to this date.
  public var untilDate: WallTime?

  /// Reads the caller's.
  public init() {}

  /// The method's full name.
  public static let method = SchedulerMethod.history.name

  private enum Key: Int, FieldKey {
    case id, session, owner, everyOwner, sinceDate, untilDate
    static let names = fieldNames()
  }

  /// Reads the parameters.
  public init(decoding parameters: JSONNode) throws(SchedulerError) {
    let fields = try FieldReader<Key>(call: parameters)
    id = try fields.id(.id)
    try fields.exclude(id == nil, .session)
    session = try fields.int(.session)
    owner = try fields.user(.owner)
    everyOwner = try fields.everyOwner(.everyOwner, owner: owner)
    sinceDate = try fields.date(.sinceDate)
    untilDate = try fields.date(.untilDate)
  }

  /// Writes the members.
  public func encode(_ writer: inout JSONWriter) {
    writer.member("id", id?.text)
    writer.member("session", session)
    writer.member("owner", owner)
    writer.flag("everyOwner", everyOwner)
    writer.member("sinceDate", sinceDate)
    writer.member("untilDate", untilDate)
  }

  /// What `History` replies, as often as it takes.
  public struct Reply: SchedulerReply {
    /// Some of the events.
    public var events: [ActivityEvent]

    /// A reply.
    public init(events: [ActivityEvent]) { self.events = events }

    private enum Key: Int, FieldKey {
      case events
      static let names = fieldNames()
    }

    /// Reads the parameters.
    public init(decoding parameters: JSONNode) throws(SchedulerError) {
      let fields = try FieldReader<Key>(reply: parameters)
      events = try fields.required(.events, fields.array(.events, decodeEvent))
    }

    /// Writes the members.
    public func encode(_ writer: inout JSONWriter) {
      writer.key("events")
      writer.beginArray()
      for event in events { event.encode(&writer) }
      writer.endArray()
    }
  }
}
