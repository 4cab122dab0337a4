public import LiveActivity

extension Scheduler {
  /// The session meant, or why it is not.
  func meant(_ target: Target) throws(Refusal) -> Session {
    let session = sessions.load(target.slot)
    if let number = target.session, number != Int64(session.number) {
      throw .conflict(session: session.number, sequence: session.sequence)
    }
    if let sequence = target.ifSequence, sequence != session.sequence {
      throw .conflict(session: session.number, sequence: session.sequence)
    }
    return session
  }

  private func over(_ session: Session) -> Refusal {
    .activityOver(session: session.number, state: session.state, reason: session.reason)
  }

  // MARK: Reschedule

  /// Moves the dates of a live session, and the alerts that go with them.
  public mutating func reschedule(
    _ target: Target, _ command: RescheduleCommand, by: UserID, at reading: ClockReading
  ) throws(Refusal) {
    observe(reading)
    var session = try meant(target)
    guard session.state.isLive else { throw over(session) }
    let isPending = session.state == .pending
    if command.start != nil || command.hasAlert, !isPending {
      throw .alreadyStarted(session: session.number, state: session.state)
    }
    switch command.start {
    case nil: break
    case .after(let span) where span.microseconds == 0: session.start = .elapsed(now.boottime)
    case let rule?: session.start = try startTerm(rule)
    }
    if let startBy = command.startBy { session.startBy = startBy.term }
    if let stale = command.stale { session.stale = stale.term }
    if let end = command.end { session.end = end.term }
    if command.noEnd { session.end = .none }
    if let reminders = command.reminders {
      guard isPending else {
        throw .alreadyStarted(session: session.number, state: session.state)
      }
      session.setReminders(reminders, at: now)
    } else if command.start != nil {
      session.renewReminders(at: now)
    }
    let nominal = session.nominalStart(at: now) ?? now.wall
    try checkDates(
      start: nominal, startBy: isPending || command.startBy != nil ? session.startBy : .none,
      stale: isPending || command.stale != nil ? session.stale : .none,
      end: isPending ? session.end : .none)
    if !isPending, command.end != nil { try checkEndOfRunning(session, start: nominal) }
    let row = nextSequence
    if command.start != nil {
      session.localRow = command.isLocal ? row : 0
      renewNext(&session)
    }
    if command.hasAlert { session.alertRow = row }
    if command.hasEndAlert { session.endAlertRow = row }
    try checkReminders(session)
    let told = command.start == nil ? [] : reminderAlerts(session)
    session.isChanged = true
    anchorIfRunning(&session)
    let state = session.state
    record(.rescheduled, target.slot, &session, from: state) { event in
      event.by = by
      event.hasDates = true
    }
    // They tell a distance that is not true any more.
    withdraw(told, by: by)
    session = sessions.load(target.slot)
    if isPending {
      // Only what is to start now: one that is due already waits for its turn.
      if command.start != nil, session.start.isReached(at: now) { fire(target.slot, by: by) }
    } else {
      reviewStaleness(target.slot, &session, by: by)
    }
  }

  // MARK: Update

  /// Changes content, by whoever holds a token where nobody is named; returns false where the same
  /// update was applied before.
  public mutating func update(
    _ target: Target, _ command: UpdateCommand, by: UserID?, at reading: ClockReading
  ) throws(Refusal) -> Bool {
    observe(reading)
    var session = try meant(target)
    guard session.state.isLive else { throw over(session) }
    if by != session.owner, !session.remoteUpdates { throw .remoteUpdatesStopped }
    guard try takesTimestamp(&session, command.timestamp, command.isIdentical) else {
      return false
    }
    let row = nextSequence
    if command.timestamp != nil { session.timestampRow = row }
    if command.hasContent { session.contentRow = command.sharedRow ?? row }
    apply(command.stale, to: &session)
    session.isChanged = true
    let state = session.state
    if case .set = command.stale, let date = session.stale.date(at: now) {
      try checkRange(date, "staleDate")
    }
    if state == .pending, command.stale != .keep {
      try checkDates(
        start: session.startDate(at: now) ?? now.wall, startBy: .none, stale: session.stale,
        end: .none)
    }
    if state == .pending, command.hasAlert { session.alertRow = command.sharedRow ?? row }
    record(.updated, target.slot, &session, from: state) { event in
      event.by = by
      if command.hasAlert, state != .pending {
        event.alert = AlertSource(row: command.sharedRow ?? row, field: .alert)
      }
    }
    if state != .pending { reviewStaleness(target.slot, &session, by: by) }
    return true
  }

