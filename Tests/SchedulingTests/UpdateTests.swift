import LiveActivity
import Scheduling
import Testing

@Suite struct Updates {
  /// A session that runs, its content stale after a minute if asked.
  func running(stale: Bool = false) throws -> Stage {
    let stage = Stage()
    try stage.request { if stale { $0.stale = .fromStart(span(minute)) } }
    _ = stage.news()
    return stage
  }

  // MARK: Pending

  @Test func whilePendingNothingIsShown() throws {
    let stage = Stage()
    try stage.schedule { $0.hasAlert = true }
    try stage.update {
      $0.hasContent = true
      $0.hasAlert = true
    }
    #expect(stage.news() == ["tea scheduled", "tea updated"])
    #expect(stage.unsettled == [])
    let session = try stage.session()
    #expect(session.state == .pending)
    #expect(session.contentRow == 2)
    #expect(session.requestRow == 1)
  }

  @Test func whilePendingItsAlertReplacesTheStartAlert() throws {
    let stage = Stage()
    try stage.schedule { $0.hasAlert = true }
    try stage.update { $0.hasAlert = true }
    stage.wait(10)
    #expect(stage.events.last?.alert == AlertSource(row: 2, field: .startAlert))
  }

  @Test func whilePendingAnUpdateWithoutAlertLeavesTheStartAlert() throws {
    let stage = Stage()
    try stage.schedule { $0.hasAlert = true }
    try stage.update { $0.hasContent = true }
    stage.wait(10)
    #expect(stage.events.last?.alert == AlertSource(row: 1, field: .startAlert))
  }

  @Test func whilePendingTheStaleDateMustFit() throws {
    let stage = Stage()
    try stage.schedule { $0.stale = .fromStart(span(5)) }
    stage.refuses(date: "staleDate") { try $0.update { $0.stale = .set(date(10)) } }
    try stage.update { $0.stale = .set(date(11)) }
    #expect(try stage.session().staleDate(at: stage.now) == date(11))
    try stage.update { $0.stale = .clear }
    #expect(try stage.session().stale == .none)
  }

  // MARK: Running

  @Test func whileActiveItsAlertIsShown() throws {
    let stage = try running()
    try stage.update { $0.hasAlert = true }
    #expect(stage.news() == ["tea updated with alert"])
    #expect(stage.events.last?.alert == AlertSource(row: 3, field: .alert))
    #expect(stage.unsettled == [3])
  }

  @Test func contentIsThatOfTheLastUpdateThatHadSome() throws {
    let stage = try running()
    try stage.update { $0.hasContent = true }
    try stage.update { $0.hasAlert = true }
    #expect(try stage.session().contentRow == 3)
    #expect(try stage.session().sequence == 4)
  }

  @Test func aStaleDateAheadMakesAStaleOneFresh() throws {
    let stage = try running(stale: true)
    stage.wait(minute)
    try stage.update { $0.stale = .set(date(120)) }
    #expect(stage.news() == ["tea stale", "tea updated", "tea fresh"])
    #expect(stage.state() == .active)
    stage.wait(minute)
    #expect(stage.state() == .stale)
  }

  @Test func noStaleDateMakesAStaleOneFresh() throws {
    let stage = try running(stale: true)
    stage.wait(minute)
    try stage.update { $0.stale = .clear }
    #expect(stage.news() == ["tea stale", "tea updated", "tea fresh"])
    stage.wait(hour)
    #expect(stage.state() == .active)
  }

  @Test func aStaleDateThatIsPastMakesAnActiveOneStale() throws {
    let stage = try running()
    stage.wait(hour)
    for past in [hour, 5] {
      try stage.update { $0.stale = .clear }
      _ = stage.news()
      try stage.update { $0.stale = .set(date(past)) }
      #expect(stage.news().first == "tea updated")
      #expect(stage.state() == .stale)
      #expect(stage.events.last?.kind == .stale)
      #expect(stage.events.last?.due == date(past))
      #expect(stage.events.last?.by == .anna)
    }
  }

  @Test func aPatchAloneKeepsTheStaleDateSoAStaleOneStaysStale() throws {
    let stage = try running(stale: true)
    stage.wait(minute)
    _ = stage.news()
    try stage.update { $0.hasContent = true }
    try stage.update { $0.stale = .set(date(30)) }
    #expect(stage.news() == ["tea updated", "tea updated"])
    #expect(stage.state() == .stale)
  }

  @Test func anUpdateBeforeTheStaleDateMovesIt() throws {
    let stage = try running(stale: true)
    stage.wait(30)
    try stage.update { $0.stale = .set(date(90)) }
    stage.wait(59.999)
    #expect(stage.state() == .active)
    stage.wait(0.001)
    #expect(stage.news() == ["tea updated", "tea stale"])
  }

  @Test func fromAndByAreTold() throws {
    let stage = try running(stale: true)
    stage.wait(minute)
    _ = stage.newEvents()
    try stage.update(by: .root) { $0.stale = .clear }
    let events = stage.newEvents()
    #expect(events.map(\.from) == [.stale, .stale])
    #expect(events.map { $0.session?.state } == [.stale, .active])
    #expect(events.map(\.by) == [.root, .root])
  }

  // MARK: Over

  @Test func nothingRevivesAnEndedOne() throws {
    let stage = try running()
    try stage.end()
    stage.refuses(.activityOver(session: 1, state: .ended, reason: .ended)) {
      try $0.update { $0.stale = .set(date(hour)) }
    }
    stage.refuses(.activityOver(session: 1, state: .ended, reason: .ended)) {
      try $0.reschedule { $0.end = .date(date(hour)) }
    }
    stage.refuses(.activityOver(session: 1, state: .ended, reason: .ended)) { try $0.stop() }
  }

  @Test func nothingRevivesADismissedOne() throws {
    let stage = try running()
    try stage.cancel()
    let over = Refusal.activityOver(session: 1, state: .dismissed, reason: .cancelled)
    stage.refuses(over) { try $0.update() }
    stage.refuses(over) { try $0.reschedule { $0.noEnd = true } }
    stage.refuses(over) { try $0.stop() }
    stage.refuses(over) { try $0.act() }
    stage.refuses(over) { try $0.end() }
    stage.refuses(over) { try $0.dismiss() }
    stage.refuses(over) { try $0.cancel() }
  }

  @Test func anUnknownOneIsNoSuchActivity() {
    let stage = Stage()
    stage.refuses(.noSuchActivity) { try $0.update("nothing") }
  }

  @Test func aChannelReachesThoseOfItsOwnerThatAreNotDismissed() throws {
    let stage = Stage()
    for id in ["a", "b", "c"] { try stage.request(id) { $0.channel = "news" } }
    try stage.request("d") { $0.channel = "other" }
    try stage.request("e", owner: .bert) { $0.channel = "news" }
    try stage.end("a")
    try stage.cancel("b")
    let slots = stage.slots(in: "news")
    #expect(slots == [try stage.slot("a"), try stage.slot("c")])
    #expect(stage.slots(in: "none") == [])
  }
}
