import LiveActivity
import Scheduling
import TimeExpressions

/// A core in mocked time, with what a store would keep of it. The clocks stand still until a test
/// moves them.
final class Stage {
  var core: Scheduler
  var now: ClockReading
  /// What is durable.
  var store = Store()
  var history: BootHistory
  var limits: Limits
  /// The zones that series may name.
  private(set) var zones: [String: TimeZoneRules] = [:]
  /// Every event kept, oldest first.
  private(set) var events: [Event] = []
  private var told = 0

  /// A stage at 2026-12-01T18:00:00Z, some time after the boot; `skew` puts BOOTTIME off the wall
  /// clock's milliseconds.
  init(limits: Limits = Limits(), skew: Int64 = 0) {
    self.limits = limits
    now = ClockReading(
      wall: date(0), boottime: BootTime(microseconds: 5_000_000_000 + skew))
    core = Scheduler(now: now, hashKey: (1, 2), limits: limits)
    history = BootHistory(boots: [], id: "boot 0", offset: now.offset)
  }

  // MARK: Series

  private func id(ofRow row: Int64) -> ActivityID? {
    events[Int(row) - 1].session.flatMap { store.ids[$0.first] }
  }

  /// The rules of a zone are these from here on.
  func setZone(_ name: String, _ rules: TimeZoneRules) {
    zones[name] = rules
    core.setZone(name, rules)
    core.renewAllSeries(at: now)
    keep()
  }

  /// From the next start of the daemon on nobody knows that zone.
  func loseZone(_ name: String) { zones[name] = nil }

  // MARK: Time

  /// Time passes, and the core is woken at each deadline.
  func wait(_ seconds: Double) {
    var left = microseconds(seconds)
    while true {
      let next = core.nextDeadlines
      let steps = [
        next.wall.map { $0.microseconds - now.wall.microseconds },
        next.boottime.map { $0.microseconds - now.boottime.microseconds },
      ]
      guard let step = steps.compactMap({ $0 }).min(), step <= left else { break }
      move(by: max(0, step))
      left -= max(0, step)
      advance()
    }
    move(by: left)
    advance()
  }

  /// Time passes unnoticed: a suspend, or a daemon that was not woken.
  func sleep(_ seconds: Double) {
    move(by: microseconds(seconds))
    advance()
  }

  /// Moves both clocks; the core does not hear of it.
  func move(by microseconds: Int64) {
    now.wall.microseconds += microseconds
    now.boottime.microseconds += microseconds
  }

  /// Somebody sets the wall clock; it is the boot's first time sync if there was none.
  func setClock(by seconds: Double) {
    let step = microseconds(seconds)
    now.wall.microseconds += step
    advance()
    core.noteStep(step, at: now)
    if step < 0 { core.renewAllSeries(at: now) }
    keep()
    history.anchor(offset: now.offset)
    core.anchorCarried(at: now)
  }

  /// What is due fires.
  func advance() {
    while core.advance(to: now, limit: 7) { keep() }
    keep()
  }

  // MARK: Batches

  /// The batch is durable.
  func keep() {
    for event in core.events {
      events.append(event)
      if let template = event.template, let id = id(ofRow: template) {
        store.name(event.sequence, id)
      }
      store.take(event, boot: history.current)
    }
    for (sequence, entry) in core.outboxChanges {
      store.take(sequence, entry, boot: history.current, at: now)
    }
    core.keepBatch()
    history.see(offset: now.offset)
  }

  /// The batch is lost.
  func undo() { core.undoBatch() }

  // MARK: Boots

  /// The machine is off for a while; its clock comes back wrong by `error`.
  func reboot(after seconds: Double, error: Double = 0) {
    now.wall.microseconds += microseconds(seconds) + microseconds(error)
    now.boottime = BootTime(microseconds: 20_000_000)
    history = BootHistory(
      boots: history.boots, id: "boot \(history.boots.count)", offset: now.offset)
    load()
  }

  /// The daemon is down for a while.
  func restart(after seconds: Double) {
    move(by: microseconds(seconds))
    history = BootHistory(boots: history.boots, id: history.boot.id, offset: now.offset)
    load()
  }

  private func load() {
    core = Scheduler(
      now: now, nextSequence: Int64(events.count) + 1, hashKey: (3, 4), limits: limits)
    store.restore(to: &core, history)
    for (name, rules) in zones { core.setZone(name, rules) }
    core.renewAllSeries(at: now)
    keep()
    advance()
  }

  // MARK: What happened

  /// What happened since this was last asked, one line an event.
  func news() -> [String] {
    defer { told = events.count }
    return events[told...].map { describe($0) }
  }

  /// What happened since then, as events.
  func newEvents() -> ArraySlice<Event> {
    defer { told = events.count }
    return events[told...]
  }

  private func describe(_ event: Event) -> String {
    var words: [String] = []
    if let session = event.session { words.append(store.ids[session.first]?.text ?? "?") }
    words.append(event.kind.name)
    if let reason = event.reason { words.append("(\(reason.name))") }
    if let number = event.alertSequence { words.append("\(number)") }
    if let outcome = event.outcome { words.append(outcome.name) }
    if let by = event.by, event.kind == .alertSettled { words.append("by \(by.rawValue)") }
    if let late = event.lateness, late != 0 { words.append("late \(text(late))") }
    if event.alert != nil { words.append("with alert") }
    if let step = event.step { words.append(text(step)) }
    return words.joined(separator: " ")
  }

  private func text(_ microseconds: Int64) -> String {
    microseconds % 1_000_000 == 0 ? "\(microseconds / 1_000_000)s" : "\(microseconds)us"
  }
}

/// The date so many seconds after the stage was set.
func date(_ seconds: Double) -> WallTime {
  WallTime(microseconds: 1_796_148_000_000_000 + microseconds(seconds))
}

/// Seconds as microseconds.
func microseconds(_ seconds: Double) -> Int64 { Int64((seconds * 1_000_000).rounded()) }

/// A span of so many seconds.
func span(_ seconds: Double) -> TimeSpan { TimeSpan(microseconds: microseconds(seconds)) }

let minute = 60.0
let hour = 3600.0
let day = 86_400.0

extension UserID {
  static let anna = UserID(1000)
  static let bert = UserID(1001)
}

extension Scheduler {
  /// What the service does when a clock was set back or zones are others.
  mutating func renewAllSeries(at reading: ClockReading) {
    for slot in calendarSeries { renewSeries(slot, at: reading) }
  }
}
