public import LiveActivity

/// One life of an Activity ID, as the core keeps it: fixed fields only. Payloads stay in the
/// store, in the rows that are named here.
public struct Session: Hashable, Sendable {
  /// The user it belongs to.
  public var owner: UserID
  /// Which life of the ID, from 1.
  public var number: UInt32
  /// Where it is in its life.
  public var state: ActivityState
  /// Why it first left the stage.
  public var reason: Reason?

  /// The event that created it; it names the session for ever.
  public var first: Int64
  /// The last event that changed it.
  public var sequence: Int64
  /// The last event about it, alerts and actions included.
  public var last: Int64
  /// The event that holds the request in force: attributes, actions, audience, application.
  public var requestRow: Int64
  /// The event that holds the content state.
  public var contentRow: Int64
  /// The event that holds the start alert; 0 where there is none.
  public var alertRow: Int64
  /// The event that holds the end alert; 0 where there is none.
  public var endAlertRow: Int64
  /// The last update or end that came with a timestamp; 0 where there is none.
  public var timestampRow: Int64

  /// The event that holds the wall time that its start was asked for as; 0 where it was not.
  public var localRow: Int64 = 0

  /// When it starts; once started, its nominal date.
  public var start: Term
  /// The last date at which a late start is of use.
  public var startBy: Term
  /// When its content counts as out of date.
  public var stale: Term
  /// When it ends by itself; once ended, the date that was.
  public var end: Term
  /// While it runs, its nominal start: what spans from the start count from, whatever the wall
  /// clock does.
  public var origin: Term
  /// When it is dismissed, once ended, by the date of its policy.
  public var dismissal: Term
  /// How long it may be active, then how long it may stay ended.
  public var limit: Term

  /// When it became active.
  public var startedDate: WallTime?
  /// How late it became active, in microseconds.
  public var lateness: Int64?
  /// When it ended.
  public var endedDate: WallTime?
  /// The timestamp of the last timestamped update applied.
  public var timestamp: WallTime?
  /// The channel that it listens to.
  public var channel: String?
  /// What few sessions have: at most one element, so that the others pay eight bytes for it.
  private var asides: [Aside] = []

  /// Whether updates by token and by other users are taken.
  public var remoteUpdates: Bool
  /// Whether it ends with the connection that made it.
  public var isBound: Bool
  /// Whether its audience is wider than its owner.
  public var isShared: Bool
  /// Whether a request has changed it since the one that made it.
  public var isChanged: Bool
  /// Whether its start is to wake the machine.
  public var wakes = false
  /// Whether a cancel took it away; its reason is why it left the stage before that.
  public var isCancelled: Bool

  /// A session as its `scheduled` event makes it.
  init(owner: UserID, number: UInt32, first: Int64, start: Term) {
    self.owner = owner
    self.number = number
    self.first = first
    self.start = start
    state = .pending
    sequence = first
    last = first
    requestRow = first
    contentRow = first
    alertRow = 0
    endAlertRow = 0
    timestampRow = 0
    startBy = .none
    stale = .none
    end = .none
    origin = .none
    dismissal = .none
    limit = .none
    remoteUpdates = true
    isBound = false
    isShared = false
    isChanged = false
    isCancelled = false
  }

  /// What few sessions have.
  public var aside: Aside {
    get { asides.first ?? Aside() }
    set { asides = newValue.isEmpty ? [] : [newValue] }
  }

  /// Whether it has any of that.
  var hasAside: Bool { !asides.isEmpty }

  /// The nominal start date by a reading of the clocks.
  public func startDate(at reading: ClockReading) -> WallTime? { start.date(at: reading) }

  /// The date that spans from the start count from, by a reading of the clocks.
  func nominalStart(at reading: ClockReading) -> WallTime? {
    origin.date(at: reading) ?? start.date(at: reading)
  }

