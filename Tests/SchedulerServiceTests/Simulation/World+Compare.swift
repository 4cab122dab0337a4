import ActivityStore
import LiveActivity
import SchedulerAPI
import Scheduling

@testable import SchedulerService

extension World {
  // MARK: Events

  /// The rows that the engine has appended are what the model says follows.
  func compareRows() throws(SimulationFailure) {
    let engine = try engine()
    if engine.failure != nil { isDoomed = true }
    if isDoomed { return }
    let told = try rendered(engine.rows)
    guard told != model.batch else { return }
    for (index, event) in told.enumerated() {
      guard index < model.batch.count else {
        throw SimulationFailure("too many events, first: \(event)")
      }
      let expected = model.batch[index]
      if event != expected { throw SimulationFailure(difference(event, expected)) }
    }
    throw SimulationFailure("an event is missing: \(model.batch[told.count])")
  }

  func rendered(_ rows: [EventRow]) throws(SimulationFailure) -> [ActivityEvent] {
    let engine = try engine()
    do throws(StoreError) {
      var events: [ActivityEvent] = []
      for row in rows { events.append(try engine.records.event(row)) }
      return events
    } catch {
      throw SimulationFailure("an event cannot be read: \(error)")
    }
  }

  /// The fields in which two values differ.
  func difference<Value>(_ found: Value, _ expected: Value) -> String {
    let pairs = zip(Mirror(reflecting: found).children, Mirror(reflecting: expected).children)
    let lines = pairs.compactMap { found, expected in
      let (a, b) = ("\(found.value)", "\(expected.value)")
      return a == b ? nil : "\(found.label ?? ""): \(a), but should be \(b)"
    }
    return "in \(found):\n    " + lines.joined(separator: "\n    ")
  }

  /// Watchers hear of an event that is durable.
  func tell(_ event: ActivityEvent) throws(SimulationFailure) {
    guard told[event.sequence] == nil else {
      throw SimulationFailure("told twice: \(event.sequence)")
    }
    told[event.sequence] = event
    try ledger.note(event)
  }

  /// Events read back are those that were told.
  func checkTold() throws(SimulationFailure) {
    let engine = try engine()
    let records = Records(store: engine.store)
    do throws(StoreError) {
      for (sequence, expected) in told.sorted(by: { $0.key < $1.key }) {
        guard let row = try engine.store.event(sequence) else {
          throw StoreError(.damaged, "event \(sequence) is lost: \(expected)")
        }
        let event = try records.event(row)
        if event != expected {
          throw StoreError(.damaged, "read back otherwise " + difference(event, expected))
        }
      }
    } catch {
      throw SimulationFailure(error.description)
    }
  }

  // MARK: State

  /// Every session, count and alert is as the model says.
  func compareState() throws(SimulationFailure) {
    let engine = try engine()
    if isDoomed { return }
    guard engine.core.nextSequence == model.sequence + 1 else {
      throw SimulationFailure("next event \(engine.core.nextSequence), not \(model.sequence + 1)")
    }
    guard engine.core.sessionCount == model.lives.count else {
      throw SimulationFailure("\(engine.core.sessionCount) sessions, not \(model.lives.count)")
    }
    for life in model.lives.values.sorted(by: { $0.first < $1.first }) {
      try compare(life, engine)
    }
    guard engine.core.disabledKeys == model.disabled else {
      throw SimulationFailure("disabled: \(engine.core.disabledKeys), not \(model.disabled)")
    }
    try compareCounts(engine)
    try compareNotices(engine)
    try compareWakes(engine)
    guard engine.hidden == model.hidden else {
      throw SimulationFailure("hidden: \(engine.hidden), not \(model.hidden)")
    }
  }

