public import LiveActivity

extension Scheduler {
  // MARK: Asking for one

  /// The series that a request makes, and its first start; none is at once.
  mutating func newSeries(
    _ request: SeriesRequest, start asked: StartRule?, allowsPast: Bool = false
  ) throws(Refusal) -> (series: Series, start: Term) {
    var start = Term.none
    var from: WallTime?
    if let asked { start = try startTerm(asked, allowsPast: allowsPast) }
    if case .calendar(let text, let zone) = request.rule {
      var base = now.wall
      // The start says from when on: of one that is past the dates since then have come.
      if let date = start.date(at: now) {
        base = WallTime(microseconds: date.microseconds - 1)
        from = base
      }
      guard let first = calendarDate(text, zone, after: base) else {
        throw .invalidDate(
          field: "repeat.calendar", value: base, why: "no date of '\(text)' comes after this one")
      }
      start = .date(first)
    }
    if let until = request.until, start.date(at: now) ?? now.wall > until {
      throw .invalidDate(
        field: "repeat.untilDate", value: until,
        why: "the first occurrence is later, \((start.date(at: now) ?? now.wall).rfc3339)")
    }
    var series = Series(rule: request.rule, slot: start)
    series.skipped = from
    series.until = request.until
    series.count = request.count
    return (series, start)
  }

  /// The dates of a series count from each start.
  func checkTemplate(_ template: SeriesTemplate) throws(Refusal) {
    let terms = [
      ("startByDate", template.startBy), ("staleDate", template.stale), ("endDate", template.end),
    ]
    for case (let field, .date(let date)) in terms {
      throw .invalidDate(
        field: field, value: date, why: "what repeats needs a span from the start here")
    }
  }

  // MARK: Going on

  /// The series goes on after a session that has left: its next occurrence takes its place.
  mutating func goOn(_ series: Series?, after found: UInt32, _ old: Session) {
    guard var series, !series.next.isNone, sessions.hasRoom else { return }
    let number = old.number.addingReportingOverflow(1)
    guard !number.overflow else { return }
    let template = series.template
    var session = Session(
      owner: old.owner, number: number.partialValue, first: nextSequence, start: series.next)
    session.startBy = template.startBy
    session.stale = template.stale
    session.end = template.end
    session.alertRow = template.hasAlert ? session.first : 0
    session.endAlertRow = template.hasEndAlert ? session.first : 0
    session.channel = template.channel
    session.isShared = template.isShared
    session.wakes = template.wakes
    series.made = series.made.addingClamped(1)
    series.slot = session.start
    series.next = following(series, from: series.slot)
    session.aside.series = series
    session.setReminders(template.reminders, at: now)
    guard let slot = sessions.insert(session, digest: sessions.digest(of: found)) else { return }
    undoLog.append(.inserted(slot))
    sessions.retire(found)
    sessions.makeCurrent(slot)
    undoLog.append(.madeCurrent(slot, retired: found))
    // In a boot whose clock nobody has vouched for yet, it waits for that as the one before did.
    if session.hasCarried { carried.append(.session(slot, first: session.first)) }
    var event = Event(sequence: nextSequence, kind: .scheduled, at: now)
    nextSequence += 1
    event.previous = sessions.load(found).last
    event.hasDates = true
    event.template = old.requestRow
    put(slot, session)
    event.session = session
    events.append(event)
  }

  /// The date of the next occurrence has come, and the one before is still there.
  mutating func makeWay(_ slot: UInt32, _ session: inout Session, due: WallTime) {
    let late = lateness(since: due)
    leave(slot, &session, reason: .replaced, by: nil) { event in
      event.due = due
      event.lateness = late
    }
  }

  /// An occurrence starts: which date of the rule it stands for, and which comes after it.
  mutating func begin(_ series: inout Series, of session: inout Session, at due: WallTime)
    -> WallTime
  {
    var due = due
    if session.start == series.slot {
      let reached = lastReached(series, from: series.slot)
      due = reached.date(at: now) ?? due
      session.start = reached
      series.slot = reached
      if case .every = series.rule {
        let late = lateness(since: due)
        series.slot = .elapsed(
          BootTime(microseconds: now.boottime.microseconds.subtractingClamped(late)))
      }
    }
    if case .calendar = series.rule { series.last = series.slot.date(at: now) }
    series.next = following(series, from: series.slot)
    return due
  }

