public import LiveActivity

/// What a request led to.
public struct RequestOutcome: Sendable {
  /// The slot of the session that is live now.
  public var slot: UInt32
  /// Whether the request made it.
  public var isCreated: Bool
}

extension Scheduler {
  /// The slot of an owner's ID: its current session, or the last one that is kept.
  public func find(owner: UserID, id: ActivityID) -> UInt32? {
    sessions.find(owner: owner, id: id)
  }

  /// A session by slot; of a dismissed one only who, which and why.
  public func session(_ slot: UInt32) -> Session { sessions.load(slot) }

  /// Creates a session, or meets the live one as `ifExists` says.
  public mutating func request(
    _ command: RequestCommand, at reading: ClockReading
  ) throws(Refusal) -> RequestOutcome {
    observe(reading)
    try checkEnabled(command)
    let found = sessions.find(owner: command.owner, id: command.id)
    guard let found else { return try create(command, after: nil) }
    let old = sessions.load(found)
    guard isInUse(found) else { return try create(command, after: found) }
    let isUntouched = !old.isChanged
    let repeatsWork = command.ifExists == .update || command.ifExists == .replace
    if command.isIdentical, isUntouched || !repeatsWork {
      return RequestOutcome(slot: found, isCreated: false)
    }
    switch command.ifExists {
    case .fail: throw .activityExists(session: old.number, state: old.state)
    case .keep: return RequestOutcome(slot: found, isCreated: false)
    case .replace: return try create(command, after: found)
    case .update:
      guard old.state.isLive else {
        throw .activityOver(session: old.number, state: old.state, reason: old.reason)
      }
      guard command.hasSameAttributes else {
        throw .activityExists(session: old.number, state: old.state)
      }
      try updateByRequest(found, old, command)
      return RequestOutcome(slot: found, isCreated: false)
    }
  }

  private func checkEnabled(_ command: RequestCommand) throws(Refusal) {
    let owner = command.owner
    if disabled.contains(EnabledKey(owner: owner)) {
      throw .activitiesDisabled(attributesType: nil, application: nil)
    }
    let type = command.attributesType
    if disabled.contains(EnabledKey(owner: owner, attributesType: type)) {
      throw .activitiesDisabled(attributesType: type, application: nil)
    }
    guard let application = command.application else { return }
    if disabled.contains(EnabledKey(owner: owner, application: application)) {
      throw .activitiesDisabled(attributesType: nil, application: application)
    }
    if disabled.contains(
      EnabledKey(owner: owner, attributesType: type, application: application))
    {
      throw .activitiesDisabled(attributesType: type, application: application)
    }
  }

