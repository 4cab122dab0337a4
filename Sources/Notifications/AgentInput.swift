public import LiveActivity

/// Which daemon something comes from.
public enum Source: String, CaseIterable, Hashable, Sendable {
  /// The system's.
  case system
  /// The person's own.
  case user
}

/// An alert, wherever it comes from: its number is of a store.
public struct AlertKey: Hashable, Sendable {
  /// The store that numbers it.
  public let store: String
  /// The number of the event that carries it.
  public let sequence: Int64

  /// An alert.
  public init(store: String, sequence: Int64) {
    self.store = store
    self.sequence = sequence
  }
}

/// What was noted of an alert before this agent began.
public enum AlertNote: Hashable, Sendable {
  /// It was about to be shown.
  case begun
  /// The server had taken it.
  case shown
}

/// A session of one daemon.
public struct SessionKey: Hashable, Sendable {
  /// The daemon.
  public let source: Source
  /// The owner.
  public let owner: UserID
  /// The Activity ID.
  public let id: ActivityID
  /// Which session of it.
  public let session: Int64

  /// A session.
  public init(source: Source, owner: UserID, id: ActivityID, session: Int64) {
    self.source = source
    self.owner = owner
    self.id = id
    self.session = session
  }

  init(_ source: Source, _ activity: Activity) {
    self.init(
      source: source, owner: activity.owner, id: ActivityID(stored: activity.id),
      session: activity.session)
  }

  init?(_ source: Source, _ event: ActivityEvent) {
    guard let id = event.id, let owner = event.owner, let session = event.session else {
      return nil
    }
    self.init(source: source, owner: owner, id: ActivityID(stored: id), session: session)
  }
}

/// Something that the agent hears of.
public enum AgentInput: Sendable {
  /// A session as it is, before `ready`.
  case snapshot(Source, Activity)
  /// Something that happened.
  case event(Source, ActivityEvent)
  /// All that was there is told.
  case ready(Source, store: String, resumed: Bool)
  /// A daemon's now: its clock may be a test's.
  case clock(Source, WallTime)
  /// A daemon went away.
  case lost(Source)
  /// A notification server is there and has said what it can do.
  case server(NotificationServer)
  /// It went away.
  case serverGone
  /// Whether it holds notifications back.
  case inhibited(Bool)
  /// It answered the call with the bubble's number.
  case shown(UInt32)
  /// It refused the call.
  case refused(String)
  /// It did not answer in time, or went away before it did.
  case unanswered
  /// A bubble is gone.
  case closed(UInt32, CloseReason)
  /// A button was used, or `default`.
  case pressed(UInt32, key: String)
  /// Nothing but that time has passed.
  case time
}

/// Something that the agent wants done, in the order given.
public enum AgentEffect: Hashable, Sendable {
  /// Write this down durably before going on: the alert is about to be shown, or was shown.
  case note(AlertKey, AlertNote)
  /// Call `Notify`; exactly one of `shown`, `refused`, `unanswered` and `serverGone` follows.
  case notify(Notice)
  /// Call `CloseNotification`.
  case close(UInt32)
  /// `ConfirmAlert`.
  case confirm(Source, sequence: Int64, wasShown: Bool)
  /// `Act`.
  case act(SessionKey, action: String)
  /// `Dismiss`.
  case dismiss(SessionKey)
  /// `SnoozeAlert`.
  case snooze(Source, sequence: Int64, TimeSpan)
  /// Run a program and its arguments as the person.
  case run([String])
  /// Open an address.
  case open(String)
  /// Say in the log.
  case say(String)
}
