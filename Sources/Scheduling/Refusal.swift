public import LiveActivity

/// Why a command was not carried out; nothing changed. The service adds the ID and the texts.
public enum Refusal: Error, Hashable, Sendable {
  /// The owner has no activity of that ID.
  case noSuchActivity
  /// Nobody asked about has such an alert.
  case noSuchAlert
  /// The activity has no such action.
  case noSuchAction
  /// A session of that ID is live.
  case activityExists(session: UInt32, state: ActivityState)
  /// The session is over.
  case activityOver(session: UInt32, state: ActivityState, reason: Reason?)
  /// The session has started, so its start cannot be changed.
  case alreadyStarted(session: UInt32, state: ActivityState)
  /// The session is not the one meant, or has changed since.
  case conflict(session: UInt32, sequence: Int64)
  /// The start is not ahead.
  case startDateNotInFuture(start: WallTime, now: WallTime)
  /// A date does not fit.
  case invalidDate(field: String, value: WallTime, why: String)
  /// An update with a later timestamp was applied before.
  case outdated(timestamp: WallTime, applied: WallTime)
  /// Updates by others are refused.
  case remoteUpdatesStopped
  /// The activity does not repeat, or has no occurrence left.
  case noNextOccurrence
  /// Nothing can wake the machine, and what needs that is refused.
  case cannotWake(why: String)
  /// The owner has as many activities as a user may have.
  case tooManyActivities(limit: Int)
  /// The owner takes no requests of that type or application.
  case activitiesDisabled(attributesType: String?, application: String?)
}