  private func compare(_ life: Life, _ engine: Engine) throws(SimulationFailure) {
    let id = ActivityID(stored: life.id)
    guard let current = engine.core.find(owner: life.owner, id: id),
      let slot = engine.core.slot(ofSession: life.number, sameIDAs: current),
      engine.core.first(slot) == life.first
    else {
      throw SimulationFailure("lost: session \(life.number) of \(life.id)")
    }
    if model.life(id, of: life.owner)?.first == life.first, current != slot {
      throw SimulationFailure("session \(life.number) of \(life.id) is not the current one")
    }
    do throws(StoreError) {
      let session = try engine.records.whole(engine.core.session(slot))
      let found = try engine.records.activity(session, at: engine.core.now)
      let expected = model.show(life, at: engine.core.now)
      guard found != expected else { return }
      throw StoreError(.damaged, difference(found, expected))
    } catch {
      throw SimulationFailure(error.description)
    }
  }

  private func compareCounts(_ engine: Engine) throws(SimulationFailure) {
    for (peer, _) in Self.peers {
      let counts = engine.core.counts(of: peer.user)
      let lives = model.lives.values.filter { $0.owner == peer.user }
      guard counts.pending == lives.filter({ $0.state == .pending }).count,
        counts.active == lives.filter(\.state.isRunning).count,
        counts.ended == lives.filter({ $0.state == .ended }).count
      else { throw SimulationFailure("counts of \(peer.user): \(counts)") }
      for channel in Self.channels {
        let members = engine.core.slots(of: peer.user, channel: channel).map {
          engine.core.first($0)
        }
        let expected = lives.filter { $0.request.channel == channel && $0.state != .dismissed }
        guard members == expected.map(\.first).sorted() else {
          throw SimulationFailure("members of channel \(channel): \(members)")
        }
      }
    }
  }

  private func compareNotices(_ engine: Engine) throws(SimulationFailure) {
    let expected = model.notices.values.filter(\.isOpen).sorted { $0.number < $1.number }
    let found = engine.core.unsettledAlerts
    guard found.map(\.sequence) == expected.map(\.number) else {
      throw SimulationFailure(
        "unsettled alerts: \(found.map(\.sequence)), not \(expected.map(\.number))")
    }
    for (entry, notice) in zip(found, expected) {
      guard entry.isSnoozed == notice.isPutOff, entry.person == notice.person,
        entry.first == notice.first, Set(entry.settledBy) == Set(notice.settled.keys)
      else { throw SimulationFailure("alert \(entry), not \(notice)") }
    }
    for (peer, _) in Self.peers {
      let open = expected.filter { model.isOpen($0, for: peer) }.map(\.number)
      let offered = try storing { () throws(StoreError) in try engine.openAlerts(for: peer) }
      guard offered == open else {
        throw SimulationFailure("offered to \(peer.user): \(offered), not \(open)")
      }
    }
  }

  /// What wakes the machine next, of each owner and of all.
  private func compareWakes(_ engine: Engine) throws(SimulationFailure) {
    let now = engine.core.now
    var dates: [UserID: [Int64]] = [:]
    for life in model.lives.values where life.wakes && life.state != .dismissed {
      let when = life.state == .pending ? life.start : life.serie?.next
      if let date = when?.date(now) { dates[life.owner, default: []].append(date) }
    }
    for notice in model.notices.values where notice.isPutOff && notice.base == nil {
      guard let life = model.lives[notice.first], life.wakes, notice.person == life.owner,
        let date = notice.deadline.date(now)
      else { continue }
      dates[life.owner, default: []].append(date)
    }
    for (owner, dates) in dates {
      let found = engine.core.nextWakeDate(of: owner)?.microseconds
      guard found != dates.min() else { continue }
      throw SimulationFailure(
        "wakes for \(owner): \(found ?? 0), not \(dates.min() ?? 0) of \(dates)")
    }
    let found = engine.core.nextWakeDate?.microseconds
    let expected = dates.values.flatMap { $0 }.min()
    guard found == expected else {
      throw SimulationFailure("wakes \(found ?? 0), not \(expected ?? 0)")
    }
  }

  func storing<Value>(
    _ body: () throws(StoreError) -> Value
  ) throws(SimulationFailure) -> Value {
    do throws(StoreError) { return try body() } catch { throw SimulationFailure("\(error)") }
  }
}
