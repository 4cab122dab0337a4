public import LiveActivity
internal import TimingWheel

/// When to call `advance` again, by each clock; nil where nothing waits on it.
public struct NextDeadlines: Hashable, Sendable {
  /// On CLOCK_REALTIME.
  public var wall: WallTime?
  /// On CLOCK_BOOTTIME.
  public var boottime: BootTime?

  /// None on either.
  public init(wall: WallTime? = nil, boottime: BootTime? = nil) {
    self.wall = wall
    self.boottime = boottime
  }
}

extension Scheduler {
  /// The next deadline on each clock, exact, of sessions and of alerts.
  public var nextDeadlines: NextDeadlines {
    let wall = Self.earlier(onWall.nextDeadline, alertsOnWall.nextDeadline)
    let boottime = Self.earlier(onBoottime.nextDeadline, alertsOnBoottime.nextDeadline)
    return NextDeadlines(
      wall: wall.map { WallTime(microseconds: $0 * 1000) },
      boottime: boottime.map { BootTime(microseconds: $0 * 1000) })
  }

  static func earlier(_ a: Int64?, _ b: Int64?) -> Int64? {
    guard let a else { return b }
    guard let b else { return a }
    return min(a, b)
  }

  /// Time has passed: fires what is due by the reading, oldest first, at most `limit` deadlines;
  /// returns whether more is due.
  public mutating func advance(to reading: ClockReading, limit: Int = .max) -> Bool {
    observe(reading)
    var left = limit
    while let waiting = earliestDue() {
      if left <= 0 { return true }
      left -= 1
      let wall = now.wall.microseconds.tickBelow
      let boottime = now.boottime.microseconds.tickBelow
      switch waiting {
      case .sessionOnWall: onWall.popNext(upTo: wall).map { fire($0.token) }
      case .sessionOnBoottime: onBoottime.popNext(upTo: boottime).map { fire($0.token) }
      case .alertOnWall: alertsOnWall.popNext(upTo: wall).map { fireAlert(token: $0.token) }
      case .alertOnBoottime:
        alertsOnBoottime.popNext(upTo: boottime).map { fireAlert(token: $0.token) }
      }
    }
    return false
  }

  private enum Waiting {
    case sessionOnWall
    case sessionOnBoottime
    case alertOnWall
    case alertOnBoottime
  }

  /// Where the earliest due deadline waits; at one instant a session's goes before an alert's.
  private func earliestDue() -> Waiting? {
    let wall = now.wall.microseconds.tickBelow
    let boottime = now.boottime.microseconds.tickBelow
    let offset = now.offset
    var earliest: (waiting: Waiting, date: Int64)?
    func consider(_ waiting: Waiting, _ tick: Int64?, _ now: Int64, _ offset: Int64) {
      guard let tick, tick <= now else { return }
      let date = tick * 1000 + offset
      if earliest.map({ date < $0.date }) ?? true { earliest = (waiting, date) }
    }
    consider(.sessionOnWall, onWall.nextDeadline, wall, 0)
    consider(.sessionOnBoottime, onBoottime.nextDeadline, boottime, offset)
    consider(.alertOnWall, alertsOnWall.nextDeadline, wall, 0)
    consider(.alertOnBoottime, alertsOnBoottime.nextDeadline, boottime, offset)
    return earliest?.waiting
  }

  /// One deadline of a session has been reached: the earliest, and of those at one instant the
  /// first in the order of its life. The next one, due or not, is armed by what this records.
  mutating func fire(_ slot: UInt32) {
    var session = sessions.load(slot)
    guard let (deadline, date) = session.due(at: now) else {
      disarm(slot)
      arm(slot, first: false)
      return
    }
    switch deadline {
    case .start: start(slot, &session, due: date)
    case .stale: becomeStale(slot, &session, due: date)
    case .end: endByItself(slot, &session, due: date, reason: .ended)
    case .limit: endByItself(slot, &session, due: date, reason: .timeLimit)
    case .dismissal: dismissByDate(slot, &session, due: date)
    }
  }

  private func lateness(since due: WallTime) -> Int64 {
    max(0, now.wall.microseconds - due.microseconds)
  }

