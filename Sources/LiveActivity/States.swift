/// Where a session is in its life.
public enum ActivityState: UInt8, CaseIterable, Sendable {
  /// Its start date is ahead.
  case pending
  /// It has started and its content is current.
  case active
  /// It has started and its stale date has passed.
  case stale
  /// It is over and still shown.
  case ended
  /// It is over and gone.
  case dismissed

  /// Pending, active or stale.
  public var isLive: Bool { rawValue <= Self.stale.rawValue }
  /// Active or stale.
  public var isRunning: Bool { self == .active || self == .stale }
  /// The name in the interface.
  public var name: String {
    switch self {
    case .pending: "pending"
    case .active: "active"
    case .stale: "stale"
    case .ended: "ended"
    case .dismissed: "dismissed"
    }
  }
}

/// Why a session left the stage.
public enum Reason: UInt8, CaseIterable, Sendable {
  /// By End, or by its own end date.
  case ended
  /// By Cancel.
  case cancelled
  /// By a newer session under its ID.
  case replaced
  /// After the longest time that a session may be active.
  case timeLimit
  /// Its start came too late to be of use.
  case missed
  /// A person took it away.
  case dismissedByPerson
  /// The connection that it was bound to closed.
  case ownerGone

  /// The name in the interface.
  public var name: String {
    switch self {
    case .ended: "ended"
    case .cancelled: "cancelled"
    case .replaced: "replaced"
    case .timeLimit: "timeLimit"
    case .missed: "missed"
    case .dismissedByPerson: "dismissedByPerson"
    case .ownerGone: "ownerGone"
    }
  }
}

/// What an event says happened.
public enum EventKind: UInt8, CaseIterable, Sendable {
  /// A session was created.
  case scheduled
  /// Dates or alerts of a live session changed.
  case rescheduled
  /// The start date was reached.
  case started
  /// Content changed.
  case updated
  /// The stale date was reached.
  case stale
  /// A stale session is current again.
  case fresh
  /// The session is over.
  case ended
  /// The session is gone.
  case dismissed
  /// A person used an action.
  case action
  /// Remote updates are refused from here on.
  case remoteUpdatesStopped
  /// An alert was shown, failed, expired or was withdrawn.
  case alertSettled
  /// An alert was put off, or comes again.
  case alertSnoozed
  /// Requests are taken or refused from here on.
  case enabledChanged
  /// The wall clock was set.
  case clockStepped
  /// A person is told that the start is near.
  case reminded
  /// Content that is to change at a set time was taken, or taken back.
  case updatePlanned
  /// An alert was shown on a person's terminal, which settles nothing.
  case alertShown
  /// An occurrence of a series was left out.
  case skipped

  /// The name in the interface.
  public var name: String {
    switch self {
    case .scheduled: "scheduled"
    case .rescheduled: "rescheduled"
    case .started: "started"
    case .updated: "updated"
    case .stale: "stale"
    case .fresh: "fresh"
    case .ended: "ended"
    case .dismissed: "dismissed"
    case .action: "action"
    case .remoteUpdatesStopped: "remoteUpdatesStopped"
    case .alertSettled: "alertSettled"
    case .alertSnoozed: "alertSnoozed"
    case .enabledChanged: "enabledChanged"
    case .clockStepped: "clockStepped"
    case .reminded: "reminded"
    case .updatePlanned: "updatePlanned"
    case .alertShown: "alertShown"
    case .skipped: "skipped"
    }
  }
}

/// How a program means to update an activity from elsewhere; ActivityKit's `PushType`.
public enum PushKind: UInt8, CaseIterable, Sendable {
  /// By tokens of it.
  case token
  /// By the channel that it listens to.
  case channel
}

/// What became of an alert.
public enum AlertOutcome: UInt8, CaseIterable, Sendable {
  /// A person was shown it.
  case shown
  /// It could not be shown.
  case failed
  /// Nobody showed it within its time to live.
  case expired
  /// Its session was cancelled, replaced, dismissed by a person, or ended first.
  case withdrawn

  /// The name in the interface.
  public var name: String {
    switch self {
    case .shown: "shown"
    case .failed: "failed"
    case .expired: "expired"
    case .withdrawn: "withdrawn"
    }
  }
}
