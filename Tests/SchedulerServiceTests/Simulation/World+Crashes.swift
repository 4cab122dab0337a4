import ActivityStore
import LiveActivity
import SQLite
import SchedulerAPI
import Scheduling

@testable import SchedulerService

extension World {
  /// `kill -9`: whatever the process had in mind is gone; what it wrote is there.
  func crash() throws(SimulationFailure) {
    let copy = try directory.copy()
    live = nil
    directory = copy
    try open()
    try compareState()
  }

  /// Of what was not synced only some reached the disk.
  func cutPower(_ dice: inout Dice) throws(SimulationFailure) {
    guard let vfs else { return }
    vfs.cutPower(keeping: dice.below(4))
    live = nil
    vfs.restorePower()
    if !isDoomed { ghosts.append(model) }
    newBoot(&dice)
    try open()
    try compareState()
  }

  /// The machine stops without warning and comes up again some time later.
  func reboot(_ dice: inout Dice) throws(SimulationFailure) {
    let copy = try directory.copy()
    live = nil
    directory = copy
    newBoot(&dice)
    try open()
    try compareState()
  }

  private func newBoot(_ dice: inout Dice) {
    pass(dice.span() + 5 * Dice.second)
    // The clock that needs no power is right, or somewhat wrong, or begins anywhere.
    if dice.chance(40) {
      let wrong: Int64 =
        dice.one(of: [Dice.second, Dice.hour, Dice.day, Dice.century]) ?? 0
      set(by: dice.chance(50) ? wrong : -wrong)
    }
    bootedAt = truth - Int64(dice.below(10_000)) * 1000 - Int64(dice.below(2) * dice.below(1000))
    bootNumber += 1
    isSynchronised = dice.chance(40)
    model.now = now
  }

  /// A clean end and a new start.
  func restart() throws(SimulationFailure) {
    try commit()
    if !isDiskBad, failingCommits == 0 { try engine().foldAll() }
    live = nil
    try open()
    try compareState()
  }

  // MARK: Housekeeping, as when nothing else is to be done

  private func housekeeping(
    _ body: (ActivityStore) throws(StoreError) -> Void
  ) throws(SimulationFailure) {
    let store = try engine().store
    guard !store.isInTransaction else { return }
    do throws(StoreError) { try body(store) } catch {
      note("\(error.code)")
      guard isDiskBad else { throw SimulationFailure("housekeeping: \(error)") }
    }
  }

  func fold(_ limit: Int) throws(SimulationFailure) {
    try housekeeping { (store) throws(StoreError) in _ = try store.foldStep(limit: limit) }
  }

  func checkpoint() throws(SimulationFailure) {
    try housekeeping { (store) throws(StoreError) in
      try store.checkpointStep()
      let lines = try store.check()
      if !lines.isEmpty { throw StoreError(.damaged, "\(lines)") }
    }
  }

  func retain(_ dice: inout Dice) throws(SimulationFailure) {
    let engine = try engine()
    guard !engine.store.isInTransaction, engine.core.events.isEmpty else { return }
    let cutoff = dice.chance(60) ? now.wall.microseconds - dice.span() : nil
    let most = Int64(dice.one(of: [10, 40, 1000]) ?? 1000)
    let limit = 1 + dice.below(60)
    var removed: [Int64] = []
    var isFailed = false
    let rules = engine.retentionRules(cutoff: cutoff, eventsPerOwner: most)
    do throws(StoreError) {
      let step = try engine.store.retentionStep(rules, limit: limit)
      engine.forget(step.removedSessions)
      removed = step.removedSessions
      note("retained, but \(removed.count) sessions and \(step.removedEvents) events")
    } catch {
      isFailed = true
      note("\(error.code)")
      guard isDiskBad else { throw SimulationFailure("retention: \(error)") }
    }
    if isFailed {
      failedRetention = .some(cutoff)
      return
    }
    for first in removed {
      guard let life = model.lives[first] else { continue }
      guard life.state == .dismissed, model.waiting(first).isEmpty else {
        throw SimulationFailure("not kept although \(life.state): session \(first)")
      }
      model.forget(first)
    }
    try forgetRemoved(engine, cutoff: cutoff)
    // It has a transaction of its own: what is pending about the clocks is not in it.
    before = model
    durable.lives = durable.lives.filter { model.lives[$0.key] != nil }
    durable.notices = durable.notices.filter { model.notices[$0.key] != nil }
    durable.hidden = durable.hidden.filter { model.lives[$0.key] != nil }
    try compareState()
  }

  /// A step of retention that failed may be on the disk after all.
  func settleRetention() throws(SimulationFailure) {
    guard let cutoff = failedRetention else { return }
    failedRetention = nil
    let engine = try engine()
    for life in model.lives.values
    where life.state == .dismissed && model.waiting(life.first).isEmpty {
      let row = try storing { () throws(StoreError) in try engine.store.event(life.first) }
      if row == nil { model.forget(life.first) }
    }
    try forgetRemoved(engine, cutoff: cutoff)
    durable.lives = durable.lives.filter { model.lives[$0.key] != nil }
    durable.notices = durable.notices.filter { model.notices[$0.key] != nil }
    durable.hidden = durable.hidden.filter { model.lives[$0.key] != nil }
  }

  /// What retention removed is no longer looked for; it must have been allowed to.
  private func forgetRemoved(_ engine: Engine, cutoff: Int64?) throws(SimulationFailure) {
    try storing { () throws(StoreError) in
      for (sequence, event) in told {
        let row = try engine.store.event(sequence)
        if let row, row.first != 0 || event.id == nil { continue }
        let life = model.lives.values.first { $0.isMeant(event) }
        if let life, event.kind != .updated || life.state == .dismissed {
          throw StoreError(.damaged, "lost an event of a session that is kept: \(event)")
        }
        if event.id == nil, cutoff.map({ event.date.microseconds < $0 }) != true {
          // Too many of an owner, or of nobody.
          note("removed \(event.kind)")
        }
        told[sequence] = nil
        model.notices[sequence] = nil
      }
    }
  }
}
