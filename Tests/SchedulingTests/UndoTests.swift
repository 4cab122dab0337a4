import LiveActivity
import Scheduling
import Testing

/// A batch that did not become durable did not happen.
@Suite struct UndoneBatches {
  /// Does the work, takes it back, and does it again: what was is there in between, and what comes is
  /// the same.
  func undoes(
    _ stage: Stage, sourceLocation: SourceLocation = #_sourceLocation,
    _ work: (Stage) throws -> Void
  ) throws {
    let (before, now) = (stage.dump(), stage.now)
    try work(stage)
    let first = (stage.dump(), stage.core.events)
    stage.undo()
    #expect(stage.dump() == before, sourceLocation: sourceLocation)
    #expect(stage.core.events.isEmpty, sourceLocation: sourceLocation)
    #expect(stage.core.outboxChanges.isEmpty, sourceLocation: sourceLocation)
    stage.now = now
    try work(stage)
    #expect(stage.core.events == first.1, sourceLocation: sourceLocation)
    #expect(stage.dump() == first.0, sourceLocation: sourceLocation)
    stage.keep()
  }

  func command(_ id: String, _ fill: (inout RequestCommand) -> Void = { _ in }) -> RequestCommand {
    var command = RequestCommand(
      caller: Caller(user: .anna), owner: .anna, id: ActivityID(stored: id))
    fill(&command)
    return command
  }

  func start(_ stage: Stage, _ id: String, in seconds: Double) throws {
    try stage.schedule(id, in: seconds) {
      $0.hasAlert = true
      $0.stale = .fromStart(span(5))
      $0.channel = "news"
    }
  }

  @Test func aRequest() throws {
    let stage = Stage()
    try undoes(stage) { stage in
      stage.take(.request(command("a") { $0.start = .after(span(10)) }))
      stage.take(.request(command("b") { $0.hasAlert = true }))
    }
  }

  @Test func aReplacement() throws {
    let stage = Stage()
    try start(stage, "a", in: 10)
    stage.wait(10)
    try undoes(stage) { stage in
      stage.take(
        .request(
          command("a") {
            $0.ifExists = .replace
            $0.channel = "sport"
          }))
    }
    #expect(try stage.session("a").number == 2)
  }

  @Test func aNewSessionAfterADismissedOne() throws {
    let stage = Stage()
    try start(stage, "a", in: 10)
    try stage.cancel("a")
    try undoes(stage) { $0.take(.request(command("a"))) }
  }

  @Test func theSameIDSeveralTimesInOneBatch() throws {
    let stage = Stage()
    try undoes(stage) { stage in
      for _ in 0..<4 {
        stage.take(
          .request(
            command("a") {
              $0.ifExists = .replace
              $0.hasAlert = true
            }))
      }
      stage.take(.cancel("a"))
    }
    #expect(try stage.session("a").number == 4)
  }

  @Test func aWholeLife() throws {
    let stage = Stage()
    try start(stage, "a", in: 10)
    try undoes(stage) { stage in
      for seconds in [10, 5, 8 * hour, 4 * hour] { stage.take(.pass(seconds, limit: .max)) }
    }
    #expect(stage.state("a") == .dismissed)
  }

  @Test func aCancel() throws {
    let stage = Stage()
    try start(stage, "a", in: 10)
    stage.wait(12)
    try undoes(stage) { $0.take(.cancel("a")) }
  }

  @Test func alertsSettledPutOffAndExpired() throws {
    let stage = Stage()
    for id in ["a", "b", "c", "d"] { try start(stage, id, in: 10) }
    stage.wait(10)
    try undoes(stage) { stage in
      stage.take(.confirm(offset: 0, by: .anna))
      stage.take(.snooze(offset: 0, 60, by: .anna))
      stage.take(.pass(hour, limit: .max))
    }
    // The one that was put off has come again.
    #expect(stage.unsettled.count == 1)
  }