  func apply(_ rule: StaleRule, to session: inout Session) {
    switch rule {
    case .keep: break
    case .clear: session.stale = .none
    case .set(let date): session.stale = DateRule.date(date).term
    }
  }

  /// Orders updates by the caller's own timestamps; false where this one was applied before.
  private func takesTimestamp(
    _ session: inout Session, _ timestamp: WallTime?, _ isIdentical: Bool
  ) throws(Refusal) -> Bool {
    guard let timestamp else { return true }
    let latest = now.wall.microseconds.addingClamped(limits.timestampAhead.microseconds)
    guard timestamp.microseconds <= latest else {
      throw .invalidDate(
        field: "timestamp", value: timestamp, why: "it is more than 24 h ahead of the clock")
    }
    if let applied = session.timestamp {
      if timestamp < applied { throw .outdated(timestamp: timestamp, applied: applied) }
      if timestamp == applied, isIdentical { return false }
    }
    session.timestamp = timestamp
    return true
  }

  // MARK: End

  /// Ends a session; returns false where the same end was applied before.
  public mutating func end(
    _ target: Target, _ command: EndCommand, by: UserID?, at reading: ClockReading
  ) throws(Refusal) -> Bool {
    observe(reading)
    var session = try meant(target)
    guard session.state.isLive else {
      // The same end, sent again, has nothing left to do.
      if command.timestamp != nil, command.timestamp == session.timestamp, command.isIdentical {
        return false
      }
      throw over(session)
    }
    guard try takesTimestamp(&session, command.timestamp, command.isIdentical) else {
      return false
    }
    let row = nextSequence
    if command.timestamp != nil { session.timestampRow = row }
    guard session.state != .pending else {
      leave(
        target.slot, &session, reason: command.reason, by: by,
        endsSeries: command.reason == .ownerGone)
      return true
    }
    if command.hasContent { session.contentRow = command.sharedRow ?? row }
    apply(command.stale, to: &session)
    session.isChanged = true
    var dismissal = Term.none
    var isImmediate = command.dismissal == .immediate
    if case .after(let date) = command.dismissal {
      dismissal = DateRule.date(date).term
      isImmediate = dismissal.isReached(at: now)
    }
    end(
      target.slot, &session, nominal: now.wall, reason: command.reason, dismissal: dismissal,
      by: by
    ) { event in
      event.hasContent = command.hasContent
      if command.hasAlert {
        event.alert = AlertSource(row: command.sharedRow ?? row, field: .alert)
      }
    }
    if isImmediate {
      session = sessions.load(target.slot)
      let series = command.reason == .ownerGone ? nil : session.aside.series
      session.aside = Aside()
      session.state = .dismissed
      session.dismissal = .date(now.wall)
      session.limit = .none
      record(.dismissed, target.slot, &session, from: .ended) { $0.by = by }
      goOn(series, after: target.slot, session)
    }
    return true
  }

  // MARK: Cancel, dismiss, act, stop

  /// Takes a session away at once; returns the state that it was found in, or nil where it was
  /// cancelled before and that session was named. Its series ends with it, unless it is about
  /// this occurrence alone.
  public mutating func cancel(
    _ target: Target, onlyThis: Bool = false, by: UserID, at reading: ClockReading
  ) throws(Refusal) -> ActivityState? {
    observe(reading)
    var session = try meant(target)
    let state = session.state
    guard state != .dismissed else {
      if target.session != nil, session.isCancelled { return nil }
      throw over(session)
    }
    leave(target.slot, &session, reason: .cancelled, by: by, endsSeries: !onlyThis)
    return state
  }

