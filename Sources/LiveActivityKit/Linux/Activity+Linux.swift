public import FoundationEssentials
internal import LiveActivity
internal import SchedulerAPI

extension Activity {
  /// What the daemon knows of it beyond ActivityKit.
  public var details: ActivityDetails { ActivityDetails(session) }

  /// Takes it away at once, whatever its state; what is pending never starts. Of one that is gone
  /// already nothing happens.
  public func cancel() async throws {
    var call = CancelParameters(.id(record.key.id))
    call.session = record.key.session
    do { try await change(call) } catch let error as LiveActivityError where error.isAbsence {}
  }

  /// Moves the start, while it is pending, and the end.
  public func reschedule(
    start: Date? = nil, end: Date? = nil, alertConfiguration: AlertConfiguration? = nil
  ) async throws {
    var call = RescheduleParameters(id: record.key.id)
    call.session = record.key.session
    call.start = try start.map { .at(try WallTime($0, "the start date")) }
    call.end = try end.map { .at(try WallTime($0, "the end date")) }
    call.alert = try alertConfiguration?.alert()
    try await change(call)
  }

  /// Cuts off remote updates; the activity stays.
  public func stopRemoteUpdates() async throws {
    var call = StopParameters(id: record.key.id)
    call.session = record.key.session
    try await change(call)
  }
}

extension LiveActivityError {
  /// There is nothing to take away.
  var isAbsence: Bool { code == .activityOver || code == .noSuchActivity }
}

/// What the daemon knows of a session.
public struct ActivityDetails: Hashable, Sendable {
  /// Which life of the ID it is, counted from 1.
  public let session: Int64
  /// Why it left the stage: `ended`, `cancelled`, `replaced`, `timeLimit`, `missed`,
  /// `dismissedByPerson` or `ownerGone`.
  public let reason: String?
  /// The program that it comes from.
  public let application: String?
  /// The kind of activity: the Swift type's name.
  public let attributesType: String
  /// When it starts or nominally started.
  public let startDate: Date?
  /// When it became active.
  public let startedDate: Date?
  /// When it ends by itself.
  public let endDate: Date?
  /// What a person can do with it.
  public let actions: [ActivityOptions.Action]
  /// Who is shown it, beside its owner.
  public let audience: [String]
  /// The channel that it listens to.
  public let channel: String?
  /// Whether remote updates are taken.
  public let remoteUpdates: Bool
  /// When it is told of before its start.
  public let reminderDates: [Date]
  /// Whether a suspended machine is to wake up for its start.
  public let wakesMachine: Bool

  init(_ activity: LiveActivity.Activity) {
    session = activity.session
    reason = activity.reason?.name
    application = activity.application
    attributesType = activity.attributesType
    startDate = activity.startDate?.date
    startedDate = activity.startedDate?.date
    endDate = activity.endDate?.date
    actions = activity.actions.map { ActivityOptions.Action(name: $0.name, label: $0.label) }
    audience = activity.audience
    channel = activity.channel
    remoteUpdates = activity.remoteUpdates
    reminderDates = activity.reminders.map(\.date.date)
    wakesMachine = activity.wake
  }
}