  /// Makes a new session; the one before it under its ID, if it is still there, is dismissed as
  /// replaced in the same batch.
  private mutating func create(
    _ command: RequestCommand, after found: UInt32?
  ) throws(Refusal) -> RequestOutcome {
    var start = Term.none
    var series: Series?
    if let asked = command.series {
      let made = try newSeries(
        asked, start: command.start, allowsPast: command.allowsPast)
      (series, start) = (made.series, made.start)
    } else {
      start = try startTerm(command.start, allowsPast: command.allowsPast)
    }
    let nominal = start.date(at: now) ?? now.wall
    let startBy = command.startBy?.term ?? .none
    let stale = command.stale?.term ?? .none
    let end = command.end?.term ?? .none
    try checkDates(start: nominal, startBy: startBy, stale: stale, end: end)
    if command.reminders?.isEmpty == false, !command.hasAlert {
      throw .invalidDate(
        field: "remindersUSec", value: nominal,
        why: "a reminder repeats the start alert, and there is none")
    }
    var template = SeriesTemplate()
    if series != nil {
      template = SeriesTemplate(command, startBy: startBy, stale: stale, end: end)
      try checkTemplate(template)
    }
    try checkWake(command)
    let old = found.map { sessions.load($0) }
    let replaces = old.map { $0.state != .dismissed } ?? false
    let present = sessions.owners[command.owner]?.present ?? 0
    if !command.caller.isPrivileged, present - (replaces ? 1 : 0) >= limits.activitiesPerUser {
      throw .tooManyActivities(limit: limits.activitiesPerUser)
    }
    let number = (old?.number ?? 0).addingReportingOverflow(1)
    guard !number.overflow else { throw .tooManyActivities(limit: Int(UInt32.max)) }
    guard sessions.hasRoom else { throw .tooManyActivities(limit: Int(Int32.max)) }

    if let found, var old, replaces {
      leave(found, &old, reason: .replaced, by: command.caller.user, endsSeries: true)
    }
    var session = Session(
      owner: command.owner, number: number.partialValue, first: nextSequence, start: start)
    session.startBy = startBy
    session.stale = stale
    session.end = end
    session.localRow = command.isLocal ? session.first : 0
    session.alertRow = command.hasAlert ? session.first : 0
    session.endAlertRow = command.hasEndAlert ? session.first : 0
    session.channel = command.channel
    session.timestamp = command.timestamp
    session.isShared = command.isShared ?? false
    session.wakes = command.wakes ?? false
    session.isBound = command.isBound
    if start.isNone { session.start = .date(now.wall) }
    if var series {
      series.slot = session.start
      series.template = template
      series.next = following(series, from: series.slot)
      session.aside.series = series
    }
    if let reminders = command.reminders { session.setReminders(reminders, at: now) }
    let digest = sessions.digest(owner: command.owner, id: command.id)
    guard let slot = sessions.insert(session, digest: digest) else {
      throw .tooManyActivities(limit: Int(Int32.max))
    }
    undoLog.append(.inserted(slot))
    if let found { sessions.retire(found) }
    sessions.makeCurrent(slot)
    undoLog.append(.madeCurrent(slot, retired: found))
    scheduled(slot, &session, previous: found.map { sessions.load($0).last } ?? 0, command)
    if start.isNone || command.allowsPast && start.isReached(at: now) {
      fire(slot, by: command.caller.user)
    }
    return RequestOutcome(slot: slot, isCreated: true)
  }

  private func checkWake(_ command: RequestCommand) throws(Refusal) {
    if command.wakes == true, let why = command.wakeRefusal { throw .cannotWake(why: why) }
  }

  private mutating func scheduled(
    _ slot: UInt32, _ session: inout Session, previous: Int64, _ command: RequestCommand
  ) {
    var event = Event(sequence: nextSequence, kind: .scheduled, at: now)
    nextSequence += 1
    event.previous = previous
    event.by = command.caller.user
    event.hasDates = true
    put(slot, session)
    event.session = session
    events.append(event)
  }

  func startTerm(_ rule: StartRule?, allowsPast: Bool = false) throws(Refusal) -> Term {
    switch rule {
    case nil: return .none
    case .at(let date):
      let date = WallTime(microseconds: date.microseconds.roundedUpToMillisecond)
      guard date > now.wall || allowsPast else {
        throw .startDateNotInFuture(start: date, now: now.wall)
      }
      try checkRange(date, "start.at")
      return .date(date)
    case .after(let span):
      let date = WallTime(microseconds: now.wall.microseconds.addingClamped(span.microseconds))
      guard span.microseconds > 0 else {
        throw .startDateNotInFuture(start: date, now: now.wall)
      }
      guard date <= .latest else {
        throw .invalidDate(
          field: "start.afterUSec", value: .latest, why: "the start is after the year 9999")
      }
      let instant = after(span, from: now.boottime).microseconds.roundedUpToMillisecond
      return .elapsed(BootTime(microseconds: instant))
    }
  }