  /// A person took it off their screen: of the owner it is gone; of another, off theirs alone.
  /// Its series goes on, unless that is to end.
  public mutating func dismiss(
    _ target: Target, by: UserID, isForAll: Bool, endsSeries: Bool = false,
    at reading: ClockReading
  ) throws(Refusal) {
    observe(reading)
    var session = try meant(target)
    guard session.state != .dismissed else { throw over(session) }
    if isForAll {
      leave(
        target.slot, &session, reason: .dismissedByPerson, by: by, endsSeries: endsSeries)
      return
    }
    let state = session.state
    record(.dismissed, target.slot, &session, from: state, isChange: false) { event in
      event.reason = .dismissedByPerson
      event.by = by
    }
    for sequence in outbox.alerts(ofSession: session.first) {
      guard var entry = outbox.entries[sequence] else { continue }
      if entry.person == by {
        settle(sequence, .withdrawn, by: by)
      } else if entry.person == nil, !entry.settledBy.contains(by) {
        entry.settledBy.append(by)
        putAlert(sequence, entry)
      }
    }
  }

  /// A person used an action, which the store says it has.
  public mutating func act(
    _ target: Target, by: UserID, isKnown: Bool, at reading: ClockReading
  ) throws(Refusal) {
    observe(reading)
    var session = try meant(target)
    guard session.state != .dismissed else { throw over(session) }
    guard isKnown else { throw .noSuchAction }
    let state = session.state
    record(.action, target.slot, &session, from: state, isChange: false) { $0.by = by }
  }

  /// Cuts off remote updates; returns whether anything changed.
  public mutating func stop(
    _ target: Target, by: UserID, at reading: ClockReading
  ) throws(Refusal) -> Bool {
    observe(reading)
    var session = try meant(target)
    guard session.state.isLive else { throw over(session) }
    guard session.remoteUpdates else { return false }
    session.remoteUpdates = false
    // What others had planned is theirs too.
    let owner = session.owner
    if session.hasAside { session.aside.planned.removeAll { $0.by != owner } }
    session.isChanged = true
    let state = session.state
    record(.remoteUpdatesStopped, target.slot, &session, from: state) { $0.by = by }
    return true
  }

  // MARK: Enabling

  /// Whether requests of an owner, type and application are taken.
  public func isEnabled(
    owner: UserID, attributesType: String? = nil, application: String? = nil
  ) -> Bool {
    var keys = [EnabledKey(owner: owner)]
    if let attributesType { keys.append(EnabledKey(owner: owner, attributesType: attributesType)) }
    if let application { keys.append(EnabledKey(owner: owner, application: application)) }
    if let attributesType, let application {
      keys.append(
        EnabledKey(owner: owner, attributesType: attributesType, application: application))
    }
    return !keys.contains { disabled.contains($0) }
  }

  /// What is refused to an owner, or to all.
  public var disabledKeys: Set<EnabledKey> { disabled }

  /// Takes or refuses later requests of a kind; returns whether that was otherwise before.
  public mutating func setEnabled(
    _ change: EnabledChange, by: UserID, at reading: ClockReading
  ) -> Bool {
    observe(reading)
    guard changeEnabled(change) else { return false }
    var event = Event(sequence: nextSequence, kind: .enabledChanged, at: now)
    nextSequence += 1
    event.by = by
    event.enabled = change
    events.append(event)
    return true
  }

  /// Taking all requests again also takes back what was refused of single kinds.
  private mutating func changeEnabled(_ change: EnabledChange) -> Bool {
    let key = change.key
    guard change.isEnabled else {
      guard disabled.insert(key).inserted else { return false }
      undoLog.append(.enabled(key, wasDisabled: false))
      return true
    }
    let isAll = key.attributesType == nil && key.application == nil
    let cleared = isAll ? disabled.filter { $0.owner == key.owner } : disabled.intersection([key])
    for key in cleared {
      disabled.remove(key)
      undoLog.append(.enabled(key, wasDisabled: true))
    }
    return !cleared.isEmpty
  }
}
