public import LiveActivity

/// What one person's agent decides: what it hears goes in, what is to be done comes out. A value
/// without clock or bus; time is an argument.
///
/// One `Notify` is under way at a time: the bubble's number is in its answer, and what changes
/// meanwhile is told in the next one, newest first.
public struct NotifyAgent {
  /// What it knows beside what it is told; a new one holds from the next call on.
  public var context: NotifyContext
  var now: ClockReading
  var sources: [Source: FollowedSource] = [:]
  var bubbles: [SessionKey: Bubble] = [:]
  /// Whose the numbers of the server's bubbles are.
  var owners: [UInt32: SessionKey] = [:]
  var server: NotificationServer?
  var isInhibited = false
  /// Alerts that nobody was shown yet, in order.
  var waiting: [WaitingAlert] = []
  var notes: [AlertKey: AlertNote]
  var flight: Flight?
  /// Until when (BOOTTIME) alerts are gathered, in case they are many.
  var gatherUntil: Int64?
  /// No call before (BOOTTIME), since one has failed.
  var pauseUntil: Int64 = 0
  /// When (BOOTTIME) the last few alerts were sent.
  var recentAlerts: [Int64] = []
  var effects: [AgentEffect] = []

  /// An agent that has heard nothing yet; `notes` are those of the agents before it.
  public init(_ context: NotifyContext, notes: [AlertKey: AlertNote] = [:], at now: ClockReading) {
    self.context = context
    self.notes = notes
    self.now = now
  }

  /// Takes in what has happened at that time; returns what is to be done, in order.
  public mutating func take(_ input: AgentInput, at now: ClockReading) -> [AgentEffect] {
    self.now = now
    switch input {
    case .snapshot(let source, let activity):
      sources[source, default: FollowedSource()].snapshots[SessionKey(source, activity)] = activity
    case .event(let source, let event): take(event, source)
    case .ready(let source, let store, let resumed): becomeReady(source, store, resumed)
    case .clock(let source, let date):
      sources[source, default: FollowedSource()].setClock(date, now)
    case .lost(let source):
      sources[source]?.isReady = false
      sources[source]?.snapshots = [:]
    case .server(let server): begin(server)
    case .serverGone: loseServer()
    case .inhibited(let isInhibited): self.isInhibited = isInhibited
    case .shown(let id): wasShown(id)
    case .refused(let why): wasRefused(why)
    case .unanswered: wasUnanswered()
    case .closed(let id, let reason): wasClosed(id, reason)
    case .pressed(let id, let key): wasPressed(id, key)
    case .time: break
    }
    deliver()
    defer { effects = [] }
    return effects
  }

  /// How many alerts wait to be shown.
  public var waitingAlerts: Int { waiting.count }
}

/// An alert that waits.
struct WaitingAlert {
  let key: AlertKey
  let source: Source
  let session: SessionKey
  let kind: EventKind
  let alert: Alert
  /// When it should have been shown, by its daemon's clock.
  let due: WallTime
  /// The session as it is or last was.
  var activity: Activity
  /// How often it was sent in vain.
  var attempts = 0
  /// Whether an attempt may have got through.
  var mayHaveBeenShown = false
}

/// The bubble of a session.
struct Bubble {
  /// What it waits to be sent for, the weightiest last.
  enum Want: Int, Comparable {
    case nothing, content, show, end

    static func < (a: Want, b: Want) -> Bool { a.rawValue < b.rawValue }
  }

  /// Its number with the present server.
  var id: UInt32?
  var want = Want.nothing
  /// Whether what is shown had begun before it could be: it then says since when it is so.
  var isLateSight = false
  /// Content alone does not bring it back: the person or the server took it away, or it was told of
  /// in a summary.
  var isHidden = false
  /// It was on a server that is gone.
  var wasLost = false
  var last: Notice?
  /// When (BOOTTIME) it was sent last.
  var sentAt = Int64.min
  /// When (BOOTTIME) a text in it changes by itself.
  var tickAt: Int64?
  /// The last alert in it, which can be put off.
  var alert: AlertKey?
  /// When (BOOTTIME) the alert of its end was shown.
  var endShownAt: Int64?
  /// When (BOOTTIME) a button of it was used.
  var pressedAt: Int64?
  /// How long the server took to show it, if that was long: to be said.
  var slowness: Int64?
}

/// A `Notify` under way.
struct Flight {
  enum Purpose {
    case alert(WaitingAlert)
    case summary([WaitingAlert])
    case content(SessionKey)
    /// A summary of what is active.
    case overview
  }

  let purpose: Purpose
  let notice: Notice
  let began: Int64
  var tickAt: Int64?
  var saidSlow = false
  /// Its session has left the stage meanwhile.
  var isMoot = false

  var session: SessionKey? {
    switch purpose {
    case .alert(let alert): alert.session
    case .content(let key): key
    case .summary, .overview: nil
    }
  }
}

/// One daemon, as far as it was told of.
struct FollowedSource {
  var store = ""
  var isReady = false
  /// Whether it was ever ready.
  var isKnown = false
  var activities: [SessionKey: Activity] = [:]
  /// What was told since the connection was made.
  var snapshots: [SessionKey: Activity] = [:]
  /// When (BOOTTIME) it became ready.
  var readyAt = Int64.min
  /// The daemon's clock minus this machine's, in microseconds.
  private var offset: Int64 = 0

  /// A difference that is no more than the time that a message takes.
  private static let hair: Int64 = 500_000

  func wall(_ now: ClockReading) -> WallTime {
    WallTime(microseconds: now.wall.microseconds.addingClamped(offset))
  }

  mutating func setClock(_ date: WallTime, _ now: ClockReading) {
    let difference = date.microseconds.subtractingReportingOverflow(now.wall.microseconds)
    offset = difference.partialValue.magnitude < Self.hair ? 0 : difference.partialValue
  }

  /// Nothing happens before it is its time: the clock is at least there.
  mutating func notBefore(_ date: WallTime, _ now: ClockReading) {
    if date.microseconds > wall(now).microseconds.addingClamped(Self.hair) { setClock(date, now) }
  }
}
