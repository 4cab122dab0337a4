public import LiveActivity

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
  /// The next deadline on each clock, of sessions and of alerts; exact once the batch is kept.
  public var nextDeadlines: NextDeadlines {
    let (sessions, alerts) = (timers.next, alertTimers.next)
    return NextDeadlines(
      wall: Self.earlier(sessions.wall, alerts.wall),
      boottime: Self.earlier(sessions.boottime, alerts.boottime))
  }

  static func earlier<Time: Comparable>(_ a: Time?, _ b: Time?) -> Time? {
    guard let a else { return b }
    guard let b else { return a }
    return min(a, b)
  }

  /// Time has passed: fires what is due by the reading, oldest first, at most `limit` deadlines;
  /// returns whether more is due.
  public mutating func advance(to reading: ClockReading, limit: Int = .max) -> Bool {
    observe(reading)
    var left = limit
    while true {
      let session = timers.due(at: now)
      let alert = alertTimers.due(at: now)
      guard session != nil || alert != nil else { break }
      if left <= 0 { return true }
      // At one instant a session's deadline goes before an alert's.
      if let session, alert.map({ session.date <= $0.date }) ?? true {
        guard let (entry, slot) = timers.pop(session.clock, at: now) else { break }
        guard isLive(entry, slot: slot) else { continue }
        fire(slot)
      } else if let alert {
        guard let (entry, token) = alertTimers.pop(alert.clock, at: now) else { break }
        let sequence = outbox.sequence(token: token)
        guard isLive(entry, alert: sequence) else { continue }
        fireAlert(sequence)
      }
      left -= 1
    }
    return false
  }

  /// One deadline of a session has been reached: the earliest, and of those at one instant the
  /// first in the order of its life. The next one, due or not, is armed by what this records.
  mutating func fire(_ slot: UInt32, by: UserID? = nil) {
    var session = sessions.load(slot)
    guard let (deadline, date) = session.due(at: now) else {
      put(slot, session)
      return
    }
    switch deadline {
    case .start: start(slot, &session, due: date, by: by)
    case .reminder: remind(slot, &session)
    case .planned: applyPlanned(slot, &session, due: date)
    case .stale: becomeStale(slot, &session, due: date)
    case .end: endByItself(slot, &session, due: date, reason: .ended)
    case .limit: endByItself(slot, &session, due: date, reason: .timeLimit)
    case .dismissal: dismissByDate(slot, &session, due: date)
    case .next: makeWay(slot, &session, due: date)
    }
  }

  func lateness(since due: WallTime) -> Int64 {
    max(0, now.wall.microseconds.subtractingClamped(due.microseconds))
  }

  /// The start date was reached: it starts, late or not, unless that is of no use any more.
  mutating func start(_ slot: UInt32, _ session: inout Session, due: WallTime, by: UserID?) {
    var due = due
    if session.hasAside, var series = session.aside.series {
      due = begin(&series, of: &session, at: due)
      session.aside.series = series
    }
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
    let origin = Term.elapsed(
      BootTime(microseconds: now.boottime.microseconds.subtractingClamped(late)))
    session.state = .active
    session.startedDate = now.wall
    session.lateness = late
    session.start = .date(due)
    session.startBy = session.startBy.frozen(at: now, start: due)
    session.origin = origin
    session.stale = session.stale.counted(from: origin)
    session.end = session.end.counted(from: origin)
    var limit = after(limits.active, from: now.boottime)
    if let end {
      // A limit that was lowered since cuts no end short that was accepted.
      let instant = end.microseconds.subtractingClamped(now.offset)
      limit = max(limit, BootTime(microseconds: instant))
    }
    session.limit = .elapsed(limit)
    if session.hasAside {
      session.aside.reminders = []
      for index in session.aside.planned.indices {
        session.aside.planned[index].due = session.aside.planned[index].due.counted(from: origin)
      }
    }
    let reminders = reminderAlerts(session)
    let alert = session.alertRow
    record(.started, slot, &session, from: .pending) { event in
      event.by = by
      event.due = due
      event.lateness = late
      if alert != 0 { event.alert = AlertSource(row: alert, field: .startAlert) }
    }
    withdraw(reminders, by: nil)
  }

  func after(_ span: TimeSpan, from instant: BootTime) -> BootTime {
    BootTime(microseconds: instant.microseconds.addingClamped(span.microseconds))
  }

  mutating func becomeStale(
    _ slot: UInt32, _ session: inout Session, due: WallTime, by: UserID? = nil
  ) {
    session.state = .stale
    let late = lateness(since: due)
    record(.stale, slot, &session, from: .active) { event in
      event.by = by
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
    let late = lateness(since: nominal)
    session.stale = session.stale.frozen(at: now, start: session.startDate(at: now))
    session.end = session.end.frozen(at: now, start: session.startDate(at: now))
    session.state = .ended
    session.reason = reason
    session.endedDate = now.wall
    session.dismissal = dismissal
    session.origin = .none
    (session.aside.reminders, session.aside.planned) = ([], [])
    let end = BootTime(microseconds: now.boottime.microseconds.subtractingClamped(late))
    session.limit = .elapsed(after(limits.ended, from: end))
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
    let series = session.aside.series
    session.aside = Aside()
    session.state = .dismissed
    session.dismissal = .date(due)
    session.limit = .none
    record(.dismissed, slot, &session, from: .ended) { event in
      event.due = due
      event.lateness = late
    }
    goOn(series, after: slot, session)
  }

  /// A session leaves at once, from whatever state: its alerts are withdrawn with it. The series
  /// that it is an occurrence of goes on, unless it is to end.
  mutating func leave(
    _ slot: UInt32, _ session: inout Session, reason: Reason, by: UserID?,
    endsSeries: Bool = false, _ fill: (inout Event) -> Void = { _ in }
  ) {
    let from = session.state
    let alerts = outbox.alerts(ofSession: session.first)
    var series = endsSeries ? nil : session.aside.series
    // Somebody took it away before it came: no clock that is set back brings it again.
    if from == .pending, reason != .missed, let left = series {
      series?.skipped = lastLeftOut(left, session)
    }
    freeze(&session)
    session.state = .dismissed
    if session.reason == nil { session.reason = reason }
    session.isCancelled = reason == .cancelled
    record(.dismissed, slot, &session, from: from) { event in
      event.reason = reason
      event.by = by
      fill(&event)
    }
    withdraw(alerts, by: by)
    goOn(series, after: slot, session)
  }

  private func freeze(_ session: inout Session) {
    let start = session.startDate(at: now)
    session.stale = session.stale.frozen(at: now, start: start)
    session.end = session.end.frozen(at: now, start: start)
    session.startBy = session.startBy.frozen(at: now, start: start)
    session.start = session.start.frozen(at: now, start: nil)
    if session.state.isRunning { session.endedDate = now.wall }
    session.origin = .none
    session.aside = Aside()
    session.dismissal = .date(now.wall)
    session.limit = .none
  }
}
