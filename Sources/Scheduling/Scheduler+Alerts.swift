public import LiveActivity
internal import TimingWheel

extension Scheduler {
  /// The alerts that nobody has settled, oldest first, with those put off.
  public var unsettledAlerts: [OutboxEntry] {
    outbox.entries.values.sorted { $0.sequence < $1.sequence }
  }

  /// An alert that nobody has settled, by number.
  public func unsettledAlert(_ sequence: Int64) -> OutboxEntry? { outbox.entries[sequence] }

  /// An event carries an alert: it waits for somebody to show it.
  mutating func offer(
    _ sequence: Int64, _ source: AlertSource, _ slot: UInt32, _ session: Session,
    person: UserID? = nil
  ) {
    let entry = OutboxEntry(
      sequence: sequence, original: sequence, slot: slot, first: session.first,
      owner: session.owner, source: source,
      deadline: .elapsed(after(limits.alertTimeToLive, from: now.boottime)),
      isShared: session.isShared, person: person, isSnoozed: false, settledBy: [])
    putAlert(sequence, entry)
    // Root's are for the whole machine; the limit is an ordinary user's.
    if session.owner != .root, outbox.count(of: session.owner) > limits.unsettledAlertsPerUser,
      let oldest = outbox.oldest(of: session.owner)
    {
      settle(oldest, .expired, by: nil)
    }
  }

  mutating func putAlert(_ sequence: Int64, _ entry: OutboxEntry?) {
    undoLog.append(
      .alert(sequence, outbox.entries[sequence], outbox.timer(of: sequence)))
    outbox.put(sequence, entry)
    armAlert(sequence)
    outboxChanges.append((sequence, entry))
  }

  /// Arms an alert's timer by its deadline; one that stands there already keeps its place.
  mutating func armAlert(_ sequence: Int64, forGood: Bool = false) {
    let old = outbox.timer(of: sequence)
    let clock: Timers.Clock
    let tick: Int64?
    switch outbox.entries[sequence]?.deadline {
    case .elapsed(let instant):
      (clock, tick) = (.boottime, instant.microseconds.tick)
    case .date(let date), .carried(let date):
      (clock, tick) = (.wall, date.microseconds.tick)
    case nil, .some(.none), .fromStart:
      (clock, tick) = (old?.clock ?? .wall, nil)
    }
    if let old, old.clock != clock {
      _ = alertTimers.set(old.clock, old.handle, to: nil, token: 0, forGood: forGood)
    }
    guard let tick, let place = old?.place ?? outbox.makeToken(for: sequence) else {
      if let old { _ = alertTimers.set(clock, old.handle, to: nil, token: 0, forGood: forGood) }
      outbox.dropTimer(of: sequence, forGood: forGood)
      return
    }
    let handle = alertTimers.set(
      clock, old?.clock == clock ? old?.handle ?? .none : .none, to: tick,
      token: place, forGood: forGood)
    outbox.setTimer(of: sequence, Outbox.Timer(place: place, clock: clock, handle: handle))
  }

  /// An alert's deadline has been reached: it expires, or it comes again.
  mutating func fireAlert(_ sequence: Int64) {
    guard let entry = outbox.entries[sequence], entry.deadline.isReached(at: now) else {
      armAlert(sequence)
      return
    }
    guard entry.isSnoozed else {
      settle(sequence, .expired, by: nil)
      return
    }
    let due = entry.deadline.date(at: now)
    putAlert(sequence, nil)
    guard var session = current(entry) else { return }
    let state = session.state
    record(
      .alertSnoozed, entry.slot, &session, from: state, isChange: false, person: entry.person
    ) { event in
      event.due = due
      event.lateness = due.map {
        max(0, event.at.wall.microseconds.subtractingClamped($0.microseconds))
      }
      event.alert = entry.source
      event.alertSequence = entry.original
    }
  }

  private func current(_ entry: OutboxEntry) -> Session? {
    guard sessions.first(entry.slot) == entry.first else { return nil }
    return sessions.load(entry.slot)
  }

