import LiveActivity
import Scheduling
import Testing

@Suite struct Starts {
  @Test func itStartsAtItsMillisecondAndNotBefore() throws {
    let stage = Stage()
    try stage.schedule(in: 10)
    stage.sleep(9.999_999)
    #expect(stage.state() == .pending)
    stage.sleep(0.000_001)
    #expect(stage.state() == .active)
    #expect(try stage.session().startedDate == date(10))
    #expect(try stage.session().lateness == 0)
  }

  @Test func aDateIsNeverEarlyEither() throws {
    let stage = Stage(skew: 300)
    try stage.request { $0.start = .at(date(10.000_4)) }
    stage.sleep(10.000_999)
    #expect(stage.state() == .pending)
    stage.sleep(0.000_001)
    #expect(stage.state() == .active)
  }

  @Test func theNextDeadlineIsExact() throws {
    let stage = Stage()
    #expect(!stage.isWaiting)
    try stage.request("a") { $0.start = .at(date(10.000_4)) }
    try stage.schedule("b", in: 7.25)
    #expect(stage.core.nextDeadlines.wall == date(10.001))
    #expect(stage.core.nextDeadlines.boottime == BootTime(microseconds: 5_007_250_000))
    #expect(stage.core.nextDate == date(7.25))
    try stage.cancel("b")
    #expect(stage.core.nextDeadlines.boottime == nil)
  }

  @Test func aWakeThatComesTooSoonFiresNothing() throws {
    let stage = Stage()
    try stage.schedule(in: 10)
    let before = stage.dump()
    stage.sleep(9.998)
    stage.advance()
    #expect(stage.dump() == before)
    stage.wait(1)
    #expect(stage.news() == ["tea scheduled", "tea started"])
  }

  @Test func aMissedStartFiresLateAndSaysByHowMuch() throws {
    let stage = Stage()
    try stage.request {
      $0.start = .at(date(10))
      $0.hasAlert = true
    }
    stage.sleep(3610)
    #expect(stage.news() == ["tea scheduled", "tea started late 3600s with alert"])
    let session = try stage.session()
    #expect(session.startDate(at: stage.now) == date(10))
    #expect(session.startedDate == date(3610))
    #expect(session.lateness == 3_600_000_000)
    #expect(stage.events.last?.due == date(10))
    #expect(stage.events.last?.at == stage.now)
  }

  @Test func aMissedStartFiresLateAfterAReboot() throws {
    let stage = Stage()
    try stage.schedule("span", in: 10)
    try stage.request("date") { $0.start = .at(date(10)) }
    _ = stage.news()
    stage.reboot(after: hour)
    #expect(stage.news() == ["span started late 3590s", "date started late 3590s"])
  }

  @Test func aStartAfterItsStartByIsMissed() throws {
    let stage = Stage()
    try stage.schedule {
      $0.startBy = .fromStart(span(5))
      $0.hasAlert = true
      $0.hasEndAlert = true
    }
    stage.sleep(15.001)
    #expect(stage.news() == ["tea scheduled", "tea dismissed (missed) late 5001000us"])
    #expect(try stage.session().reason == .missed)
    #expect(try stage.stored().startedDate == nil)
    #expect(stage.unsettled == [])
  }

  @Test func aStartAtItsStartByIsNotMissed() throws {
    let stage = Stage()
    try stage.schedule { $0.startBy = .date(date(15)) }
    stage.sleep(15)
    #expect(stage.state() == .active)
  }

  @Test func aStartOnTimeNeedsNoRoomBeforeItsStartBy() throws {
    let stage = Stage()
    try stage.schedule { $0.startBy = .fromStart(span(0)) }
    stage.wait(60)
    #expect(stage.state() == .active)
  }

  @Test(arguments: [DateRule.date(date(20)), .fromStart(span(10))])
  func aStartWhoseEndHasPassedTooIsMissed(_ end: DateRule) throws {
    let stage = Stage()
    try stage.schedule {
      $0.end = end
      $0.hasEndAlert = true
    }
    stage.sleep(20)
    #expect(stage.news() == ["tea scheduled", "tea dismissed (missed) late 10s"])
    #expect(stage.unsettled == [])
  }

  @Test func aStartWhoseEndIsStillAheadIsNotMissed() throws {
    let stage = Stage()
    try stage.schedule { $0.end = .fromStart(span(10)) }
    stage.sleep(19.999)
    #expect(stage.state() == .active)
    stage.wait(0.001)
    #expect(stage.state() == .ended)
  }

  @Test func ifOnlyTheStaleDateHasPassedItStartsThenGoesStale() throws {
    let stage = Stage()
    try stage.schedule {
      $0.stale = .fromStart(span(5))
      $0.hasAlert = true
    }
    stage.sleep(30)
    #expect(
      stage.news() == [
        "tea scheduled", "tea started late 20s with alert", "tea stale late 15s",
      ])
    #expect(stage.events.last?.due == date(15))
    #expect(stage.unsettled == [2])
  }

  @Test func aStartDaysLateWithoutAnEndStillRuns() throws {
    let stage = Stage()
    try stage.request { $0.start = .at(date(10)) }
    stage.sleep(10 * day)
    #expect(stage.state() == .active)
    stage.wait(8 * hour - 0.001)
    #expect(stage.state() == .active)
    stage.wait(0.001)
    #expect(try stage.session().reason == .timeLimit)
  }

  @Test(arguments: [
    2_147_483.647, 2_147_483.648, 4_294_967.296, 68_719_476.736, 315_360_000, 6_307_200_000,
  ])
  func farStartsAreNeitherEarlyNorLost(_ seconds: Double) throws {
    let stage = Stage()
    try stage.schedule("span", in: seconds)
    try stage.request("date") { $0.start = .at(date(seconds)) }
    stage.sleep(seconds - 0.001)
    #expect(stage.core.counts.pending == 2)
    stage.sleep(0.001)
    #expect(stage.core.counts.active == 2)
    #expect(stage.events.allSatisfy { $0.lateness ?? 0 == 0 })
  }

  @Test(arguments: [
    "2038-01-19T03:14:07Z", "2038-01-19T03:14:08Z", "2106-02-07T06:28:16Z",
    "9999-12-31T23:59:59Z",
  ])
  func datesPastTheEdgesOf32Bits(_ text: String) throws {
    let stage = Stage()
    let start = try WallTime(rfc3339: text)
    try stage.request { $0.start = .at(start) }
    #expect(stage.core.nextDeadlines.wall == start)
    stage.now.wall = start
    stage.advance()
    #expect(try stage.session().startedDate == start)
  }
}
