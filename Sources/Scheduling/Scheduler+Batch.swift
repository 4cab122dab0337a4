internal import LiveActivity
internal import TimingWheel

// What a batch did, and how it is taken back.
extension Scheduler {
  /// What undoing puts back, newest last.
  enum Undo {
    case session(UInt32, Session, isWhole: Bool, SessionTable.Timers)
    case inserted(UInt32)
    case madeCurrent(UInt32, retired: UInt32?)
    case alert(Int64, OutboxEntry?, Outbox.Timer?)
    case enabled(EnabledKey, wasDisabled: Bool)
  }

  /// The batch is durable: it can no longer be undone, and its events are given away.
  public mutating func keepBatch() {
    timers.keep()
    alertTimers.keep()
    outbox.keep()
    undoLog.removeAll(keepingCapacity: true)
    events.removeAll(keepingCapacity: true)
    outboxChanges.removeAll(keepingCapacity: true)
  }

  /// The batch did not become durable: everything is as before it, event numbers included.
  public mutating func undoBatch() {
    var slots: [UInt32: SessionTable.Timers] = [:]
    var alerts: [Int64: Outbox.Timer?] = [:]
    for step in undoLog.reversed() {
      switch step {
      case .session(let slot, let session, let isWhole, let timers):
        sessions.save(slot, session, isWhole: isWhole)
        slots[slot] = timers
      case .inserted(let slot):
        sessions.remove(slot)
        slots[slot] = nil
      case .madeCurrent(let slot, let retired):
        sessions.retire(slot)
        if let retired { sessions.makeCurrent(retired) }
      case .alert(let sequence, let entry, let timer):
        outbox.put(sequence, entry)
        outbox.undoTimer(of: sequence, to: timer)
        alerts[sequence] = .some(timer)
      case .enabled(let key, let wasDisabled):
        if wasDisabled { disabled.insert(key) } else { disabled.remove(key) }
      }
    }
    outbox.forgetFreed()
    // Those that had fired have new handles.
    let handles = timers.undo()
    for (slot, timers) in slots.sorted(by: { $0.key < $1.key }) {
      let wall = handles[Timers.Entry(clock: .wall, handle: timers.wall)]
      let boottime = handles[Timers.Entry(clock: .boottime, handle: timers.boottime)]
      sessions.setTimers(
        slot,
        SessionTable.Timers(
          wall: wall ?? timers.wall, boottime: boottime ?? timers.boottime))
      anchor(slot)
    }
    let alertHandles = alertTimers.undo()
    for case (let sequence, var timer?) in alerts.sorted(by: { $0.key < $1.key }) {
      let entry = Timers.Entry(clock: timer.clock, handle: timer.handle)
      timer.handle = alertHandles[entry] ?? timer.handle
      outbox.setTimer(of: sequence, timer)
      anchor(alert: sequence)
    }
    nextSequence -= Int64(events.count)
    keepBatch()
  }

  // MARK: Sessions and their timers

  /// Puts a session back with its timers, so that it can be undone.
  mutating func put(_ slot: UInt32, _ session: Session) {
    undoLog.append(
      .session(
        slot, sessions.load(slot), isWhole: sessions.isWhole(slot), sessions.timers(slot)))
    save(slot, session)
  }

  /// Puts a session back with its timers; one that stands where it should keeps its place.
  mutating func save(_ slot: UInt32, _ session: Session, forGood: Bool = false) {
    let old = sessions.timers(slot)
    // Alerts that outlive a session need all of it for the events to come.
    sessions.save(slot, session, isWhole: outbox.hasAlerts(ofSession: session.first))
    arm(slot, session, from: old, forGood: forGood)
  }

  mutating func arm(
    _ slot: UInt32, _ session: Session, from old: SessionTable.Timers, forGood: Bool
  ) {
    let next = session.nextDeadlines
    let wall = timers.set(
      .wall, old.wall, to: next.wall?.microseconds.tick, token: slot, forGood: forGood)
    let boottime = timers.set(
      .boottime, old.boottime, to: next.boottime?.microseconds.tick, token: slot, forGood: forGood)
    sessions.setTimers(slot, SessionTable.Timers(wall: wall, boottime: boottime))
  }

  /// Whether an entry is the one that a slot's session waits for; the others were given up in this
  /// batch.
  func isLive(_ entry: Timers.Entry, slot: UInt32) -> Bool {
    let timers = sessions.timers(slot)
    return entry.handle == (entry.clock == .wall ? timers.wall : timers.boottime)
  }

  /// Whether an entry is the one that an alert waits for.
  func isLive(_ entry: Timers.Entry, alert sequence: Int64) -> Bool {
    guard let timer = outbox.timer(of: sequence) else { return false }
    return timer.handle == entry.handle && timer.clock == entry.clock
  }
}
