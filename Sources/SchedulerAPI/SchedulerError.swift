public import JSON
public import LiveActivity
public import Varlink

/// The errors of `io.lasched.LiveActivities`, and those that any Varlink service has.
public enum SchedulerError: Error, Hashable, Sendable {
  /// The owner has no activity of that ID.
  case noSuchActivity(id: String)
  /// There is no such alert for the caller.
  case noSuchAlert(sequence: Int64)
  /// The activity has no such action.
  case noSuchAction(String)
  /// A session of that ID is live.
  case activityExists(id: String, session: Int64, state: ActivityState)
  /// The session is over.
  case activityOver(id: String, session: Int64, state: ActivityState, reason: Reason?)
  /// The activity does not repeat, or has no occurrence left.
  case noNextOccurrence(id: String)
  /// The session has started, so its start cannot be moved.
  case alreadyStarted(id: String, session: Int64, state: ActivityState)
  /// It is not the session meant, or has changed since.
  case conflict(id: String, session: Int64, sequence: Int64)
  /// The start is not ahead.
  case startDateNotInFuture(startDate: WallTime, now: WallTime)
  /// A date is none, or does not fit with others; `field` is its path.
  case invalidDate(field: String, value: String, why: String)
  /// A later update was applied already.
  case outdated(timestamp: WallTime, applied: WallTime)
  /// Remote updates were cut off.
  case remoteUpdatesStopped(id: String)
  /// Attributes and content state are too large together.
  case payloadTooLarge(bytes: Int64, limit: Int64)
  /// Nothing can wake the machine, and what needs that is refused.
  case wakeUnavailable(why: String)
  /// The owner has as many activities as a user may have.
  case tooManyActivities(limit: Int64)
  /// The caller asks too often.
  case tooManyRequests(retryAfter: TimeSpan)
  /// The caller may not do that.
  case notPermitted(why: String)
  /// The owner takes no requests of that type or application.
  case activitiesDisabled(attributesType: String?, application: String?)
  /// Nothing can be stored at the moment.
  case storeUnavailable(why: String)
  /// No token that is valid for that (`io.lasched.Push`): unknown and void ones look the same.
  case invalidToken
  /// A payload of a push is not as it must be; `field` is a path in it.
  case invalidPayload(field: String, why: String)
  /// The activity has not started, so it has no token yet.
  case notStarted(id: String)
  /// The owner has as many push-to-start tokens as a user may have.
  case tooManyTokens(limit: Int64)
  /// An error of `org.varlink.service`.
  case service(VarlinkServiceError)
  /// An error that this version does not know.
  case other(name: String, parameters: JSONText)

  static func invalidParameter(_ path: String) -> SchedulerError {
    .service(.invalidParameter(path))
  }
}

extension SchedulerError: CustomStringConvertible {
  /// One line for a person.
  public var description: String {
    switch self {
    case .noSuchActivity(let id): "there is no activity '\(id)'"
    case .noSuchAlert(let sequence): "there is no alert \(sequence)"
    case .noSuchAction(let action): "the activity has no action '\(action)'"
    case .activityExists(let id, let session, let state):
      "'\(id)' is \(state.name) already (session \(session))"
    case .activityOver(let id, let session, let state, let reason):
      "'\(id)' is \(state.name) (session \(session)\(reason.map { ", \($0.name)" } ?? ""))"
    case .noNextOccurrence(let id): "'\(id)' does not repeat, or no occurrence of it is left"
    case .alreadyStarted(let id, let session, let state):
      "'\(id)' has started and is \(state.name) (session \(session)), so its start stays"
    case .conflict(let id, let session, let sequence):
      "'\(id)' has changed: it is at session \(session), sequence \(sequence)"
    case .startDateNotInFuture(let start, let now):
      "the start \(start.rfc3339) is not ahead: it is \(now.rfc3339)"
    case .invalidDate(let field, let value, let why): "\(field) '\(value)': \(why)"
    case .outdated(let timestamp, let applied):
      "the timestamp \(timestamp.rfc3339) is older than the last one applied, \(applied.rfc3339)"
    case .remoteUpdatesStopped(let id): "remote updates of '\(id)' were stopped"
    case .payloadTooLarge(let bytes, let limit):
      "attributes and content state have \(bytes) bytes; at most \(limit) are taken"
    case .tooManyActivities(let limit):
      "there are \(limit) activities, the most that a user may have; end or cancel some"
    case .tooManyRequests(let retryAfter):
      "too many requests; try again in \(max(1, retryAfter.microseconds / 1000)) ms"
    case .notPermitted(let why): "not permitted: \(why)"
    case .activitiesDisabled(let type, let application):
      "activities\(type.map { " of type '\($0)'" } ?? "")"
        + "\(application.map { " of '\($0)'" } ?? "") are disabled"
    case .wakeUnavailable(let why): "it cannot wake this machine: \(why)"
    case .storeUnavailable(let why): "nothing can be stored: \(why)"
    case .invalidToken: "no token that is valid for this"
    case .invalidPayload(let field, let why): "\(field): \(why)"
    case .notStarted(let id): "'\(id)' has not started; it gets a token when it has"
    case .tooManyTokens(let limit):
      "there are push-to-start tokens for \(limit) types and applications, the most that a user "
        + "may have; void some"
    case .service(let error): error.description
    case .other(let name, let parameters): "\(name) \(parameters.string)"
    }
  }
}
