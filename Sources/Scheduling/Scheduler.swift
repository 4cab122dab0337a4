public import LiveActivity
internal import TimingWheel

/// The deterministic core: every session, its deadlines and its alerts.
///
/// A command or the passing of time goes in with a reading of the clocks; events come out, in
/// order. Nothing here waits, reads a clock, logs or stores. What happens between two calls of
/// `keepBatch` is a batch, and `undoBatch` takes a batch back whole.
public struct Scheduler: ~Copyable {
  var sessions: SessionTable
  var outbox = Outbox()
  var disabled: Set<EnabledKey> = []
  var onWall = TimingWheel()
  var onBoottime = TimingWheel()
  /// Alerts wait in wheels of their own: their deadlines are not an activity's.
  var alertsOnWall = TimingWheel()
  var alertsOnBoottime = TimingWheel()
  var undoLog: [Undo] = []
  /// Sessions and alerts whose elapsed terms are still on the wall clock.
  var carried: [Carried] = []

  /// What the core is held to; a lowered limit touches nothing that exists.
  public var limits: Limits
  /// The last reading of the clocks.
  public internal(set) var now: ClockReading
  /// The number that the next event gets.
  public internal(set) var nextSequence: Int64
  /// The events of the current batch.
  public internal(set) var events: [Event] = []
  /// The alerts of the current batch that were put, changed or taken out (then nil).
  public internal(set) var outboxChanges: [(sequence: Int64, entry: OutboxEntry?)] = []

  /// An empty core. `hashKey` is drawn per process; `nextSequence` follows what the store holds.
  public init(
    now: ClockReading, nextSequence: Int64 = 1, hashKey: (UInt64, UInt64), limits: Limits = Limits()
  ) {
    self.now = now
    self.nextSequence = nextSequence
    self.limits = limits
    sessions = SessionTable(key: hashKey)
  }

  // MARK: Batches

  /// The batch is durable: it can no longer be undone, and its events are given away.
  public mutating func keepBatch() {
    undoLog.removeAll(keepingCapacity: true)
    events.removeAll(keepingCapacity: true)
    outboxChanges.removeAll(keepingCapacity: true)
  }

  /// What a refused or failed step must put back, newest last.
  enum Undo {
    case session(UInt32, Session)
    case inserted(UInt32)
    case madeCurrent(UInt32, retired: UInt32?)
    case alert(Int64, OutboxEntry?)
    case enabled(EnabledKey, wasDisabled: Bool)
  }

  /// The batch did not become durable: everything is as before it, event numbers included.
  public mutating func undoBatch() {
    var touched: [UInt32] = []
    var seen: Set<UInt32> = []
    var alerts: [Int64] = []
    for step in undoLog.reversed() {
      switch step {
      case .session(let slot, let session):
        disarm(slot)
        sessions.save(slot, session)
        if seen.insert(slot).inserted { touched.append(slot) }
      case .inserted(let slot):
        disarm(slot)
        sessions.remove(slot)
        if seen.remove(slot) != nil { touched.removeAll { $0 == slot } }
      case .madeCurrent(let slot, let retired):
        sessions.retire(slot)
        if let retired { sessions.makeCurrent(retired) }
      case .alert(let sequence, let entry):
        outbox.put(sequence, entry)
        alerts.append(sequence)
      case .enabled(let key, let wasDisabled):
        if wasDisabled { disabled.insert(key) } else { disabled.remove(key) }
      }
    }
    // Latest first, each before what has waited beside it: what was due keeps its place.
    for slot in touched { arm(slot, first: true) }
    for sequence in Set(alerts).sorted() { armAlert(sequence) }
    nextSequence -= Int64(events.count)
    keepBatch()
  }

  // MARK: Sessions and their timers

  /// Puts a session back with its timers, so that it can be undone.
  mutating func put(_ slot: UInt32, _ session: Session) {
    undoLog.append(.session(slot, sessions.load(slot)))
    disarm(slot)
    sessions.save(slot, session)
    arm(slot, first: false)
  }

  mutating func disarm(_ slot: UInt32) {
    let timers = sessions.timers(slot)
    if timers.wall != .none { _ = onWall.cancel(timers.wall) }
    if timers.boottime != .none { _ = onBoottime.cancel(timers.boottime) }
    sessions.setTimers(slot, wall: .none, boottime: .none)
  }

  mutating func arm(_ slot: UInt32, first: Bool) {
    let session = sessions.load(slot)
    guard session.state != .dismissed else { return }
    let next = session.nextDeadlines
    var wall = TimerHandle.none
    var boottime = TimerHandle.none
    if let date = next.wall {
      let tick = date.microseconds.tick
      wall =
        first
        ? onWall.insertFirst(deadline: tick, token: slot)
        : onWall.insert(deadline: tick, token: slot)
    }
    if let instant = next.boottime {
      let tick = instant.microseconds.tick
      boottime =
        first
        ? onBoottime.insertFirst(deadline: tick, token: slot)
        : onBoottime.insert(deadline: tick, token: slot)
    }
    sessions.setTimers(slot, wall: wall, boottime: boottime)
  }

  /// Takes a reading of the clocks. Deadlines stand in the wheels as they are on their own clock, so
  /// a wall clock that was set either way moves nothing.
  mutating func observe(_ reading: ClockReading) { now = reading }

  // MARK: Events

  /// Adds an event about a session, which is as the event leaves it, and puts that session back.
  mutating func record(
    _ kind: EventKind, _ slot: UInt32, _ session: inout Session, from: ActivityState,
    isChange: Bool = true, person: UserID? = nil, _ fill: (inout Event) -> Void = { _ in }
  ) {
    var event = Event(sequence: nextSequence, kind: kind, at: now)
    nextSequence += 1
    event.previous = session.last
    event.from = from
    session.last = event.sequence
    if isChange { session.sequence = event.sequence }
    fill(&event)
    put(slot, session)
    event.session = session
    events.append(event)
    if let alert = event.alert { offer(event.sequence, alert, slot, session, person: person) }
  }
}

extension Int64 {
  /// The wheel's tick of a deadline in microseconds: never early.
  var tick: Int64 { Swift.max(0, roundedUpToMillisecond / 1000) }
  /// The last tick that a reading in microseconds has reached.
  var tickBelow: Int64 { Swift.max(0, self / 1000) }
}