  @Test func whatIsRefused() throws {
    let stage = Stage()
    let key = EnabledKey(owner: .anna, attributesType: "type")
    try undoes(stage) { $0.take(.setEnabled(EnabledChange(key: key, isEnabled: false))) }
    try undoes(stage) { stage in
      stage.take(.setEnabled(EnabledChange(key: EnabledKey(owner: .anna), isEnabled: false)))
      stage.take(.setEnabled(EnabledChange(key: EnabledKey(owner: .anna), isEnabled: true)))
    }
    #expect(stage.isEnabled(type: "type"))
  }

  @Test func aClockStep() throws {
    let stage = Stage()
    try start(stage, "a", in: 10)
    try undoes(stage) { $0.take(.set(day)) }
  }

  // MARK: Places

  func starts(_ stage: Stage) -> [String] {
    stage.events.filter { $0.kind == .started }.compactMap {
      $0.session.flatMap { stage.store.ids[$0.first]?.text }
    }
  }

  @Test func whatAnUndoneBatchHadCancelledKeepsItsPlace() throws {
    let stage = Stage()
    for id in ["a", "b", "c"] { try start(stage, id, in: 10) }
    stage.take(.cancel("b"))
    stage.take(.cancel("c"))
    stage.undo()
    stage.wait(10)
    #expect(starts(stage) == ["a", "b", "c"])
  }

  @Test func whatAnUndoneBatchHadStartedKeepsItsPlace() throws {
    let stage = Stage()
    for id in ["a", "b", "c", "d"] { try start(stage, id, in: 10) }
    stage.move(by: 10_000_000)
    _ = stage.core.advance(to: stage.now, limit: 2)
    stage.take(.cancel("d"))
    stage.undo()
    stage.advance()
    #expect(starts(stage) == ["a", "b", "c", "d"])
  }

  @Test func whatAnUndoneBatchHadMovedKeepsItsPlace() throws {
    let stage = Stage()
    for id in ["a", "b", "c"] { try start(stage, id, in: 10) }
    var command = RescheduleCommand()
    for seconds in [5.0, 10, 20] {
      command.start = .after(span(seconds))
      stage.take(.reschedule("a", command))
      stage.take(.reschedule("b", command))
    }
    stage.take(.pass(30, limit: .max))
    stage.undo()
    stage.now.wall.microseconds -= 30_000_000
    stage.now.boottime.microseconds -= 30_000_000
    stage.wait(10)
    #expect(starts(stage) == ["a", "b", "c"])
  }

  @Test func alertsThatExpireTogetherKeepTheirOrder() throws {
    let stage = Stage()
    for id in ["a", "b", "c"] { try start(stage, id, in: 10) }
    stage.wait(10)
    stage.move(by: microseconds(15 * minute))
    _ = stage.core.advance(to: stage.now, limit: 4)
    stage.take(.confirm(offset: 1, by: .anna))
    stage.undo()
    _ = stage.news()
    stage.advance()
    let expired = stage.newEvents().filter { $0.kind == .alertSettled }
    #expect(expired.map(\.alertSequence) == [4, 5, 6])
  }

  @Test func anUndoneBatchMayMeetTheFirstSync() throws {
    let stage = Stage()
    for id in ["a", "b", "c"] { try start(stage, id, in: 100) }
    try stage.request("d") { $0.hasAlert = true }
    stage.reboot(after: 10)
    stage.take(.cancel("a"))
    stage.take(.confirm(offset: 0, by: .anna))
    stage.core.anchorCarried(at: stage.now)
    stage.undo()
    #expect(!stage.hasCarried)
    #expect(stage.unsettled == [5])
    // From here on the wall clock is no matter.
    stage.now.wall.microseconds += microseconds(day)
    stage.wait(89.999)
    #expect(stage.core.counts.pending == 3)
    stage.wait(0.001)
    #expect(Set(starts(stage).suffix(3)) == ["a", "b", "c"])
    stage.wait(15 * minute)
    #expect(stage.unsettled == [])
  }
}