  /// An alert is settled; of a wider audience, for one person, and it goes on waiting for others.
  mutating func settle(_ sequence: Int64, _ outcome: AlertOutcome, by: UserID?) {
    guard var entry = outbox.entries[sequence] else { return }
    if entry.isShared, entry.person == nil, let by, outcome == .shown || outcome == .failed {
      entry.settledBy.append(by)
      putAlert(sequence, entry)
    } else {
      putAlert(sequence, nil)
    }
    guard var session = current(entry) else { return }
    let state = session.state
    record(.alertSettled, entry.slot, &session, from: state, isChange: false) { event in
      event.by = by
      event.alertSequence = entry.original
      event.outcome = outcome
    }
  }

  /// Nobody is to be told any more.
  mutating func withdraw(_ alerts: [Int64], by: UserID?) {
    for sequence in alerts where outbox.entries[sequence] != nil {
      settle(sequence, .withdrawn, by: by)
    }
  }

  /// Nobody is to be told any more of what a session has to say.
  public mutating func withdrawAlerts(_ slot: UInt32, by: UserID?, at reading: ClockReading) {
    observe(reading)
    withdraw(outbox.alerts(ofSession: sessions.first(slot)), by: by)
  }

  /// What an agent did with an alert, for the person it runs for. Of a settled one: no effect.
  public mutating func confirmAlert(
    _ sequence: Int64, _ outcome: AlertOutcome, by person: UserID, at reading: ClockReading
  ) {
    observe(reading)
    guard let entry = outbox.entries[sequence], entry.isOpen(for: person) else { return }
    settle(sequence, outcome, by: person)
  }

  /// An alert was shown on a person's terminal. That settles nothing: an agent of theirs is offered
  /// it all the same.
  public mutating func noteAlertShown(
    _ sequence: Int64, to person: UserID, at reading: ClockReading
  ) {
    observe(reading)
    guard let entry = outbox.entries[sequence], entry.isOpen(for: person),
      var session = current(entry)
    else { return }
    let state = session.state
    record(.alertShown, entry.slot, &session, from: state, isChange: false) { event in
      event.by = person
      event.alertSequence = entry.original
      event.outcome = .shown
    }
  }

  /// A person puts an alert off; `source` tells where its text stands, should it be settled
  /// already. Returns when it comes again.
  public mutating func snoozeAlert(
    _ sequence: Int64, source: AlertSource, slot: UInt32, for span: TimeSpan, by person: UserID,
    at reading: ClockReading
  ) throws(Refusal) -> WallTime {
    observe(reading)
    var session = sessions.load(slot)
    guard session.state != .dismissed else {
      throw .activityOver(session: session.number, state: session.state, reason: session.reason)
    }
    let instant = BootTime(
      microseconds: after(span, from: now.boottime).microseconds.roundedUpToMillisecond)
    let due = WallTime(microseconds: instant.microseconds.addingClamped(now.offset))
    guard span.microseconds > 0 else {
      throw .invalidDate(field: "forUSec", value: now.wall, why: "it is not ahead")
    }
    try checkRange(due, "forUSec")
    let state = session.state
    record(.alertSnoozed, slot, &session, from: state, isChange: false) { event in
      event.by = person
      event.due = due
      event.alertSequence = sequence
    }
    // The one put off is the person's; for others of a wider audience the alert itself waits on.
    if var waiting = outbox.entries[sequence], !waiting.isSnoozed {
      if waiting.isShared, waiting.person == nil {
        if !waiting.settledBy.contains(person) { waiting.settledBy.append(person) }
        putAlert(sequence, waiting)
      } else {
        putAlert(sequence, nil)
      }
    }
    for other in outbox.alerts(ofSession: session.first) {
      guard let entry = outbox.entries[other], entry.isSnoozed else { continue }
      if entry.original == sequence, entry.person == person { putAlert(other, nil) }
    }
    let key = session.last
    var snoozed = OutboxEntry(
      sequence: key, original: sequence, slot: slot, first: session.first, owner: session.owner,
      source: source, deadline: .elapsed(instant), isShared: session.isShared, person: person,
      isSnoozed: true, settledBy: [])
    // As an alarm clock would. Reminders do not wake, nor do others of a wider audience.
    snoozed.wakes = session.wakes && person == session.owner && source.field != .reminder
    putAlert(key, snoozed)
    return due
  }
}