  /// The end date by a reading of the clocks.
  public func endDate(at reading: ClockReading) -> WallTime? {
    end.date(at: reading, start: start.date(at: reading))
  }

  /// The stale date by a reading of the clocks.
  public func staleDate(at reading: ClockReading) -> WallTime? {
    stale.date(at: reading, start: start.date(at: reading))
  }

  /// The start-by date by a reading of the clocks.
  public func startByDate(at reading: ClockReading) -> WallTime? {
    startBy.date(at: reading, start: start.date(at: reading))
  }

  /// The dismissal date by a reading of the clocks, once ended: the earlier of policy and limit.
  public func dismissalDate(at reading: ClockReading) -> WallTime? {
    guard state == .ended || state == .dismissed else { return nil }
    let date = dismissal.date(at: reading)
    guard let latest = limit.date(at: reading) else { return date }
    return date.map { min($0, latest) } ?? latest
  }

  /// Visits the terms that can come due in its state, in the order in which they go at one instant.
  @inline(__always)
  func visitTerms(_ visit: (Deadline, Term) -> Void) {
    if state == .pending { visit(.start, start) }
    if hasAside { visitAside(visit) }
    switch state {
    case .pending:
      break
    case .active:
      visit(.stale, stale)
      visit(.end, end)
      visit(.limit, limit)
    case .stale:
      visit(.end, end)
      visit(.limit, limit)
    case .ended:
      visit(.dismissal, dismissal)
      visit(.dismissal, limit)
    case .dismissed:
      break
    }
    if hasAside { visitNext(visit) }
  }

  /// Its next deadline on each clock.
  var nextDeadlines: (wall: WallTime?, boottime: BootTime?) {
    var wall: WallTime?
    var boottime: BootTime?
    visitTerms { _, term in
      switch term {
      case .none, .fromStart: break
      case .date(let date), .carried(let date):
        if wall.map({ date < $0 }) ?? true { wall = date }
      case .elapsed(let instant):
        if boottime.map({ instant < $0 }) ?? true { boottime = instant }
      }
    }
    return (wall, boottime)
  }

  /// The earliest deadline that has been reached; of those at one instant the first in the order of
  /// a life.
  func due(at reading: ClockReading) -> (deadline: Deadline, date: WallTime)? {
    var due: (deadline: Deadline, date: WallTime)?
    visitTerms { deadline, term in
      guard term.isReached(at: reading), let date = term.date(at: reading) else { return }
      // Nobody is reminded of a start that has come.
      if deadline == .reminder, start.isReached(at: reading) { return }
      if due.map({ date < $0.date }) ?? true { due = (deadline, date) }
    }
    return due
  }

  /// The next date at which time itself changes it, by a reading of the clocks.
  public func nextDate(at reading: ClockReading) -> WallTime? {
    var next: WallTime?
    visitTerms { _, term in
      guard let date = term.date(at: reading) else { return }
      if next.map({ date < $0 }) ?? true { next = date }
    }
    return next
  }
}

/// What comes due in a session.
enum Deadline {
  case start
  case reminder
  case planned
  case stale
  case end
  case limit
  case dismissal
  case next
}

extension Session {
  /// Whether a term still waits on the wall clock for this boot's first sync.
  var hasCarried: Bool {
    var terms = [start, startBy, stale, end, origin, dismissal, limit]
    if let series = aside.series { terms += [series.slot, series.next] }
    return (terms + aside.planned.map(\.due)).contains {
      if case .carried = $0 { true } else { false }
    }
  }

  /// Puts another term in the place of each.
  mutating func mapTerms(_ change: (Term) -> Term) {
    start = change(start)
    startBy = change(startBy)
    stale = change(stale)
    end = change(end)
    origin = change(origin)
    dismissal = change(dismissal)
    limit = change(limit)
    guard hasAside else { return }
    aside.series?.mapTerms(change)
    for index in aside.planned.indices {
      aside.planned[index].due = change(aside.planned[index].due)
    }
  }
}
