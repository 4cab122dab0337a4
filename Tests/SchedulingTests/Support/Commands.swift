import LiveActivity
import Scheduling
import Testing

// Requests as the service makes them: each a batch of its own, kept at once.
extension Stage {
  @discardableResult
  func request(
    _ id: String = "tea", owner: UserID = .anna, by caller: Caller? = nil,
    _ fill: (inout RequestCommand) -> Void = { _ in }
  ) throws(Refusal) -> RequestOutcome {
    let id = ActivityID(stored: id)
    var command = RequestCommand(
      caller: caller ?? Caller(user: owner), owner: owner, id: id)
    fill(&command)
    let outcome = try core.request(command, at: now)
    if outcome.isCreated { store.name(core.first(outcome.slot), id) }
    keep()
    return outcome
  }

  /// A request that starts after a span.
  func schedule(
    _ id: String = "tea", in seconds: Double = 10, owner: UserID = .anna,
    _ fill: (inout RequestCommand) -> Void = { _ in }
  ) throws(Refusal) {
    try request(id, owner: owner) {
      $0.start = .after(span(seconds))
      fill(&$0)
    }
  }

  /// The same request again.
  @discardableResult
  func repeatRequest(
    _ id: String = "tea", ifExists: ExistsRule, _ fill: (inout RequestCommand) -> Void = { _ in }
  ) throws(Refusal) -> RequestOutcome {
    try request(id) {
      fill(&$0)
      $0.ifExists = ifExists
      $0.isIdentical = true
    }
  }

  func slot(_ id: String, owner: UserID = .anna) throws(Refusal) -> UInt32 {
    guard let slot = core.find(owner: owner, id: ActivityID(stored: id)) else {
      throw .noSuchActivity
    }
    return slot
  }

  func target(
    _ id: String, session: Int64? = nil, ifSequence: Int64? = nil, owner: UserID = .anna
  ) throws(Refusal) -> Target {
    Target(slot: try slot(id, owner: owner), session: session, ifSequence: ifSequence)
  }

  @discardableResult
  func update(
    _ id: String = "tea", by: UserID = .anna, session: Int64? = nil, ifSequence: Int64? = nil,
    _ fill: (inout UpdateCommand) -> Void = { $0.hasContent = true }
  ) throws(Refusal) -> Bool {
    var command = UpdateCommand()
    fill(&command)
    let target = try target(id, session: session, ifSequence: ifSequence)
    let isApplied = try core.update(target, command, by: by, at: now)
    keep()
    return isApplied
  }

  func reschedule(
    _ id: String = "tea", by: UserID = .anna, session: Int64? = nil, ifSequence: Int64? = nil,
    _ fill: (inout RescheduleCommand) -> Void
  ) throws(Refusal) {
    var command = RescheduleCommand()
    fill(&command)
    let target = try target(id, session: session, ifSequence: ifSequence)
    try core.reschedule(target, command, by: by, at: now)
    keep()
  }

  func plan(
    _ id: String = "tea", at due: DateRule?, by: UserID = .anna,
    _ change: SessionUpdate.Change = .whole,
    _ fill: (inout PlanCommand) -> Void = { _ in }
  ) throws(Refusal) {
    var command = PlanCommand()
    command.due = due
    command.change = due == nil ? .none : change
    fill(&command)
    try core.plan(try target(id), command, by: by, at: now)
    keep()
  }

  @discardableResult
  func end(
    _ id: String = "tea", by: UserID? = .anna, session: Int64? = nil,
    _ fill: (inout EndCommand) -> Void = { _ in }
  ) throws(Refusal) -> Bool {
    var command = EndCommand()
    fill(&command)
    let isApplied = try core.end(try target(id, session: session), command, by: by, at: now)
    keep()
    return isApplied
  }

  @discardableResult
  func cancel(
    _ id: String = "tea", by: UserID = .anna, session: Int64? = nil, onlyThis: Bool = false
  ) throws(Refusal) -> ActivityState? {
    let found = try core.cancel(
      try target(id, session: session), onlyThis: onlyThis, by: by, at: now)
    keep()
    return found
  }

  @discardableResult
  func skip(_ id: String = "tea", session: Int64? = nil) throws(Refusal) -> WallTime {
    let date = try core.skip(try target(id, session: session), by: .anna, at: now)
    keep()
    return date
  }

  func dismiss(
    _ id: String = "tea", by: UserID = .anna, session: Int64? = nil, isForAll: Bool = true
  ) throws(Refusal) {
    try core.dismiss(try target(id, session: session), by: by, isForAll: isForAll, at: now)
    keep()
  }

  func act(
    _ id: String = "tea", by: UserID = .anna, session: Int64? = nil, isKnown: Bool = true
  ) throws(Refusal) {
    try core.act(try target(id, session: session), by: by, isKnown: isKnown, at: now)
    keep()
  }

  @discardableResult
  func stop(
    _ id: String = "tea", by: UserID = .anna, session: Int64? = nil
  ) throws(Refusal) -> Bool {
    let isChanged = try core.stop(try target(id, session: session), by: by, at: now)
    keep()
    return isChanged
  }

  @discardableResult
  func setEnabled(
    _ isEnabled: Bool, type: String? = nil, application: String? = nil, owner: UserID = .anna
  ) -> Bool {
    let key = EnabledKey(owner: owner, attributesType: type, application: application)
    let change = EnabledChange(key: key, isEnabled: isEnabled)
    let isChanged = core.setEnabled(change, by: owner, at: now)
    keep()
    return isChanged
  }

  func confirm(_ sequence: Int64, _ outcome: AlertOutcome = .shown, by: UserID = .anna) {
    core.confirmAlert(sequence, outcome, by: by, at: now)
    keep()
  }

  @discardableResult
  func snooze(
    _ sequence: Int64, of id: String = "tea", for seconds: Double, by: UserID = .anna
  ) throws(Refusal) -> WallTime {
    let shown = events.first { $0.sequence == sequence }?.alert
    let source = AlertSource(row: sequence, field: shown?.field ?? .startAlert)
    let due = try core.snoozeAlert(
      sequence, source: source, slot: try slot(id), for: span(seconds), by: by, at: now)
    keep()
    return due
  }
}

extension Stage {
  /// Nothing repeats any more.
  func endSeries() {
    for user in core.owners {
      for slot in core.slots(of: user) where core.session(slot).aside.series != nil {
        _ = try? core.cancel(Target(slot: slot), by: user, at: now)
      }
    }
    keep()
  }
}
