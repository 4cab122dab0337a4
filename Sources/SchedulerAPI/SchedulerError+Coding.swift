public import JSON
import LiveActivity
import Varlink

extension SchedulerError {
  /// The full name.
  public var name: String {
    switch self {
    case .service(let error): error.name
    case .other(let name, _): name
    case .invalidToken, .invalidPayload, .notStarted, .tooManyTokens:
      "\(PushInterface.name).\(member)"
    default: "\(LiveActivitiesInterface.name).\(member)"
    }
  }

  private var member: String {
    switch self {
    case .noSuchActivity: "NoSuchActivity"
    case .noSuchAlert: "NoSuchAlert"
    case .noSuchAction: "NoSuchAction"
    case .activityExists: "ActivityExists"
    case .activityOver: "ActivityOver"
    case .alreadyStarted: "AlreadyStarted"
    case .noNextOccurrence: "NoNextOccurrence"
    case .conflict: "Conflict"
    case .startDateNotInFuture: "StartDateNotInFuture"
    case .invalidDate: "InvalidDate"
    case .outdated: "Outdated"
    case .remoteUpdatesStopped: "RemoteUpdatesStopped"
    case .payloadTooLarge: "PayloadTooLarge"
    case .tooManyActivities: "TooManyActivities"
    case .tooManyRequests: "TooManyRequests"
    case .notPermitted: "NotPermitted"
    case .activitiesDisabled: "ActivitiesDisabled"
    case .storeUnavailable: "StoreUnavailable"
    case .wakeUnavailable: "WakeUnavailable"
    case .invalidToken: "InvalidToken"
    case .invalidPayload: "InvalidPayload"
    case .notStarted: "NotStarted"
    case .tooManyTokens: "TooManyTokens"
    case .service, .other: ""
    }
  }

  /// Writes the members of the error's parameters. What a caller sent is cut off where it is long.
  public func encode(_ writer: inout JSONWriter) {
    switch self {
    case .noSuchActivity(let id), .remoteUpdatesStopped(let id), .notStarted(let id),
      .noNextOccurrence(let id):
      writer.member("id", id.cutOff())
    case .noSuchAlert(let sequence): writer.member("sequence", sequence)
    case .noSuchAction(let action): writer.member("action", action.cutOff())
    case .activityExists(let id, let session, let state),
      .alreadyStarted(let id, let session, let state):
      writer.member("id", id)
      writer.member("session", session)
      writer.member("state", state)
    case .activityOver(let id, let session, let state, let reason):
      writer.member("id", id)
      writer.member("session", session)
      writer.member("state", state)
      writer.member("reason", reason)
    case .conflict(let id, let session, let sequence):
      writer.member("id", id)
      writer.member("session", session)
      writer.member("sequence", sequence)
    case .startDateNotInFuture(let startDate, let now):
      writer.member("startDate", startDate)
      writer.member("now", now)
    case .invalidDate(let field, let value, let why):
      writer.member("field", field)
      writer.member("value", value.cutOff())
      writer.member("why", why)
    case .outdated(let timestamp, let applied):
      writer.member("timestamp", timestamp)
      writer.member("applied", applied)
    case .payloadTooLarge(let bytes, let limit):
      writer.member("bytes", bytes)
      writer.member("limit", limit)
    case .invalidToken: break
    case .invalidPayload(let field, let why):
      writer.member("field", field.cutOff())
      writer.member("why", why.cutOff())
    case .tooManyActivities(let limit), .tooManyTokens(let limit): writer.member("limit", limit)
    case .tooManyRequests(let retryAfter): writer.member("retryAfterUSec", retryAfter.microseconds)
    case .notPermitted(let why), .storeUnavailable(let why), .wakeUnavailable(let why):
      writer.member("why", why)
    case .activitiesDisabled(let attributesType, let application):
      writer.member("attributesType", attributesType)
      writer.member("application", application)
    case .service(let error): error.encode(&writer)
    case .other(_, let parameters):
      guard let node = try? parameters.parsed() else { return }
      for member in node.members {
        writer.key(escaping: member.key.string ?? "")
        writer.node(member.value)
      }
    }
  }

  /// Writes a whole reply with the error, its closing NUL included.
  public func reply(_ writer: inout JSONWriter) { writer.varlinkError(name, encode) }

