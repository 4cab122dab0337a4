import LiveActivity
import Scheduling

/// SplitMix64: small, seeded, the same everywhere.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// One time in `count`.
  mutating func oneIn(_ count: UInt64) -> Bool { next(upperBound: count) == 0 }

  mutating func seconds(upTo limit: UInt64) -> Double { Double(next(upperBound: limit)) }
}

/// Something that a test does to a core, decided beforehand: so it can be done again.
enum Step {
  case request(RequestCommand)
  case update(String, UpdateCommand, by: UserID)
  case reschedule(String, RescheduleCommand)
  case end(String, EndCommand)
  case cancel(String, onlyThis: Bool = false)
  case dismiss(String, by: UserID, isForAll: Bool)
  case act(String)
  case stop(String)
  case confirm(offset: UInt64, by: UserID)
  case snooze(offset: UInt64, Double, by: UserID)
  case setEnabled(EnabledChange)
  case plan(String, PlanCommand, by: UserID)
  case skip(String)
  case renew
  case pass(Double, limit: Int)
  case set(Double)
}

extension SeededGenerator {
  private mutating func id() -> String { "t\(next(upperBound: 12 as UInt64))" }

  private mutating func user() -> UserID { oneIn(3) ? .bert : .anna }

  private mutating func rule(_ now: ClockReading) -> DateRule {
    let seconds = seconds(upTo: 60)
    guard oneIn(2) else { return .fromStart(span(seconds)) }
    let later = now.wall.microseconds + microseconds(seconds + 30)
    return .date(WallTime(microseconds: later))
  }

  /// Any step, of what may come up: dates are near, IDs few, so that much of it meets.
  mutating func step(at now: ClockReading) -> Step {
    switch next(upperBound: 26 as UInt64) {
    case 0..<8: return .request(request(at: now))
    case 8..<10:
      var command = UpdateCommand()
      command.hasContent = oneIn(2)
      command.hasAlert = oneIn(2)
      if oneIn(2) { command.stale = .clear }
      if oneIn(2), case .date(let date) = rule(now) { command.stale = .set(date) }
      if oneIn(3) { command.timestamp = date(seconds(upTo: 100)) }
      return .update(id(), command, by: user())
    case 10, 11:
      var command = RescheduleCommand()
      if oneIn(2) { command.start = .after(span(seconds(upTo: 30))) }
      if oneIn(3) { command.startBy = rule(now) }
      if oneIn(3) { command.stale = rule(now) }
      if oneIn(3) { command.end = rule(now) }
      command.hasEndAlert = oneIn(3)
      if oneIn(5) { command.reminders = reminders() }
      return .reschedule(id(), command)
    case 12:
      var command = EndCommand()
      command.hasAlert = oneIn(2)
      if oneIn(3) { command.dismissal = .immediate }
      if oneIn(3), case .date(let date) = rule(now) { command.dismissal = .after(date) }
      return .end(id(), command)
    case 13: return .cancel(id(), onlyThis: oneIn(2))
    case 14: return .dismiss(id(), by: user(), isForAll: oneIn(2))
    case 15: return oneIn(2) ? .act(id()) : .stop(id())
    case 16: return .confirm(offset: next(upperBound: 20), by: user())
    case 17: return .snooze(offset: next(upperBound: 20), 1 + seconds(upTo: 60), by: user())
    case 18:
      let key = EnabledKey(
        owner: user(), attributesType: oneIn(2) ? "type" : nil,
        application: oneIn(2) ? "app" : nil)
      return .setEnabled(EnabledChange(key: key, isEnabled: !oneIn(4)))
    case 19: return .set((seconds(upTo: 40) - 20).rounded())
    case 20:
      var command = PlanCommand()
      if !oneIn(5) { command.due = rule(now) }
      command.discards = oneIn(4)
      command.change = [.none, .whole, .merged].randomElement(using: &self) ?? .none
      command.hasAlert = oneIn(2)
      if oneIn(3) { command.stale = .clear }
      if oneIn(3), case .date(let date) = rule(now) { command.stale = .set(date) }
      return .plan(id(), command, by: user())
    case 21: return oneIn(4) ? .renew : .skip(id())
    default: return .pass(seconds(upTo: 12), limit: Int(1 + next(upperBound: 20 as UInt64)))
    }
  }

