import LiveActivity
import Scheduling
import Testing

extension Stage {
  /// The current session of an ID, or the last one.
  func session(_ id: String = "tea", owner: UserID = .anna) throws(Refusal) -> Session {
    core.session(try slot(id, owner: owner))
  }

  func state(_ id: String = "tea", owner: UserID = .anna) -> ActivityState? {
    core.find(owner: owner, id: ActivityID(stored: id)).map { core.state($0) }
  }

  /// The session as the store has it: of a dismissed one the core keeps less.
  func stored(_ id: String = "tea", owner: UserID = .anna) throws(Refusal) -> Session {
    guard let session = store.session(core.first(try slot(id, owner: owner))) else {
      throw .noSuchActivity
    }
    return session
  }

  /// Whether anything waits for time to pass.
  var isWaiting: Bool { core.nextDeadlines.wall != nil || core.nextDeadlines.boottime != nil }

  /// Whether spans of an earlier boot still wait on the wall clock.
  var hasCarried: Bool { core.hasCarried }

  /// The counts of an owner, or of all.
  func counts(of owner: UserID? = nil) -> Scheduler.Counts {
    owner.map { core.counts(of: $0) } ?? core.counts
  }

  /// The next date of an owner's, or of all.
  func nextDate(of owner: UserID? = nil) -> WallTime? {
    owner.map { core.nextDate(of: $0) } ?? core.nextDate
  }

  func isEnabled(
    _ owner: UserID = .anna, type: String? = nil, application: String? = nil
  ) -> Bool {
    core.isEnabled(owner: owner, attributesType: type, application: application)
  }

  /// Lets at most so many deadlines fire; whether more are due.
  func isDue(limit: Int) -> Bool {
    defer { keep() }
    return core.advance(to: now, limit: limit)
  }

  /// The slots that listen to a channel.
  func slots(in channel: String, owner: UserID = .anna) -> [UInt32] {
    core.slots(of: owner, channel: channel)
  }

  /// Lets the core forget a dismissed session; whether it did.
  func forget(_ id: String = "tea", first: Int64) throws(Refusal) -> Bool {
    core.forget(try slot(id), first: first)
  }

  /// The numbers of the alerts that nobody has settled.
  var unsettled: [Int64] { core.unsettledAlerts.map(\.sequence) }

  /// The alerts that a person has still to be told, by number.
  func open(for user: UserID) -> [Int64] {
    core.unsettledAlerts.filter { $0.isOpen(for: user) }.map(\.sequence)
  }

  /// The next date at which it wakes the machine, of an owner's or of all.
  func nextWakeDate(of owner: UserID? = nil) -> WallTime? {
    owner.map { core.nextWakeDate(of: $0) } ?? core.nextWakeDate
  }

  /// When it should wake the machine next, by a look at everything there is.
  var expectedWakes: NextDeadlines {
    var terms = core.unsettledAlerts.filter { $0.isSnoozed && $0.wakes }.map(\.deadline)
    for user in core.owners {
      for slot in core.slots(of: user) where core.state(slot) != .dismissed {
        let session = core.session(slot)
        guard session.wakes else { continue }
        terms.append(
          session.state == .pending ? session.start : session.aside.series?.next ?? .none)
      }
    }
    var next = NextDeadlines()
    for term in terms {
      switch term {
      case .none, .fromStart: break
      case .date(let date), .carried(let date): next.wall = min(next.wall ?? date, date)
      case .elapsed(let instant): next.boottime = min(next.boottime ?? instant, instant)
      }
    }
    // At the millisecond at which what is due fires.
    func up(_ value: Int64) -> Int64 { (value + 999) / 1000 * 1000 }
    next.wall = next.wall.map { WallTime(microseconds: up($0.microseconds)) }
    next.boottime = next.boottime.map { BootTime(microseconds: up($0.microseconds)) }
    return next
  }

  /// Everything that can be seen of the core.
  func dump() -> Dump { Dump(core) }

  /// The work is refused with that, and nothing is different afterwards.
  func refuses(
    _ refusal: Refusal, sourceLocation: SourceLocation = #_sourceLocation,
    _ work: (Stage) throws -> Void
  ) {
    let before = dump()
    do {
      try work(self)
      Issue.record("not refused; \(refusal) expected", sourceLocation: sourceLocation)
    } catch {
      #expect(error as? Refusal == refusal, sourceLocation: sourceLocation)
    }
    #expect(core.events.isEmpty && core.outboxChanges.isEmpty, sourceLocation: sourceLocation)
    #expect(dump() == before, sourceLocation: sourceLocation)
  }

  /// The work is refused for that date.
  func refuses(
    date field: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ work: (Stage) throws -> Void
  ) {
    let before = dump()
    do {
      try work(self)
      Issue.record("not refused; invalid \(field) expected", sourceLocation: sourceLocation)
    } catch {
      guard case .invalidDate(field, _, let why) = error as? Refusal, !why.isEmpty else {
        Issue.record("\(error); invalid \(field) expected", sourceLocation: sourceLocation)
        return
      }
    }
    #expect(core.events.isEmpty, sourceLocation: sourceLocation)
    #expect(dump() == before, sourceLocation: sourceLocation)
  }
}

/// Everything that can be seen of a core.
struct Dump: Equatable {
  struct Place: Equatable {
    var slot: UInt32
    var first: Int64
    var state: ActivityState
    var session: Session
  }

  struct Owner: Equatable {
    var user: UserID
    var counts: Scheduler.Counts
    var places: [Place]
    var channels: [String: [UInt32]] = [:]
  }

  var nextSequence: Int64
  var counts: Scheduler.Counts
  var sessionCount: Int
  var deadlines: NextDeadlines
  var wakes: NextDeadlines
  var hasCarried: Bool
  var owners: [Owner] = []
  var alerts: [OutboxEntry]
  var disabled: Set<EnabledKey>

  init(_ core: borrowing Scheduler) {
    nextSequence = core.nextSequence
    counts = core.counts
    sessionCount = core.sessionCount
    deadlines = core.nextDeadlines
    wakes = core.nextWakes
    hasCarried = core.hasCarried
    alerts = core.unsettledAlerts
    disabled = core.disabledKeys
    for user in core.owners {
      var owner = Owner(user: user, counts: core.counts(of: user), places: [])
      for slot in core.slots(of: user) {
        owner.places.append(
          Place(
            slot: slot, first: core.first(slot), state: core.state(slot),
            session: core.session(slot)))
      }
      for channel in Set(owner.places.compactMap(\.session.channel)) {
        owner.channels[channel] = core.slots(of: user, channel: channel)
      }
      owners.append(owner)
    }
  }
}