  /// The dates of a session must fit together.
  func checkDates(
    start: WallTime, startBy: Term, stale: Term, end: Term
  ) throws(Refusal) {
    if let date = startBy.date(at: now, start: start), date < start {
      throw .invalidDate(
        field: "startByDate", value: date, why: "it is before the start, \(start.rfc3339)")
    }
    if let date = stale.date(at: now, start: start) {
      try checkRange(date, "staleDate")
      if date <= start {
        throw .invalidDate(
          field: "staleDate", value: date, why: "it is not after the start, \(start.rfc3339)")
      }
    }
    if let date = end.date(at: now, start: start) {
      if date <= start {
        throw .invalidDate(
          field: "endDate", value: date, why: "it is not after the start, \(start.rfc3339)")
      }
      let latest = start.microseconds.addingClamped(limits.active.microseconds)
      if date.microseconds > latest.roundedUpToMillisecond {
        throw .invalidDate(
          field: "endDate", value: date,
          why: "an activity runs for at most \(limits.active.microseconds / 1_000_000) s")
      }
      try checkRange(date, "endDate")
    }
    if let date = startBy.date(at: now, start: start) { try checkRange(date, "startByDate") }
  }

  func checkRange(_ date: WallTime, _ field: String) throws(Refusal) {
    guard date >= .earliest, date <= .latest else {
      throw .invalidDate(
        field: field, value: min(max(date, .earliest), .latest),
        why: "it is outside 1970 to 9999")
    }
  }

  /// `ifExists: update`: a pending session becomes what is asked; a running one takes content,
  /// alert, end and end alert.
  private mutating func updateByRequest(
    _ slot: UInt32, _ old: Session, _ command: RequestCommand
  ) throws(Refusal) {
    if old.owner != command.caller.user, !old.remoteUpdates { throw .remoteUpdatesStopped }
    var session = old
    let row = nextSequence
    let isPending = old.state == .pending
    if isPending {
      if command.start != nil {
        session.start = try startTerm(command.start, allowsPast: command.allowsPast)
        session.localRow = command.isLocal ? row : 0
      }
      if let startBy = command.startBy { session.startBy = startBy.term }
      if let isShared = command.isShared { session.isShared = isShared }
      try checkWake(command)
      if let wakes = command.wakes { session.wakes = wakes }
      if let channel = command.channel { session.channel = channel }
      if command.isBound { session.isBound = true }
      if command.hasAlert { session.alertRow = row }
      if let reminders = command.reminders {
        session.setReminders(reminders, at: now)
      } else if command.start != nil {
        session.renewReminders(at: now)
      }
      try checkReminders(session)
    }
    let told = isPending && command.start != nil ? reminderAlerts(session) : []
    if command.hasContent || command.stale != nil {
      session.stale = command.stale?.term ?? .none
    }
    if command.hasContent { session.contentRow = row }
    if let end = command.end { session.end = end.term }
    if command.hasEndAlert { session.endAlertRow = row }
    try updateSeries(&session, command)
    if isPending, command.start != nil, command.series == nil { renewNext(&session) }
    let nominal = session.nominalStart(at: now) ?? now.wall
    if isPending {
      try checkDates(
        start: nominal, startBy: session.startBy, stale: session.stale, end: session.end)
    } else {
      let stale = command.stale == nil ? Term.none : session.stale
      if let date = stale.date(at: now, start: nominal) { try checkRange(date, "staleDate") }
      if command.end != nil { try checkEndOfRunning(session, start: nominal) }
    }
    session.requestRow = row
    session.isChanged = true
    anchorIfRunning(&session)
    let state = session.state
    record(.updated, slot, &session, from: state) { event in
      event.by = command.caller.user
      event.hasDates = true
      if command.hasAlert, !isPending { event.alert = AlertSource(row: row, field: .alert) }
    }
    withdraw(told, by: command.caller.user)
    session = sessions.load(slot)
    if !isPending { reviewStaleness(slot, &session, by: command.caller.user) }
    if isPending, command.start != nil, session.start.isReached(at: now) {
      fire(slot, by: command.caller.user)
    }
  }