  // MARK: Skipping

  /// Leaves the next occurrence out; returns its date.
  public mutating func skip(
    _ target: Target, by: UserID, at reading: ClockReading
  ) throws(Refusal) -> WallTime {
    observe(reading)
    var session = try meant(target)
    guard session.state != .dismissed else {
      throw .activityOver(session: session.number, state: session.state, reason: session.reason)
    }
    guard var series = session.aside.series else { throw .noNextOccurrence }
    let isPending = session.state == .pending
    let left = isPending ? session.start : series.next
    guard var date = left.date(at: now) else { throw .noNextOccurrence }
    // Of one that was moved nearer, the date that it stands for.
    if isPending { date = lastLeftOut(series, session) ?? date }
    series.skipped = date
    let next: Term
    if isPending {
      // What is left out does not count.
      var without = series
      without.made -= 1
      next = following(without, pendingFrom: session.start)
    } else {
      next = following(series, from: series.next)
    }
    guard isPending else {
      series.next = next
      session.aside.series = series
      let state = session.state
      record(.skipped, target.slot, &session, from: state) { event in
        event.by = by
        event.skipped = date
      }
      return date
    }
    guard !next.isNone else {
      leave(target.slot, &session, reason: .cancelled, by: by, endsSeries: true)
      return date
    }
    session.start = next
    session.localRow = 0
    series.slot = next
    series.next = following(series, from: next)
    session.aside.series = series
    session.renewReminders(at: now)
    let told = reminderAlerts(session)
    record(.skipped, target.slot, &session, from: .pending) { event in
      event.by = by
      event.skipped = date
    }
    withdraw(told, by: by)
    return date
  }

  /// Of a pending occurrence that is not to come: only dates after it do.
  func lastLeftOut(_ series: Series, _ session: Session) -> WallTime? {
    [series.slot, session.start].compactMap { $0.date(at: now) }.max()
  }

  // MARK: Clocks and zones

  /// The slots of sessions that repeat by a calendar, the oldest first.
  public var calendarSeries: [UInt32] {
    sessions.withSeries.filter { slot in
      if case .calendar = sessions.load(slot).aside.series?.rule { true } else { false }
    }
    .sorted { sessions.first($0) < sessions.first($1) }
  }

  /// The clock was set back, or the rules of a zone are others: an occurrence that is ahead gets the
  /// date that follows from what is so now. One that somebody moved stays.
  public mutating func renewSeries(_ slot: UInt32, at reading: ClockReading) {
    observe(reading)
    var session = sessions.load(slot)
    guard var series = session.aside.series, case .calendar = series.rule else { return }
    let isPending = session.state == .pending
    if isPending, session.start != series.slot { return }
    let before = (session.start, series.next)
    // None may be there because nobody knew the zone.
    if !isPending, series.next.isNone { series.next = following(series, from: series.slot) }
    let ahead = isPending ? series.slot : series.next
    guard let current = ahead.date(at: now), current > now.wall,
      let date = dueDate(series, instead: current)
    else { return }
    if isPending {
      session.start = .date(date)
      series.slot = session.start
      series.next = following(series, from: series.slot)
    } else {
      series.next = .date(date)
    }
    guard before != (session.start, series.next) else { return }
    session.aside.series = series
    let isMoved = session.start != before.0
    let told = isMoved ? reminderAlerts(session) : []
    if isMoved { session.renewReminders(at: now) }
    let state = session.state
    record(.rescheduled, slot, &session, from: state) { $0.hasDates = true }
    withdraw(told, by: nil)
  }

  /// Whether an ID is in use by a session of it: a live one, or one that a series goes on after.
  public func isInUse(_ slot: UInt32) -> Bool {
    let state = sessions.state(slot)
    return state.isLive || (state == .ended && sessions.load(slot).hasNext)
  }
}