  private mutating func series(_ now: ClockReading) -> SeriesRequest {
    var request = SeriesRequest(rule: .every(span(2 + seconds(upTo: 30))))
    if oneIn(2) {
      let calendars = ["*:*:0/7", "*:0/1", "*-*-* *:*:30", "hourly", "*:*:*"]
      request.rule = .calendar(calendars.randomElement(using: &self) ?? "hourly", zone: "UTC")
    }
    if oneIn(3) { request.count = Int64(1 + next(upperBound: 4 as UInt64)) }
    if oneIn(3), case .date(let date) = rule(now) { request.until = date }
    return request
  }

  private mutating func reminders() -> [TimeSpan] {
    (0..<next(upperBound: 4 as UInt64)).map { _ in span(1 + seconds(upTo: 20)) }
  }

  private mutating func request(at now: ClockReading) -> RequestCommand {
    let owner = user()
    var command = RequestCommand(
      caller: Caller(user: oneIn(5) ? .root : owner), owner: owner,
      id: ActivityID(stored: id()))
    // Few different starts, so that many tie.
    if !oneIn(4) { command.start = .after(span(10 * (1 + seconds(upTo: 3)))) }
    if oneIn(3) { command.start = .at(date(10 * seconds(upTo: 30))) }
    if oneIn(4) { command.startBy = rule(now) }
    if oneIn(3) { command.stale = rule(now) }
    if oneIn(3) { command.end = rule(now) }
    command.hasContent = oneIn(2)
    command.hasAlert = oneIn(2)
    command.hasEndAlert = oneIn(2)
    if oneIn(3) { command.reminders = reminders() }
    if oneIn(3) { command.channel = oneIn(2) ? "news" : "sport" }
    command.isShared = oneIn(3)
    if oneIn(2) { command.wakes = !oneIn(4) }
    if oneIn(4) { command.series = series(now) }
    command.isBound = command.series == nil && oneIn(5)
    if oneIn(6) { command.attributesType = "type" }
    if oneIn(6) { command.application = "app" }
    command.ifExists = ExistsRule.allCases.randomElement(using: &self) ?? .fail
    command.isIdentical = oneIn(5)
    return command
  }
}

extension Stage {
  /// Takes a step without keeping it; what is refused is no matter.
  func take(_ step: Step) {
    switch step {
    case .request(let command):
      guard let outcome = try? core.request(command, at: now), outcome.isCreated else { break }
      store.name(core.first(outcome.slot), command.id)
    case .update(let id, let command, let user):
      if let target = try? target(id) { _ = try? core.update(target, command, by: user, at: now) }
    case .reschedule(let id, let command):
      if let target = try? target(id) { try? core.reschedule(target, command, by: .anna, at: now) }
    case .end(let id, let command):
      if let target = try? target(id) { _ = try? core.end(target, command, by: .anna, at: now) }
    case .cancel(let id, let onlyThis):
      if let target = try? target(id) {
        _ = try? core.cancel(target, onlyThis: onlyThis, by: .anna, at: now)
      }
    case .skip(let id):
      if let target = try? target(id) { _ = try? core.skip(target, by: .anna, at: now) }
    case .renew: core.renewAllSeries(at: now)
    case .dismiss(let id, let user, let isForAll):
      if let target = try? target(id) {
        try? core.dismiss(target, by: user, isForAll: isForAll, at: now)
      }
    case .act(let id):
      if let target = try? target(id) { try? core.act(target, by: .anna, isKnown: true, at: now) }
    case .stop(let id):
      if let target = try? target(id) { _ = try? core.stop(target, by: .anna, at: now) }
    case .confirm(let offset, let user):
      guard let alert = alert(offset) else { break }
      core.confirmAlert(alert.sequence, .shown, by: user, at: now)
    case .snooze(let offset, let seconds, let user):
      guard let alert = alert(offset) else { break }
      _ = try? core.snoozeAlert(
        alert.original, source: alert.source, slot: alert.slot, for: span(seconds), by: user,
        at: now)
    case .setEnabled(let change):
      _ = core.setEnabled(change, by: .anna, at: now)
    case .plan(let id, let command, let user):
      if let target = try? target(id) { try? core.plan(target, command, by: user, at: now) }
    case .pass(let seconds, let limit):
      move(by: microseconds(seconds))
      _ = core.advance(to: now, limit: limit)
    case .set(let seconds):
      now.wall.microseconds += microseconds(seconds)
      _ = core.advance(to: now)
      core.noteStep(microseconds(seconds), at: now)
    }
  }

  private func alert(_ offset: UInt64) -> OutboxEntry? {
    let waiting = core.unsettledAlerts
    return waiting.isEmpty ? nil : waiting[Int(offset) % waiting.count]
  }
}
