import LiveActivity

@testable import Scheduling

extension SeededGenerator {
  /// Any integer, often one at an end or near nothing.
  mutating func integer() -> Int64 {
    switch next(upperBound: 6 as UInt64) {
    case 0: [Int64.min, .max, 0, -1, 1].randomElement(using: &self) ?? 0
    case 1: Int64(truncatingIfNeeded: next())
    case 2: Int64(next(upperBound: 1 << 20 as UInt64)) - (1 << 19)
    default: date(0).microseconds + Int64(next(upperBound: 1 << 40 as UInt64)) - (1 << 39)
    }
  }

  mutating func term() -> Term {
    switch next(upperBound: 5 as UInt64) {
    case 0: .none
    case 1: .date(WallTime(microseconds: integer()))
    case 2: .fromStart(TimeSpan(microseconds: integer()))
    case 3: .elapsed(BootTime(microseconds: integer()))
    default: .carried(WallTime(microseconds: integer()))
    }
  }

  mutating func reading() -> ClockReading {
    ClockReading(
      wall: WallTime(microseconds: integer()), boottime: BootTime(microseconds: integer()))
  }

  private mutating func row(after first: Int64) -> Int64 {
    oneIn(3) ? 0 : first &+ Int64(next(upperBound: 1000 as UInt64))
  }

  mutating func session() -> Session {
    let first = oneIn(4) ? integer() : Int64(1 + next(upperBound: 1 << 40 as UInt64))
    var session = Session(
      owner: UserID(UInt32(truncatingIfNeeded: next())),
      number: UInt32(truncatingIfNeeded: next()), first: first, start: term())
    session.state = ActivityState.allCases.randomElement(using: &self) ?? .pending
    session.reason = oneIn(2) ? nil : Reason.allCases.randomElement(using: &self)
    session.sequence = first &+ Int64(next(upperBound: 1000 as UInt64))
    session.last = first &+ Int64(next(upperBound: 1000 as UInt64))
    session.requestRow = first &+ Int64(next(upperBound: 1000 as UInt64))
    // Shared content may stand in a row of before the session.
    session.contentRow = first &+ Int64(next(upperBound: 1000 as UInt64)) &- 500
    session.alertRow = row(after: first)
    session.endAlertRow = row(after: first)
    session.timestampRow = row(after: first)
    session.localRow = row(after: first)
    session.startBy = term()
    session.stale = term()
    session.end = term()
    session.origin = term()
    session.dismissal = term()
    session.limit = term()
    if oneIn(2) { session.startedDate = WallTime(microseconds: integer()) }
    if oneIn(2) { session.endedDate = WallTime(microseconds: integer()) }
    if oneIn(2) { session.timestamp = WallTime(microseconds: integer()) }
    if oneIn(2) { session.lateness = integer() }
    if oneIn(2) { session.channel = ["news", "s\u{f6}", "\u{1F3C6}"].randomElement(using: &self) }
    session.remoteUpdates = oneIn(2)
    session.isBound = oneIn(2)
    session.isShared = oneIn(2)
    session.isChanged = oneIn(2)
    session.isCancelled = oneIn(2)
    session.wakes = oneIn(2)
    if oneIn(2) { session.aside = aside(first) }
    return session
  }

  private mutating func aside(_ first: Int64) -> Aside {
    var aside = Aside()
    for _ in 0..<next(upperBound: 4 as UInt64) {
      let states = Reminder.State.allCases
      aside.reminders.append(
        SessionReminder(
          before: TimeSpan(microseconds: integer()),
          state: states.randomElement(using: &self) ?? .ahead))
    }
    for _ in 0..<next(upperBound: 4 as UInt64) {
      let changes: [SessionUpdate.Change] = [.none, .whole, .merged]
      let stale: [StaleRule] = [.keep, .clear, .set(WallTime(microseconds: integer()))]
      aside.planned.append(
        SessionUpdate(
          due: term(), row: row(after: first), by: UserID(UInt32(truncatingIfNeeded: next())),
          change: changes.randomElement(using: &self) ?? .none,
          stale: stale.randomElement(using: &self) ?? .keep, hasAlert: oneIn(2)))
    }
    if oneIn(2) { aside.series = series() }
    return aside
  }

  private mutating func series() -> Series {
    let rules: [RepeatRule] = [
      .every(TimeSpan(microseconds: integer())), .calendar("*:*:0/5", zone: "UTC"),
      .calendar("no calendar", zone: ""),
    ]
    var made = Series(rule: rules.randomElement(using: &self) ?? rules[0], slot: term())
    made.next = term()
    made.made = integer()
    if oneIn(2) { made.count = Int64(1 + next(upperBound: 9 as UInt64)) }
    if oneIn(2) { made.until = WallTime(microseconds: integer()) }
    if oneIn(2) { made.last = WallTime(microseconds: integer()) }
    if oneIn(2) { made.skipped = WallTime(microseconds: integer()) }
    made.template.startBy = term()
    made.template.hasAlert = oneIn(2)
    made.template.isShared = oneIn(2)
    made.template.wakes = oneIn(2)
    if oneIn(2) { made.template.channel = "news" }
    if oneIn(2) { made.template.reminders = [TimeSpan(microseconds: integer())] }
    return made
  }

  mutating func outboxEntry() -> OutboxEntry {
    let fields: [AlertSource.Field] = [.startAlert, .endAlert, .alert, .reminder]
    var entry = OutboxEntry(
      sequence: integer(), original: integer(), slot: 0, first: integer(),
      owner: UserID(UInt32(truncatingIfNeeded: next())),
      source: AlertSource(
        row: integer(), field: fields.randomElement(using: &self) ?? .alert),
      deadline: term(), isShared: oneIn(2),
      person: oneIn(2) ? nil : UserID(UInt32(truncatingIfNeeded: next())), isSnoozed: oneIn(2),
      settledBy: [])
    entry.wakes = oneIn(2)
    for _ in 0..<next(upperBound: 4 as UInt64) {
      entry.settledBy.append(UserID(UInt32(truncatingIfNeeded: next())))
    }
    return entry
  }
}
