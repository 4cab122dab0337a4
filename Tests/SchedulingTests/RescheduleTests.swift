import LiveActivity
import Scheduling
import Testing

@Suite struct Reschedules {
  func pending(_ fill: (inout RequestCommand) -> Void = { _ in }) throws -> Stage {
    let stage = Stage()
    try stage.schedule(in: 100, fill)
    _ = stage.news()
    return stage
  }

  // MARK: Pending

  @Test func itMovesTheStartBothWays() throws {
    for (rule, seconds) in [(StartRule.at(date(50)), 50.0), (.after(span(200)), 200)] {
      let stage = try pending()
      try stage.reschedule { $0.start = rule }
      #expect(stage.news() == ["tea rescheduled"])
      #expect(stage.events.last?.hasDates == true)
      stage.wait(seconds - 0.001)
      #expect(stage.state() == .pending)
      stage.wait(0.001)
      #expect(stage.state() == .active)
    }
  }

  @Test func aSpanOfNothingIsNow() throws {
    let stage = try pending { $0.hasAlert = true }
    stage.wait(5)
    try stage.reschedule { $0.start = .after(span(0)) }
    let events = stage.newEvents()
    #expect(events.map(\.kind) == [.rescheduled, .started])
    #expect(events.map(\.by) == [.anna, .anna])
    #expect(try stage.session().startDate(at: stage.now) == date(5))
    #expect(try stage.session().lateness == 0)
  }

  @Test func spansMoveWithTheStart() throws {
    let stage = try pending {
      $0.startBy = .fromStart(span(1))
      $0.stale = .fromStart(span(2))
      $0.end = .fromStart(span(3))
    }
    try stage.reschedule { $0.start = .at(date(500)) }
    let session = try stage.session()
    #expect(session.startByDate(at: stage.now) == date(501))
    #expect(session.staleDate(at: stage.now) == date(502))
    #expect(session.endDate(at: stage.now) == date(503))
  }

  @Test func datesStayAndMustStillFit() throws {
    let rules: [(String, (inout RequestCommand) -> Void)] = [
      ("startByDate", { $0.startBy = .date(date(300)) }),
      ("staleDate", { $0.stale = .date(date(300)) }),
      ("endDate", { $0.end = .date(date(300)) }),
    ]
    for (field, fill) in rules {
      let stage = try pending(fill)
      stage.refuses(date: field) { try $0.reschedule { $0.start = .at(date(300.001)) } }
      try stage.reschedule { $0.start = .at(date(299)) }
    }
  }

  @Test func anEndMoreThanEightHoursAfterTheNewStartIsRefused() throws {
    let stage = try pending { $0.end = .date(date(100 + 8 * hour)) }
    stage.refuses(date: "endDate") { try $0.reschedule { $0.start = .at(date(99.999)) } }
    stage.refuses(date: "endDate") { try $0.reschedule { $0.start = .after(span(0)) } }
  }

  @Test func aStartThatIsNotAheadIsRefused() throws {
    let stage = try pending()
    stage.refuses(.startDateNotInFuture(start: date(0), now: date(0))) {
      try $0.reschedule { $0.start = .at(date(0)) }
    }
    stage.refuses(.startDateNotInFuture(start: date(-1), now: date(0))) {
      try $0.reschedule { $0.start = .after(span(-1)) }
    }
  }

  @Test func itMovesTheStartBy() throws {
    let stage = try pending()
    try stage.reschedule { $0.startBy = .date(date(101)) }
    stage.sleep(102)
    #expect(try stage.session().reason == .missed)
  }

  @Test func itsAlertsReplaceThoseThatGoWithTheDates() throws {
    let stage = try pending {
      $0.end = .fromStart(span(60))
      $0.hasAlert = true
      $0.hasEndAlert = true
    }
    try stage.reschedule {
      $0.hasAlert = true
      $0.hasEndAlert = true
    }
    #expect(stage.news() == ["tea rescheduled"])
    stage.wait(160)
    let alerts = stage.newEvents().compactMap(\.alert)
    #expect(
      alerts == [
        AlertSource(row: 2, field: .startAlert), AlertSource(row: 2, field: .endAlert),
      ])
  }

  @Test func whatIsNotNamedStays() throws {
    let stage = try pending {
      $0.startBy = .fromStart(span(1))
      $0.stale = .fromStart(span(2))
      $0.end = .fromStart(span(3))
      $0.hasAlert = true
    }
    let before = try stage.session()
    try stage.reschedule { _ in }
    var after = try stage.session()
    #expect(after.isChanged && after.sequence == 2)
    after.isChanged = false
    after.sequence = 1
    after.last = 1
    #expect(after == before)
  }

  // MARK: Running

  @Test func onceStartedTheStartAndItsAlertStay() throws {
    let stage = try pending()
    stage.wait(100)
    let refusal = Refusal.alreadyStarted(session: 1, state: .active)
    stage.refuses(refusal) { try $0.reschedule { $0.start = .at(date(500)) } }
    stage.refuses(refusal) { try $0.reschedule { $0.start = .after(span(0)) } }
    stage.refuses(refusal) { try $0.reschedule { $0.hasAlert = true } }
  }

  @Test func onceStartedTheEndMoves() throws {
    let stage = try pending { $0.end = .fromStart(span(60)) }
    stage.wait(130)
    try stage.reschedule { $0.end = .fromStart(span(120)) }
    #expect(try stage.session().endDate(at: stage.now) == date(220))
    try stage.reschedule { $0.end = .date(date(150)) }
    stage.wait(20)
    #expect(stage.state() == .ended)
  }

  @Test func neverTakesTheEndAway() throws {
    let stage = try pending { $0.end = .fromStart(span(60)) }
    stage.wait(130)
    try stage.reschedule { $0.noEnd = true }
    stage.wait(hour)
    #expect(stage.state() == .active)
    #expect(try stage.session().endDate(at: stage.now) == nil)
  }

  @Test func anEndThatDoesNotFitIsRefused() throws {
    let stage = try pending()
    stage.wait(130)
    for seconds in [130, 99, 101 + 8 * hour] {
      stage.refuses(date: "endDate") { try $0.reschedule { $0.end = .date(date(seconds)) } }
    }
  }

  @Test func theStaleDateMoves() throws {
    let stage = try pending { $0.stale = .fromStart(span(10)) }
    stage.wait(110)
    #expect(stage.state() == .stale)
    _ = stage.news()
    try stage.reschedule { $0.stale = .fromStart(span(20)) }
    #expect(stage.news() == ["tea rescheduled", "tea fresh"])
    try stage.reschedule { $0.stale = .date(date(105)) }
    #expect(stage.news() == ["tea rescheduled", "tea stale late 5s"])
    stage.refuses(date: "staleDate") { try $0.reschedule { $0.stale = .date(date(100)) } }
  }

  @Test func anUnknownOneIsNoSuchActivity() {
    let stage = Stage()
    stage.refuses(.noSuchActivity) { try $0.reschedule { $0.noEnd = true } }
  }
}
