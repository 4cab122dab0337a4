public import JSON
public import LiveActivity

/// `Monitor`: watches, from now on or from where an earlier watch left off.
public struct MonitorParameters: SchedulerCall {
  /// Only these IDs.
  public var ids: [ActivityID]?
  /// Only this application.
  public var application: String?
  /// The last event seen; with the `store` that it was seen in.
  public var since: Int64?
  /// The store of an earlier `ready`.
  public var store: String?
  /// Whose they are; the caller's where there is none.
  public var owner: UserID?
  /// Whether those of every owner are meant; not with `owner`.
  public var everyOwner = false
  /// Whether the caller shows alerts to its user.
  public var alerts = false

  /// Watches the caller's.
  public init() {}

  /// The method's full name.
  public static let method = SchedulerMethod.monitor.name

  private enum Key: Int, FieldKey {
    case ids, application, since, store, owner, everyOwner, alerts
    static let names = fieldNames()
  }

  /// Reads the parameters.
  public init(decoding parameters: JSONNode) throws(SchedulerError) {
    let fields = try FieldReader<Key>(call: parameters)
    ids = try fields.array(.ids) { (node, context) throws(SchedulerError) in
      let text = try decodeString(node, context)
      do throws(InvalidValue) {
        return try ActivityID(text)
      } catch {
        throw context.invalid(node)
      }
    }
    application = try fields.name(.application)
    since = try fields.int(.since)
    store = try fields.string(.store)
    owner = try fields.user(.owner)
    everyOwner = try fields.everyOwner(.everyOwner, owner: owner)
    alerts = try fields.bool(.alerts) ?? false
  }

  /// Writes the members.
  public func encode(_ writer: inout JSONWriter) {
    writer.member("ids", ids?.map(\.text))
    writer.member("application", application)
    writer.member("since", since)
    writer.member("store", store)
    writer.member("owner", owner)
    writer.flag("everyOwner", everyOwner)
    writer.flag("alerts", alerts)
  }

  /// What `Monitor` replies, again and again.
  public typealias Reply = MonitorReply
}

/// What `Monitor` replies, again and again.
public enum MonitorReply: SchedulerReply {
  /// A session as it is, before `ready`.
  case snapshot(Activity)
  /// Something that happened.
  case event(ActivityEvent)
  /// All that was there is told: up to event `sequence` of `store`. `resumed`: as the events that
  /// were missed, not as snapshots.
  case ready(sequence: Int64, store: String, resumed: Bool)

  private enum Key: Int, FieldKey {
    case snapshot, event, ready
    static let names = fieldNames()
  }

  private enum ReadyKey: Int, FieldKey {
    case sequence, store, resumed
    static let names = fieldNames()
  }

  /// Reads the parameters.
  public init(decoding parameters: JSONNode) throws(SchedulerError) {
    let fields = try FieldReader<Key>(reply: parameters)
    if let activity = try fields.nested(.snapshot, decodeActivity) {
      self = .snapshot(activity)
    } else if let event = try fields.nested(.event, decodeEvent) {
      self = .event(event)
    } else {
      let node = try fields.required(.ready, fields[.ready])
      let ready = try FieldReader<ReadyKey>(node, fields.context)
      self = .ready(
        sequence: try ready.required(.sequence, ready.int(.sequence)),
        store: try ready.required(.store, ready.string(.store)),
        resumed: try ready.required(.resumed, ready.bool(.resumed)))
    }
  }

  /// Writes the members.
  public func encode(_ writer: inout JSONWriter) {
    switch self {
    case .snapshot(let activity):
      writer.key("snapshot")
      activity.encode(&writer)
    case .event(let event):
      writer.key("event")
      event.encode(&writer)
    case .ready(let sequence, let store, let resumed):
      writer.object("ready") { writer in
        writer.member("sequence", sequence)
        writer.member("store", store)
        writer.member("resumed", resumed)
      }
    }
  }
}
