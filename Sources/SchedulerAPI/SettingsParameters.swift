public import JSON
public import LiveActivity

/// `SetEnabled`: whether later requests of an owner are taken: all, or those of one type or
/// application.
public struct SetEnabledParameters: SchedulerCall {
  /// Whether they are taken.
  public var enabled: Bool
  /// Those of this type.
  public var attributesType: String?
  /// Those of this application.
  public var application: String?
  /// Whose they are; the caller's where there is none.
  public var owner: UserID?

  /// All requests of the caller.
  public init(enabled: Bool) { self.enabled = enabled }

  /// What `SetEnabled` replies.
  public typealias Reply = EmptyReply
  /// The method's full name.
  public static let method = SchedulerMethod.setEnabled.name

  private enum Key: Int, FieldKey {
    case enabled, attributesType, application, owner
    static let names = fieldNames()
  }

  /// Reads the parameters.
  public init(decoding parameters: JSONNode) throws(SchedulerError) {
    let fields = try FieldReader<Key>(call: parameters)
    enabled = try fields.required(.enabled, fields.bool(.enabled))
    attributesType = try fields.attributesType(.attributesType)
    application = try fields.name(.application)
    owner = try fields.user(.owner)
  }

  /// Writes the members.
  public func encode(_ writer: inout JSONWriter) {
    writer.member("enabled", enabled)
    writer.member("attributesType", attributesType)
    writer.member("application", application)
    writer.member("owner", owner)
  }
}

/// `GetStatus`: reads the clock, and counts of what the caller may see.
public struct GetStatusParameters: SchedulerCall {
  /// Whether every owner's are counted.
  public var everyOwner = false
  /// Whose `activitiesEnabled` is asked for: of this type.
  public var attributesType: String?
  /// Whose `activitiesEnabled` is asked for: of this application.
  public var application: String?
  /// Whether the store is looked through, which reads all of it; for the daemon's owner and admins.
  public var checkStore = false

  /// Counts the caller's.
  public init() {}

  /// What `GetStatus` replies.
  public typealias Reply = ServiceStatus
  /// The method's full name.
  public static let method = SchedulerMethod.getStatus.name

  private enum Key: Int, FieldKey {
    case everyOwner, attributesType, application, checkStore
    static let names = fieldNames()
  }

  /// Reads the parameters.
  public init(decoding parameters: JSONNode) throws(SchedulerError) {
    let fields = try FieldReader<Key>(call: parameters)
    everyOwner = try fields.bool(.everyOwner) ?? false
    attributesType = try fields.attributesType(.attributesType)
    application = try fields.name(.application)
    checkStore = try fields.bool(.checkStore) ?? false
  }

  /// Writes the members.
  public func encode(_ writer: inout JSONWriter) {
    writer.flag("everyOwner", everyOwner)
    writer.member("attributesType", attributesType)
    writer.member("application", application)
    writer.flag("checkStore", checkStore)
  }
}

/// What `GetStatus` replies.
public struct ServiceStatus: SchedulerReply {
  /// The daemon's clock.
  public var now: WallTime
  /// The daemon's version.
  public var version: String
  /// The store's random name.
  public var store: String
  /// The last event's number.
  public var sequence: Int64
  /// How many are pending.
  public var pending: Int64 = 0
  /// How many are active or stale.
  public var active: Int64 = 0
  /// How many are ended.
  public var ended: Int64 = 0
  /// When something is next due.
  public var nextDate: WallTime?
  /// Whether requests are taken.
  public var activitiesEnabled = true
  /// How many agents show alerts.
  public var alertAgents: Int64 = 0
  /// What the store has that must not be, a line each; nil where it was not looked through.
  public var storeFindings: [String]?
  /// The machine's zone, which floating starts follow; nil where it cannot be read.
  public var zone: String?
  /// The version of the machine's tzdata; nil where that is not known.
  public var tzdata: String?
  /// Why nothing can wake the machine, in one line; nil where it can be woken.
  public var wakeProblem: String?
  /// When an activity next wakes the machine, or would if it could.
  public var nextWakeDate: WallTime?

  /// A status; the counts are set afterwards.
  public init(now: WallTime, version: String, store: String, sequence: Int64) {
    self.now = now
    self.version = version
    self.store = store
    self.sequence = sequence
  }

  private enum Key: Int, FieldKey {
    case now, version, store, sequence, pending, active, ended, nextDate, activitiesEnabled
    case alertAgents, storeFindings, zone, tzdata, wakeProblem, nextWakeDate
    static let names = fieldNames()
  }

  /// Reads the parameters.
  public init(decoding parameters: JSONNode) throws(SchedulerError) {
    let fields = try FieldReader<Key>(reply: parameters)
    now = try fields.required(.now, fields.date(.now))
    version = try fields.required(.version, fields.string(.version))
    store = try fields.required(.store, fields.string(.store))
    sequence = try fields.required(.sequence, fields.int(.sequence))
    pending = try fields.required(.pending, fields.int(.pending))
    active = try fields.required(.active, fields.int(.active))
    ended = try fields.required(.ended, fields.int(.ended))
    nextDate = try fields.date(.nextDate)
    activitiesEnabled = try fields.required(.activitiesEnabled, fields.bool(.activitiesEnabled))
    alertAgents = try fields.required(.alertAgents, fields.int(.alertAgents))
    storeFindings = try fields.array(.storeFindings, decodeString)
    zone = try fields.string(.zone)
    tzdata = try fields.string(.tzdata)
    wakeProblem = try fields.string(.wakeProblem)
    nextWakeDate = try fields.date(.nextWakeDate)
  }

  /// Writes the members.
  public func encode(_ writer: inout JSONWriter) {
    writer.member("now", now)
    writer.member("version", version)
    writer.member("store", store)
    writer.member("sequence", sequence)
    writer.member("pending", pending)
    writer.member("active", active)
    writer.member("ended", ended)
    writer.member("nextDate", nextDate)
    writer.member("activitiesEnabled", activitiesEnabled)
    writer.member("alertAgents", alertAgents)
    writer.member("storeFindings", storeFindings)
    writer.member("zone", zone)
    writer.member("tzdata", tzdata)
    writer.member("wakeProblem", wakeProblem)
    writer.member("nextWakeDate", nextWakeDate)
  }
}
