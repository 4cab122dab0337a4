public import LiveActivity

extension Scheduler {
  // MARK: Reminders

  /// A reminder is due, or several: the one nearest to the start speaks for all.
  mutating func remind(_ slot: UInt32, _ session: inout Session) {
    var due = now.wall
    var told: Int?
    for index in session.aside.reminders.indices
    where session.aside.reminders[index].state == .ahead {
      let term = session.aside.reminders[index].term(before: session.start)
      guard term.isReached(at: now) else { break }
      session.aside.reminders[index].state = .skipped
      due = term.date(at: now) ?? now.wall
      told = index
    }
    if let told { session.aside.reminders[told].state = .told }
    let late = lateness(since: due)
    let alert = session.alertRow
    let before = reminderAlerts(session)
    record(.reminded, slot, &session, from: session.state, isChange: false) { event in
      event.due = due
      event.lateness = late
      if alert != 0 { event.alert = AlertSource(row: alert, field: .reminder) }
    }
    withdraw(before, by: nil)
  }

  /// The reminders of a session that nobody has settled, those put off too.
  func reminderAlerts(_ session: Session) -> [Int64] {
    outbox.alerts(ofSession: session.first).filter {
      outbox.entries[$0]?.source.field == .reminder
    }
  }

  /// A reminder repeats the start alert: there has to be one.
  func checkReminders(_ session: Session) throws(Refusal) {
    guard session.hasAside, !session.aside.reminders.isEmpty, session.alertRow == 0 else { return }
    throw .invalidDate(
      field: "remindersUSec", value: session.startDate(at: now) ?? now.wall,
      why: "a reminder repeats the start alert, and there is none")
  }

  // MARK: Planned updates

  /// Takes an update that is to come by itself, after those that are there or in their place;
  /// without a date only takes back.
  public mutating func plan(
    _ target: Target, _ command: PlanCommand, by: UserID, at reading: ClockReading
  ) throws(Refusal) {
    observe(reading)
    var session = try meant(target)
    guard session.state.isLive else {
      throw .activityOver(session: session.number, state: session.state, reason: session.reason)
    }
    if by != session.owner, !session.remoteUpdates { throw .remoteUpdatesStopped }
    if command.discards { session.aside.planned = [] }
    if let rule = command.due {
      let due = rule.term.counted(from: session.state.isRunning ? session.origin : .none)
      try checkPlanned(due, session)
      session.aside.planned.append(
        SessionUpdate(
          due: due, row: nextSequence, by: by, change: command.change, stale: command.stale,
          hasAlert: command.hasAlert))
    }
    session.isChanged = true
    let state = session.state
    record(.updatePlanned, target.slot, &session, from: state) { $0.by = by }
  }

  private func checkPlanned(_ due: Term, _ session: Session) throws(Refusal) {
    let start = session.nominalStart(at: now) ?? now.wall
    guard let date = due.date(at: now, start: start) else { return }
    func refuse(_ why: String) -> Refusal { .invalidDate(field: "at", value: date, why: why) }
    if date <= now.wall { throw refuse("it is not ahead: it is \(now.wall.rfc3339)") }
    try checkRange(date, "at")
    if let end = session.end.date(at: now, start: start), date > end {
      throw refuse("it is after the end, \(end.rfc3339)")
    }
    let latest = start.microseconds.addingClamped(limits.active.microseconds)
    if date.microseconds > latest.roundedUpToMillisecond {
      throw refuse("an activity runs for at most \(limits.active.microseconds / 1_000_000) s")
    }
    if session.aside.planned.count >= PlannedUpdate.most {
      throw refuse("\(PlannedUpdate.most) updates are planned already")
    }
  }

  /// A planned update is due: it changes content as a request of now would.
  mutating func applyPlanned(_ slot: UInt32, _ session: inout Session, due: WallTime) {
    let dates = session.aside.planned.map { $0.due.date(at: now) ?? .latest }
    guard let date = dates.min(), let index = dates.firstIndex(of: date) else { return }
    let update = session.aside.planned.remove(at: index)
    let late = lateness(since: due)
    let row = nextSequence
    let source = PlannedSource(
      row: update.row, contentBefore: session.contentRow, isMerged: update.change == .merged)
    switch update.change {
    case .none: break
    case .whole: session.contentRow = update.row
    case .merged: session.contentRow = row
    }
    apply(update.stale, to: &session)
    let state = session.state
    if state == .pending, update.hasAlert { session.alertRow = update.row }
    record(.updated, slot, &session, from: state) { event in
      event.due = due
      event.lateness = late
      event.planned = source
      if update.hasAlert, state != .pending {
        event.alert = AlertSource(row: update.row, field: .alert)
      }
    }
    if state != .pending { reviewStaleness(slot, &session, by: nil) }
  }
}

/// Plans an update.
public struct PlanCommand: Sendable {
  /// When; nil where nothing is planned.
  public var due: DateRule?
  /// Whether those planned before are taken back.
  public var discards = false
  /// What it does to the content state.
  public var change = SessionUpdate.Change.none
  /// What becomes of the stale date.
  public var stale = StaleRule.keep
  /// Whether it brings an alert.
  public var hasAlert = false

  /// A plan of nothing.
  public init() {}
}