  /// What a request changes of a series: its rule, and what its occurrences begin with.
  private mutating func updateSeries(
    _ session: inout Session, _ command: RequestCommand
  ) throws(Refusal) {
    let isPending = session.state == .pending
    if let asked = command.series {
      var (series, start) = try newSeries(
        asked, start: isPending ? command.start : nil, allowsPast: command.allowsPast)
      series.made = session.aside.series?.made ?? 1
      if let old = session.aside.series {
        (series.last, series.template) = (old.last, old.template)
      } else {
        series.template = SeriesTemplate(of: session)
      }
      if isPending {
        if case .calendar = asked.rule { session.localRow = 0 }
        if !start.isNone { session.start = start }
        series.slot = session.start
        series.next = following(series, from: series.slot)
        session.renewReminders(at: now)
      } else {
        if case .every = asked.rule { series.slot = session.origin }
        series.next = .none
        if series.count.map({ series.made < $0 }) ?? true {
          series.next = start.isNone ? following(series, from: series.slot) : start
        }
      }
      session.aside.series = series
    }
    guard isPending, session.hasAside, var template = session.aside.series?.template else { return }
    if let startBy = command.startBy { template.startBy = startBy.term }
    if command.hasContent || command.stale != nil { template.stale = command.stale?.term ?? .none }
    if let end = command.end { template.end = end.term }
    if command.hasAlert { template.hasAlert = true }
    if command.hasEndAlert { template.hasEndAlert = true }
    if let isShared = command.isShared { template.isShared = isShared }
    if let wakes = command.wakes { template.wakes = wakes }
    if let channel = command.channel { template.channel = channel }
    if let reminders = command.reminders { template.reminders = reminders }
    try checkTemplate(template)
    session.aside.series?.template = template
  }

  /// The end that a running session is to have must fit its start, and be ahead.
  func checkEndOfRunning(_ session: Session, start: WallTime) throws(Refusal) {
    try checkDates(start: start, startBy: .none, stale: .none, end: session.end)
    guard let date = session.end.date(at: now, start: start) else { return }
    if date <= now.wall {
      throw .invalidDate(
        field: "endDate", value: date, why: "it is past; End ends an activity now")
    }
    // What was running when the limit was raised keeps its own.
    if let latest = session.limit.date(at: now),
      date.microseconds > latest.microseconds.roundedUpToMillisecond
    {
      throw .invalidDate(
        field: "endDate", value: date, why: "it may run until \(latest.rfc3339) at most")
    }
  }

  /// In a session that has started, spans from the start are on the clock of that start.
  func anchorIfRunning(_ session: inout Session) {
    guard session.state.isRunning else { return }
    session.stale = session.stale.counted(from: session.origin)
    session.end = session.end.counted(from: session.origin)
  }

  /// After a change of a running session the stale date then in force decides.
  mutating func reviewStaleness(_ slot: UInt32, _ session: inout Session, by: UserID?) {
    let isPast = session.stale.isReached(at: now)
    if session.state == .stale, !isPast {
      session.state = .active
      record(.fresh, slot, &session, from: .stale) { $0.by = by }
    } else if session.state == .active, isPast, let due = session.stale.date(at: now) {
      becomeStale(slot, &session, due: due, by: by)
    }
  }
}

extension SeriesTemplate {
  init(_ command: RequestCommand, startBy: Term, stale: Term, end: Term) {
    self.init()
    (self.startBy, self.stale, self.end) = (startBy, stale, end)
    hasAlert = command.hasAlert
    hasEndAlert = command.hasEndAlert
    isShared = command.isShared ?? false
    wakes = command.wakes ?? false
    channel = command.channel
    reminders = command.reminders ?? []
  }

  /// What a session that did not repeat has by its request.
  init(of session: Session) {
    self.init()
    if session.state == .pending {
      (startBy, stale, end) = (session.startBy, session.stale, session.end)
    }
    let rows = [session.first, session.requestRow]
    hasAlert = rows.contains(session.alertRow)
    hasEndAlert = rows.contains(session.endAlertRow)
    isShared = session.isShared
    wakes = session.wakes
    channel = session.channel
    reminders = session.aside.reminders.map(\.before)
  }
}
