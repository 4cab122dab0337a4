public import JSON

/// One session of an activity, as of the event numbered `sequence`; the interface's `Activity`.
public struct Activity: Hashable, Sendable {
  /// The Activity ID.
  public var id: String
  /// The uid of its owner.
  public var owner: UserID
  /// Which life of the ID, counted from 1.
  public var session: Int64
  /// The number of the last event that changed it.
  public var sequence: Int64
  /// Where it is in its life.
  public var state: ActivityState
  /// Why it first left the stage.
  public var reason: Reason?
  /// The program that it comes from.
  public var application: String?
  /// The kind of activity.
  public var attributesType: String
  /// Its static JSON object.
  public var attributes: JSONText
  /// Its dynamic content.
  public var content: Content
  /// What is or was told at the start.
  public var alert: Alert?
  /// What is told at an end that comes by itself.
  public var endAlert: Alert?
  /// What a person can do with it.
  public var actions: [Action]
  /// Who is shown it, beside its owner.
  public var audience: [String]
  /// The channel that it listens to.
  public var channel: String?
  /// When it starts or nominally started.
  public var startDate: WallTime?
  /// The last date at which a late start is of use.
  public var startByDate: WallTime?
  /// When it ends by itself.
  public var endDate: WallTime?
  /// When it is dismissed, once ended.
  public var dismissalDate: WallTime?
  /// When it was requested.
  public var createdDate: WallTime
  /// When it became active.
  public var startedDate: WallTime?
  /// When it ended.
  public var endedDate: WallTime?
  /// The timestamp of the last timestamped update applied.
  public var timestamp: WallTime?
  /// How late it became active, in microseconds.
  public var latenessMicroseconds: Int64?
  /// Whether updates by token and by other users are taken.
  public var remoteUpdates: Bool
  /// What a person is told before the start, the first to come first; while it is pending.
  public var reminders: [Reminder] = []
  /// The updates that are to come by themselves, the next one first.
  public var plannedUpdates: [PlannedUpdate] = []
  /// How its program means to update it from elsewhere.
  public var pushType: PushKind?
  /// The wall time that the start was asked for as, where it was.
  public var localStart: LocalStart?
  /// How it repeats.
  public var repeats: Repeat?
  /// When the occurrence after this one starts.
  public var nextStartDate: WallTime?
  /// Whether its start wakes the machine.
  public var wake = false

  /// A session with what every session has.
  public init(
    id: String, owner: UserID, session: Int64, sequence: Int64, state: ActivityState,
    attributesType: String, attributes: JSONText, content: Content, createdDate: WallTime
  ) {
    self.id = id
    self.owner = owner
    self.session = session
    self.sequence = sequence
    self.state = state
    self.attributesType = attributesType
    self.attributes = attributes
    self.content = content
    self.createdDate = createdDate
    self.actions = []
    self.audience = []
    self.remoteUpdates = true
  }

  /// The attributes type where a request names none.
  public static let defaultAttributesType = "DefaultLiveActivityAttributes"
}

/// One durable change; the interface's `Event`.
public struct ActivityEvent: Hashable, Sendable {
  /// Its number in the store; it never repeats there and has no gaps.
  public var sequence: Int64
  /// When it happened.
  public var date: WallTime
  /// When it was due, where time caused it.
  public var dueDate: WallTime?
  /// What happened.
  public var kind: EventKind
  /// The user whose request caused it.
  public var by: UserID?
  /// The Activity ID.
  public var id: String?
  /// The owner of the session.
  public var owner: UserID?
  /// Which session of the ID.
  public var session: Int64?
  /// The state before.
  public var from: ActivityState?
  /// The state after.
  public var to: ActivityState?
  /// Why the session left the stage.
  public var reason: Reason?
  /// How late it came, in microseconds.
  public var latenessMicroseconds: Int64?
  /// The start date where it changed.
  public var startDate: WallTime?
  /// The end date where it changed.
  public var endDate: WallTime?
  /// The whole session, with `scheduled`.
  public var activity: Activity?
  /// The content where it changed.
  public var content: Content?
  /// What is to be shown.
  public var alert: Alert?
  /// The alert that it is about.
  public var alertSequence: Int64?
  /// What became of that alert.
  public var alertOutcome: AlertOutcome?
  /// The action that a person used.
  public var action: String?
  /// Whether requests are taken from here on.
  public var enabled: Bool?
  /// The attributes type that `enabled` is about.
  public var attributesType: String?
  /// The application that `enabled` is about.
  public var application: String?
  /// The date that was left out of a series.
  public var skippedDate: WallTime?
  /// By how much the wall clock was set, in microseconds.
  public var stepMicroseconds: Int64?
  /// The wall time that the start date comes from, with `rescheduled`.
  public var localStart: LocalStart?
  /// The start date before, where it moved by itself.
  public var formerStartDate: WallTime?
  /// Why it moved by itself.
  public var cause: MoveCause?

  /// An event with what every event has.
  public init(sequence: Int64, date: WallTime, kind: EventKind) {
    self.sequence = sequence
    self.date = date
    self.kind = kind
  }
}