  /// Reads an error by its full name. One that this version does not know, or whose parameters are
  /// not as they must be, becomes `other`.
  public init(name: String, parameters: JSONNode) {
    if let error = VarlinkServiceError(name: name, parameters: parameters) {
      self = .service(error)
    } else if name.hasPrefix(LiveActivitiesInterface.name + "."),
      let error = try? SchedulerError.decode(
        String(name.dropFirst(LiveActivitiesInterface.name.count + 1)), parameters)
    {
      self = error
    } else if name.hasPrefix(PushInterface.name + "."),
      let error = try? SchedulerError.decodePush(
        String(name.dropFirst(PushInterface.name.count + 1)), parameters)
    {
      self = error
    } else {
      self = .other(name: name, parameters: parameters.text ?? .emptyObject)
    }
  }

  private enum Key: Int, FieldKey {
    case id, sequence, action, session, state, reason, startDate, now, field, value, why, timestamp
    case applied, bytes, limit, retryAfterUSec, attributesType, application
    static let names = fieldNames()
  }

  private static func decode(
    _ member: String, _ parameters: JSONNode
  ) throws(SchedulerError) -> SchedulerError? {
    let fields = try FieldReader<Key>(reply: parameters)
    func int(_ key: Key) throws(SchedulerError) -> Int64 {
      try fields.required(key, fields.int(key))
    }
    func text(_ key: Key) throws(SchedulerError) -> String {
      try fields.required(key, fields.string(key))
    }
    func date(_ key: Key) throws(SchedulerError) -> WallTime {
      try fields.required(key, fields.date(key))
    }
    func state() throws(SchedulerError) -> ActivityState {
      try fields.required(.state, fields.choice(.state))
    }
    switch member {
    case "NoSuchActivity": return try .noSuchActivity(id: text(.id))
    case "NoNextOccurrence": return try .noNextOccurrence(id: text(.id))
    case "NoSuchAlert": return try .noSuchAlert(sequence: int(.sequence))
    case "NoSuchAction": return try .noSuchAction(text(.action))
    case "ActivityExists":
      return try .activityExists(id: text(.id), session: int(.session), state: state())
    case "ActivityOver":
      return try .activityOver(
        id: text(.id), session: int(.session), state: state(), reason: fields.choice(.reason))
    case "AlreadyStarted":
      return try .alreadyStarted(id: text(.id), session: int(.session), state: state())
    case "Conflict":
      return try .conflict(id: text(.id), session: int(.session), sequence: int(.sequence))
    case "StartDateNotInFuture":
      return try .startDateNotInFuture(startDate: date(.startDate), now: date(.now))
    case "InvalidDate":
      return try .invalidDate(field: text(.field), value: text(.value), why: text(.why))
    case "Outdated": return try .outdated(timestamp: date(.timestamp), applied: date(.applied))
    case "RemoteUpdatesStopped": return try .remoteUpdatesStopped(id: text(.id))
    case "PayloadTooLarge":
      return try .payloadTooLarge(bytes: int(.bytes), limit: int(.limit))
    case "TooManyActivities": return try .tooManyActivities(limit: int(.limit))
    case "TooManyRequests":
      return try .tooManyRequests(retryAfter: TimeSpan(microseconds: int(.retryAfterUSec)))
    case "NotPermitted": return try .notPermitted(why: text(.why))
    case "ActivitiesDisabled":
      return try .activitiesDisabled(
        attributesType: fields.string(.attributesType), application: fields.string(.application))
    case "StoreUnavailable": return try .storeUnavailable(why: text(.why))
    case "WakeUnavailable": return try .wakeUnavailable(why: text(.why))
    default: return nil
    }
  }
}

extension SchedulerError {
  private static func decodePush(
    _ member: String, _ parameters: JSONNode
  ) throws(SchedulerError) -> SchedulerError? {
    let fields = try FieldReader<Key>(reply: parameters)
    switch member {
    case "InvalidToken": return .invalidToken
    case "InvalidPayload":
      return .invalidPayload(
        field: try fields.required(.field, fields.string(.field)),
        why: try fields.required(.why, fields.string(.why)))
    case "NotStarted": return .notStarted(id: try fields.required(.id, fields.string(.id)))
    case "TooManyTokens":
      return .tooManyTokens(limit: try fields.required(.limit, fields.int(.limit)))
    default: return nil
    }
  }
}

extension String {
  /// The text, or as much of it as fits into 512 bytes with `…` after it.
  func cutOff() -> String {
    guard utf8.count > 512 else { return self }
    var kept = ""
    for scalar in unicodeScalars {
      guard kept.utf8.count <= 504 else { break }
      kept.unicodeScalars.append(scalar)
    }
    return kept + "…"
  }
}
