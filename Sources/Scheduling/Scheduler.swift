public import LiveActivity
internal import TimeExpressions

/// The deterministic core: every session, its deadlines and its alerts.
///
/// A command or the passing of time goes in with a reading of the clocks; events come out, in
/// order. Nothing here waits, reads a clock, logs or stores. What happens between two calls of
/// `keepBatch` is a batch, and `undoBatch` takes a batch back whole.
public struct Scheduler: ~Copyable {
  var sessions: SessionTable
  var outbox = Outbox()
  var disabled: Set<EnabledKey> = []
  /// The timers of sessions, by slot.
  var timers = Timers()
  /// The timers of alerts, by the outbox's places: their deadlines are not an activity's.
  var alertTimers = Timers()
  var undoLog: [Undo] = []
  /// Sessions and alerts whose elapsed terms are still on the wall clock.
  var carried: [Carried] = []
  /// The rules of the zones that series name, and the calendars that they repeat by.
  var zones: [String: TimeZoneRules] = [:]
  var calendars: [String: CalendarExpression] = [:]
  /// By how much the clocks differed when those went back to CLOCK_BOOTTIME.
  var anchorOffset: Int64?

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
    guard let alert = event.alert else { return }
    offer(event.sequence, alert, slot, session, person: person)
    // The limit may have settled an older one of the same session.
    session = sessions.load(slot)
  }
}
