import LiveActivity
import Scheduling
import Testing

@Suite struct Creation {
  @Test func aRequestWithAStartIsPending() throws {
    let stage = Stage()
    let outcome = try stage.request { $0.start = .at(date(60)) }
    #expect(outcome.isCreated)
    #expect(stage.news() == ["tea scheduled"])
    let session = try stage.session()
    #expect(session.state == .pending)
    #expect(session.number == 1)
    #expect(session.sequence == 1)
    #expect(session.startDate(at: stage.now) == date(60))
    #expect(session.reason == nil && session.startedDate == nil)
  }

  @Test func aRequestWithoutAStartIsScheduledAndStartedInOneBatch() throws {
    let stage = Stage()
    try stage.request { $0.hasAlert = true }
    #expect(stage.news() == ["tea scheduled", "tea started with alert"])
    let session = try stage.session()
    #expect(session.state == .active)
    #expect(session.startDate(at: stage.now) == date(0))
    #expect(session.startedDate == date(0))
    #expect(session.lateness == 0)
  }

  @Test func theEventsOfARequestNameWhoAsked() throws {
    let stage = Stage()
    try stage.request("tea", by: Caller(user: .root, isPrivileged: true))
    #expect(stage.newEvents().map(\.by) == [.root, .root])
  }

  @Test func whatTimeDoesNamesNobody() throws {
    let stage = Stage()
    try stage.schedule { $0.end = .fromStart(span(60)) }
    _ = stage.newEvents()
    stage.wait(day)
    let events = stage.newEvents()
    #expect(events.map(\.kind) == [.started, .ended, .dismissed])
    #expect(events.allSatisfy { $0.by == nil })
  }

  @Test func eventsAreNumberedWithoutGapsAndNameTheOneBefore() throws {
    let stage = Stage()
    try stage.schedule("a")
    try stage.schedule("b")
    try stage.cancel("a")
    try stage.request("a")
    let events = stage.newEvents()
    #expect(events.map(\.sequence) == [1, 2, 3, 4, 5])
    #expect(events.map(\.previous) == [0, 0, 1, 3, 4])
  }

  @Test func aSpanIsADateForTheReply() throws {
    let stage = Stage()
    try stage.schedule(in: 90) {
      $0.end = .fromStart(span(hour))
      $0.stale = .fromStart(span(minute))
      $0.startBy = .fromStart(span(5))
    }
    let session = try stage.session()
    #expect(session.startDate(at: stage.now) == date(90))
    #expect(session.endDate(at: stage.now) == date(90 + hour))
    #expect(session.staleDate(at: stage.now) == date(150))
    #expect(session.startByDate(at: stage.now) == date(95))
  }

  @Test func datesAreRoundedUpToTheMillisecond() throws {
    let stage = Stage()
    try stage.request {
      $0.start = .at(date(10.000_001))
      $0.end = .date(date(20.000_999))
    }
    #expect(try stage.session().startDate(at: stage.now) == date(10.001))
    #expect(try stage.session().endDate(at: stage.now) == date(20.001))
  }

  @Test func theSameIDOfAnotherOwnerIsAnother() throws {
    let stage = Stage()
    try stage.schedule("tea")
    try stage.schedule("tea", owner: .bert)
    try stage.cancel("tea")
    #expect(stage.state("tea") == .dismissed)
    #expect(stage.state("tea", owner: .bert) == .pending)
  }

  @Test func idsAreComparedAsBytes() throws {
    let stage = Stage()
    try stage.schedule("caf\u{e9}")
    try stage.schedule("cafe\u{301}")
    #expect(stage.core.counts.pending == 2)
  }

  // MARK: Refused

  @Test func aStartThatIsNotAheadIsRefused() throws {
    let stage = Stage()
    for seconds in [0, -0.001, -day] {
      stage.refuses(.startDateNotInFuture(start: date(seconds), now: date(0))) {
        try $0.request { $0.start = .at(date(seconds)) }
      }
      stage.refuses(.startDateNotInFuture(start: date(seconds), now: date(0))) {
        try $0.request { $0.start = .after(span(seconds)) }
      }
    }
  }

  @Test func aStartByBeforeTheStartIsRefused() throws {
    let stage = Stage()
    stage.refuses(date: "startByDate") {
      try $0.schedule { $0.startBy = .date(date(9.999)) }
    }
    stage.refuses(date: "startByDate") {
      try $0.schedule { $0.startBy = .fromStart(span(-1)) }
    }
    try stage.schedule { $0.startBy = .date(date(10)) }
  }

  @Test func aStaleDateThatIsNotAfterTheStartIsRefused() throws {
    let stage = Stage()
    stage.refuses(date: "staleDate") { try $0.schedule { $0.stale = .date(date(10)) } }
    stage.refuses(date: "staleDate") { try $0.schedule { $0.stale = .fromStart(span(0)) } }
    stage.refuses(date: "staleDate") { try $0.request { $0.stale = .date(date(-5)) } }
    try stage.schedule { $0.stale = .date(date(10.001)) }
  }

  @Test func anEndThatIsNotAfterTheStartIsRefused() throws {
    let stage = Stage()
    stage.refuses(date: "endDate") { try $0.schedule { $0.end = .date(date(10)) } }
    stage.refuses(date: "endDate") { try $0.schedule { $0.end = .fromStart(span(0)) } }
    stage.refuses(date: "endDate") { try $0.request { $0.end = .date(date(0)) } }
    try stage.schedule { $0.end = .date(date(10.001)) }
  }

  @Test func anEndMoreThanEightHoursAfterTheStartIsRefused() throws {
    let stage = Stage()
    stage.refuses(date: "endDate") {
      try $0.schedule { $0.end = .date(date(10.001 + 8 * hour)) }
    }
    stage.refuses(date: "endDate") {
      try $0.schedule { $0.end = .fromStart(span(8 * hour + 0.001)) }
    }
    try stage.schedule { $0.end = .fromStart(span(8 * hour)) }
    try stage.schedule("b") { $0.end = .date(date(10 + 8 * hour)) }
  }
}