  /// The start date was reached: it starts, late or not, unless that is of no use any more.
  mutating func start(_ slot: UInt32, _ session: inout Session, due: WallTime) {
    let late = lateness(since: due)
    let startBy = session.startBy.date(at: now, start: due)
    let end = session.end.date(at: now, start: due)
    if startBy.map({ $0 < now.wall }) == true || end.map({ $0 <= now.wall }) == true {
      leave(slot, &session, reason: .missed, by: nil) { event in
        event.due = due
        event.lateness = late
      }
      return
    }
    let nominal = BootTime(microseconds: now.boottime.microseconds - late)
    session.state = .active
    session.startedDate = now.wall
    session.lateness = late
    session.start = .date(due)
    session.startBy = session.startBy.frozen(at: now, start: due)
    session.stale = session.stale.anchored(atStart: nominal)
    session.end = session.end.anchored(atStart: nominal)
    session.limit = .elapsed(after(limits.active, from: now.boottime))
    let alert = session.alertRow
    record(.started, slot, &session, from: .pending) { event in
      event.due = due
      event.lateness = late
      if alert != 0 { event.alert = AlertSource(row: alert, field: .startAlert) }
    }
  }

  func after(_ span: TimeSpan, from instant: BootTime) -> BootTime {
    let sum = instant.microseconds.addingClamped(span.microseconds)
    return BootTime(microseconds: sum.roundedUpToMillisecond)
  }

  mutating func becomeStale(_ slot: UInt32, _ session: inout Session, due: WallTime) {
    session.state = .stale
    let late = lateness(since: due)
    record(.stale, slot, &session, from: .active) { event in
      event.due = due
      event.lateness = late
    }
  }

  private mutating func endByItself(
    _ slot: UInt32, _ session: inout Session, due: WallTime, reason: Reason
  ) {
    let late = lateness(since: due)
    let alert = session.endAlertRow
    end(slot, &session, nominal: due, reason: reason, dismissal: .none) { event in
      event.due = due
      event.lateness = late
      if alert != 0 { event.alert = AlertSource(row: alert, field: .endAlert) }
    }
  }

  /// A running session is over from its nominal end on; what was told before is withdrawn.
  mutating func end(
    _ slot: UInt32, _ session: inout Session, nominal: WallTime, reason: Reason, dismissal: Term,
    by: UserID? = nil, _ fill: (inout Event) -> Void
  ) {
    let from = session.state
    let before = outbox.alerts(ofSession: session.first)
    let late = max(0, now.wall.microseconds - nominal.microseconds)
    session.stale = session.stale.frozen(at: now, start: session.startDate(at: now))
    session.end = session.end.frozen(at: now, start: session.startDate(at: now))
    session.state = .ended
    session.reason = reason
    session.endedDate = now.wall
    session.dismissal = dismissal
    session.limit = .elapsed(
      after(limits.ended, from: BootTime(microseconds: now.boottime.microseconds - late)))
    record(.ended, slot, &session, from: from) { event in
      event.reason = reason
      event.by = by
      fill(&event)
    }
    withdraw(before, by: by)
  }

  private mutating func dismissByDate(
    _ slot: UInt32, _ session: inout Session, due: WallTime
  ) {
    let late = lateness(since: due)
    session.state = .dismissed
    session.dismissal = .date(due)
    session.limit = .none
    record(.dismissed, slot, &session, from: .ended) { event in
      event.due = due
      event.lateness = late
    }
  }

  /// A session leaves at once, from whatever state: its alerts are withdrawn with it.
  mutating func leave(
    _ slot: UInt32, _ session: inout Session, reason: Reason, by: UserID?,
    _ fill: (inout Event) -> Void = { _ in }
  ) {
    let from = session.state
    let alerts = outbox.alerts(ofSession: session.first)
    freeze(&session)
    session.state = .dismissed
    if session.reason == nil { session.reason = reason }
    record(.dismissed, slot, &session, from: from) { event in
      event.reason = reason
      event.by = by
      fill(&event)
    }
    withdraw(alerts, by: by)
  }

  private func freeze(_ session: inout Session) {
    let start = session.startDate(at: now)
    session.stale = session.stale.frozen(at: now, start: start)
    session.end = session.end.frozen(at: now, start: start)
    session.startBy = session.startBy.frozen(at: now, start: start)
    session.start = session.start.frozen(at: now, start: nil)
    if session.state.isRunning { session.endedDate = now.wall }
    session.dismissal = .date(now.wall)
    session.limit = .none
  }
}
