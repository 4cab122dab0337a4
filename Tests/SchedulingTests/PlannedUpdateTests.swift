import LiveActivity
import Scheduling
import Testing

/// Content that changes at set times.
@Suite struct PlannedUpdates {
  private func running() throws -> Stage {
    let stage = Stage()
    try stage.request { $0.hasContent = true }
    _ = stage.news()
    return stage
  }

  @Test func eachIsAppliedAtItsDate() throws {
    let stage = try running()
    try stage.plan(at: .date(date(20))) { $0.hasAlert = true }
    try stage.plan(at: .date(date(10)))
    #expect(try stage.session().plannedUpdates(at: stage.now).map(\.date) == [date(10), date(20)])
    _ = stage.news()
    stage.wait(9.999)
    #expect(stage.news() == [])
    stage.wait(0.001)
    let first = try #require(stage.newEvents().first)
    #expect(first.kind == .updated && first.due == date(10) && first.lateness == 0)
    #expect(first.by == nil && first.session?.contentRow == 4 && first.alert == nil)
    stage.wait(10)
    let second = try #require(stage.newEvents().first)
    #expect(second.alert == AlertSource(row: 3, field: .alert) && second.session?.contentRow == 3)
    #expect(try stage.session().aside.isEmpty)
  }

  @Test func downtimeAppliesThemInOrder() throws {
    let stage = try running()
    for seconds in [30.0, 10, 20] { try stage.plan(at: .date(date(seconds))) }
    _ = stage.news()
    stage.sleep(100)
    #expect(
      stage.news() == ["tea updated late 90s", "tea updated late 80s", "tea updated late 70s"])
    #expect(try stage.session().contentRow == 3)
  }

  @Test func ofOneInstantTheyGoAsTheyWereAskedFor() throws {
    let stage = try running()
    for _ in 0..<3 { try stage.plan(at: .date(date(10))) }
    stage.wait(10)
    #expect(stage.events.suffix(3).map { $0.session?.contentRow } == [3, 4, 5])
  }

  @Test func spansCountFromTheStartAndMoveWithIt() throws {
    let stage = Stage()
    try stage.schedule(in: 60)
    try stage.plan(at: .fromStart(span(25)))
    try stage.reschedule { $0.start = .after(span(100)) }
    _ = stage.news()
    stage.wait(124.999)
    #expect(stage.news() == ["tea started"])
    stage.setClock(by: day)
    stage.wait(0.001)
    #expect(stage.news().last == "tea updated")
  }

  @Test func theStartGoesFirstAndStaleAndEndAfter() throws {
    let stage = Stage()
    try stage.schedule(in: 10) {
      $0.stale = .fromStart(span(10))
      $0.end = .fromStart(span(20))
    }
    try stage.plan(at: .fromStart(span(0)))
    try stage.plan(at: .fromStart(span(10))) { $0.stale = .clear }
    try stage.plan(at: .fromStart(span(20)))
    _ = stage.news()
    stage.wait(30)
    #expect(
      stage.news() == [
        "tea started", "tea updated", "tea updated", "tea updated", "tea ended (ended)",
      ])
  }

  @Test func aPendingOneTakesContentAndAlertForItsStart() throws {
    let stage = Stage()
    try stage.schedule(in: 60) { $0.hasAlert = true }
    try stage.plan(at: .date(date(30))) { $0.hasAlert = true }
    _ = stage.news()
    stage.wait(60)
    #expect(stage.news() == ["tea updated", "tea started with alert"])
    #expect(stage.events.last?.alert == AlertSource(row: 2, field: .startAlert))
  }

  @Test func theStaleDateThenInForceDecides() throws {
    let stage = try running()
    try stage.plan(at: .date(date(10))) { $0.stale = .set(date(20)) }
    try stage.plan(at: .date(date(30)), .none) { $0.stale = .clear }
    _ = stage.news()
    stage.wait(40)
    #expect(stage.news() == ["tea updated", "tea stale", "tea updated", "tea fresh"])
  }

  @Test func endCancelAndMissTakeThemAway() throws {
    for leave in [{ (stage: Stage) in try stage.end() }, { _ = try $0.cancel() }] {
      let stage = try running()
      try stage.plan(at: .date(date(10)))
      _ = try leave(stage)
      _ = stage.news()
      stage.wait(20)
      #expect(stage.news() == [])
      #expect(try stage.stored().aside.isEmpty)
    }
  }

  @Test func theyCanBeTakenBack() throws {
    let stage = try running()
    try stage.plan(at: .date(date(10)))
    try stage.plan(at: .date(date(20))) { $0.discards = true }
    #expect(try stage.session().aside.planned.map(\.row) == [4])
    try stage.plan(at: nil) { $0.discards = true }
    #expect(try stage.session().aside.isEmpty)
    #expect(stage.events.suffix(3).allSatisfy { $0.kind == .updatePlanned && $0.by == .anna })
  }

  @Test func datesThatDoNotFitAreRefused() throws {
    let stage = Stage()
    try stage.request { $0.end = .fromStart(span(hour)) }
    for seconds in [-1.0, 0, hour + 1] {
      stage.refuses(date: "at") { try $0.plan(at: .date(date(seconds))) }
    }
    stage.refuses(date: "at") { try $0.plan(at: .fromStart(span(9 * hour))) }
    for _ in 0..<64 { try stage.plan(at: .date(date(60))) }
    stage.refuses(date: "at") { try $0.plan(at: .date(date(60))) }
    try stage.plan(at: .date(date(60))) { $0.discards = true }
  }

  @Test func aDetachTakesThoseOfOthers() throws {
    let stage = try running()
    try stage.plan(at: .date(date(10)), by: .root)
    try stage.plan(at: .date(date(10)))
    try stage.stop()
    #expect(try stage.session().aside.planned.map(\.by) == [.anna])
    stage.refuses(.remoteUpdatesStopped) { try $0.plan(at: .date(date(20)), by: .root) }
  }

  @Test func theySurviveRebootsAndRestarts() throws {
    let stage = try running()
    try stage.plan(at: .fromStart(span(hour)), .merged) { $0.hasAlert = true }
    try stage.plan(at: .date(date(2 * hour)))
    stage.restart(after: 60)
    stage.reboot(after: 60)
    _ = stage.news()
    stage.wait(hour - 120.001)
    #expect(stage.news() == [])
    stage.wait(0.001)
    let event = try #require(stage.newEvents().first)
    #expect(event.planned?.row == 3 && event.planned?.isMerged == true)
    #expect(event.session?.contentRow == event.sequence)
    stage.wait(hour)
    #expect(try stage.session().contentRow == 4)
  }

  @Test func aSessionWithoutAnyStaysSmall() throws {
    #expect(MemoryLayout<Aside?>.size > 8)
    #expect(MemoryLayout<[Aside]>.size == 8)
    let stage = Stage()
    try stage.schedule()
    #expect(try stage.session().aside.isEmpty)
  }
}
