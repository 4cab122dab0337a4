public import LiveActivity

/// Who asks.
public struct Caller: Hashable, Sendable {
  /// The user, by peer credentials; nil where it is whoever holds a token.
  public var user: UserID?
  /// Whether the limits of ordinary users do not bind: root, and members of the admin group.
  public var isPrivileged: Bool

  /// A caller.
  public init(user: UserID?, isPrivileged: Bool = false) {
    self.user = user
    self.isPrivileged = isPrivileged
  }
}

/// When a new session starts.
public enum StartRule: Hashable, Sendable {
  /// At a date.
  case at(WallTime)
  /// After an elapsed span from now.
  case after(TimeSpan)
}

/// A date, or a span from the start.
public enum DateRule: Hashable, Sendable {
  /// At a date.
  case date(WallTime)
  /// At a span from the nominal start.
  case fromStart(TimeSpan)

  var term: Term {
    switch self {
    case .date(let date):
      .date(WallTime(microseconds: date.microseconds.roundedUpToMillisecond))
    case .fromStart(let span): .fromStart(span)
    }
  }
}

/// What to do when a session of the ID is live.
public enum ExistsRule: UInt8, CaseIterable, Sendable {
  /// Refuse.
  case fail
  /// Leave it, and succeed.
  case keep
  /// Dismiss it and begin a new one.
  case replace
  /// Change it to what is asked.
  case update
}

/// Creates a session, or meets the live one.
public struct RequestCommand: Sendable {
  /// Who asks.
  public var caller: Caller
  /// Whose it is to be.
  public var owner: UserID
  /// Its ID.
  public var id: ActivityID
  /// Its type, asked about in `setEnabled`.
  public var attributesType = Activity.defaultAttributesType
  /// Its application, asked about in `setEnabled`.
  public var application: String?
  /// When it starts; nil is at once.
  public var start: StartRule?
  /// Whether that date is what a wall time comes to, which may come to another.
  public var isLocal = false
  /// Whether a start that is past is taken, and comes at once.
  public var allowsPast = false
  /// The last date at which a late start is of use.
  public var startBy: DateRule?
  /// When its content counts as out of date.
  public var stale: DateRule?
  /// When it ends by itself.
  public var end: DateRule?
  /// Whether it brings content.
  public var hasContent = false
  /// Whether it brings a start alert.
  public var hasAlert = false
  /// Whether it brings an end alert.
  public var hasEndAlert = false
  /// How long before the start a person is reminded of it; nil where it says nothing of that.
  public var reminders: [TimeSpan]?
  /// How it repeats.
  public var series: SeriesRequest?
  /// The channel it is to listen to.
  public var channel: String?
  /// Whether its audience is wider than its owner; nil where it names none.
  public var isShared: Bool?
  /// Whether its start is to wake the machine; nil where it says nothing of that.
  public var wakes: Bool?
  /// Why what is to wake the machine is refused; nil where it is not.
  public var wakeRefusal: String?
  /// Whether it ends with the connection that asks.
  public var isBound = false
  /// The sender's own date of the content, as an update has one.
  public var timestamp: WallTime?
  /// What to do when a session of the ID is live.
  public var ifExists = ExistsRule.fail
  /// Read from the store when a session is live: whether this is the request that made it.
  public var isIdentical = false
  /// Read from the store when a session is live: whether type and attributes are its own.
  public var hasSameAttributes = true

  /// A request for an ID.
  public init(caller: Caller, owner: UserID, id: ActivityID) {
    self.caller = caller
    self.owner = owner
    self.id = id
  }
}

/// Which session a command is about.
public struct Target: Sendable {
  /// The slot that `Scheduler.find` gave.
  public var slot: UInt32
  /// Only if this is the current session.
  public var session: Int64?
  /// Only if this is the last change.
  public var ifSequence: Int64?

  /// A target.
  public init(slot: UInt32, session: Int64? = nil, ifSequence: Int64? = nil) {
    self.slot = slot
    self.session = session
    self.ifSequence = ifSequence
  }
}

/// Changes when a live session starts or ends, and what is said then.
public struct RescheduleCommand: Sendable {
  /// When it is to start; a span of nothing is now.
  public var start: StartRule?
  /// Whether that date is what a wall time comes to, which may come to another.
  public var isLocal = false
  /// The new start-by date.
  public var startBy: DateRule?
  /// The new stale date.
  public var stale: DateRule?
  /// The new end date.
  public var end: DateRule?
  /// Whether it is not to end by itself any more.
  public var noEnd = false
  /// How long before the start a person is reminded of it; nil leaves that as it is.
  public var reminders: [TimeSpan]?
  /// Whether it brings another start alert.
  public var hasAlert = false
  /// Whether it brings another end alert.
  public var hasEndAlert = false

  /// A change of nothing.
  public init() {}
}

/// What becomes of the stale date in an update.
public enum StaleRule: Hashable, Sendable {
  /// It stays.
  case keep
  /// There is none any more.
  case clear
  /// It is this date.
  case set(WallTime)
}

/// Changes content.
public struct UpdateCommand: Sendable {
  /// Whether the content state is another.
  public var hasContent = false
  /// The event that holds content and alert already, where many activities share them.
  public var sharedRow: Int64?
  /// What becomes of the stale date.
  public var stale = StaleRule.keep
  /// Whether it brings an alert.
  public var hasAlert = false
  /// The caller's own date of the content.
  public var timestamp: WallTime?
  /// Read from the store where the timestamp is that of the last one applied: whether this is it.
  public var isIdentical = false

  /// An update of nothing.
  public init() {}
}

/// Ends a session.
public struct EndCommand: Sendable {
  /// Whether it brings final content.
  public var hasContent = false
  /// Whether it brings an alert.
  public var hasAlert = false
  /// What becomes of it afterwards.
  public var dismissal = DismissalPolicy.default
  /// Why: `ended`, or `ownerGone` when the connection that it was bound to closed.
  public var reason = Reason.ended
  /// The event that holds content and alert already, where many activities share them.
  public var sharedRow: Int64?
  /// What becomes of the stale date.
  public var stale = StaleRule.keep
  /// The caller's own date of the content.
  public var timestamp: WallTime?
  /// Read from the store where the timestamp is that of the last one applied: whether this is it.
  public var isIdentical = false

  /// An end with the default policy.
  public init() {}
}
