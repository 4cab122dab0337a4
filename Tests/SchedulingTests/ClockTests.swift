import LiveActivity
import Scheduling
import Testing

/// Steps of the wall clock, suspend, and what they are told as.
@Suite struct ClockSteps {
  static let forward = [1.0, minute, day, 36_525 * day]

  @Test(arguments: forward)
  func aStepForwardFiresWhatIsDueAndLeavesTheRest(_ step: Double) throws {
    let stage = Stage()
    try stage.request("before") { $0.start = .at(date(step - 0.5)) }
    try stage.request("after") { $0.start = .at(date(step + 0.5)) }
    _ = stage.news()
    stage.setClock(by: step)
    #expect(stage.news() == ["before started late 500000us", "clockStepped \(Int64(step))s"])
    stage.wait(0.499)
    #expect(stage.state("after") == .pending)
    stage.wait(0.001)
    #expect(stage.state("after") == .active)
    #expect(try stage.session("after").lateness == 0)
  }

  @Test(arguments: forward)
  func aStepBackPutsDatesFurtherOff(_ step: Double) throws {
    let stage = Stage()
    try stage.request { $0.start = .at(date(10)) }
    stage.wait(5)
    stage.setClock(by: -step)
    #expect(stage.core.nextDeadlines.wall == date(10))
    stage.sleep(step + 4.999)
    #expect(stage.state() == .pending)
    stage.sleep(0.001)
    #expect(stage.state() == .active)
    #expect(try stage.session().lateness == 0)
  }

  @Test func aStepBackFiresNothingTwice() throws {
    let stage = Stage()
    try stage.request {
      $0.start = .at(date(10))
      $0.stale = .date(date(20))
      $0.end = .date(date(30))
    }
    stage.wait(25)
    _ = stage.news()
    stage.setClock(by: -hour)
    #expect(stage.news() == ["clockStepped -3600s"])
    #expect(stage.state() == .stale)
    stage.wait(hour + 5)
    #expect(stage.news() == ["tea ended (ended)"])
  }

  @Test func backAndForthNothingIsLeftInTheWrongEpoch() throws {
    let stage = Stage()
    try stage.request { $0.start = .at(date(hour)) }
    stage.setClock(by: -3 * day)
    stage.setClock(by: 3 * day)
    stage.setClock(by: 1800)
    stage.wait(1799.999)
    #expect(stage.state() == .pending)
    stage.wait(0.001)
    #expect(stage.state() == .active)
  }

  @Test func aClockFarInTheFutureThenCorrected() throws {
    let stage = Stage()
    stage.setClock(by: 72 * 365 * day)
    try stage.request("future") { $0.start = .at(date(72 * 365 * day + 60)) }
    try stage.schedule("span", in: hour)
    stage.setClock(by: -72 * 365 * day)
    try stage.request("now") { $0.start = .at(date(60)) }
    stage.wait(60)
    #expect(stage.state("now") == .active)
    #expect(stage.state("future") == .pending)
    stage.wait(hour)
    #expect(stage.state("span") == .active)
  }

  @Test func whatWasDueBeforeAStepBackStillFires() throws {
    let stage = Stage()
    try stage.request { $0.start = .at(date(10)) }
    stage.move(by: microseconds(11))
    // The daemon reads the clocks before the step is seen: what is due fires first.
    stage.advance()
    stage.setClock(by: -hour)
    #expect(stage.state() == .active)
  }

  @Test func aStepForwardPastTheEndIsAMissedStart() throws {
    let stage = Stage()
    try stage.request {
      $0.start = .at(date(60))
      $0.end = .fromStart(span(60))
    }
    stage.setClock(by: day)
    #expect(try stage.session().reason == .missed)
  }

  @Test func aStepForwardPastTheEndDateOfARunningOneEndsAndDismissesIt() throws {
    let stage = Stage()
    try stage.request { $0.end = .date(date(60)) }
    _ = stage.news()
    stage.setClock(by: day)
    // The time until dismissal counts from the nominal end.
    #expect(
      stage.news() == [
        "tea ended (ended) late 86340s", "tea dismissed late 71940s", "clockStepped 86400s",
      ])
  }

  @Test func aTimerOnOneClockIsNeverComparedWithTheOther() throws {
    let stage = Stage()
    try stage.schedule("span", in: 60)
    try stage.request("date") { $0.start = .at(date(60)) }
    stage.setClock(by: 59)
    #expect(stage.core.counts.pending == 2)
    stage.wait(1)
    #expect(stage.state("date") == .active)
    #expect(stage.state("span") == .pending)
  }

  // MARK: What is told

  @Test(arguments: [1.0, -1, 1.5, day, -day])
  func aStepOfTheThresholdIsTold(_ step: Double) {
    let stage = Stage()
    stage.setClock(by: step)
    let events = stage.newEvents()
    #expect(events.map(\.kind) == [.clockStepped])
    #expect(events.first?.step == microseconds(step))
    #expect(events.first?.at == stage.now)
  }

  @Test(arguments: [0, 0.999_999, -0.999_999])
  func aSmallerOneIsNot(_ step: Double) {
    let stage = Stage()
    stage.setClock(by: step)
    #expect(stage.news() == [])
  }

  @Test func theThresholdIsSettable() {
    var limits = Limits()
    limits.stepThreshold = span(60)
    let stage = Stage(limits: limits)
    stage.setClock(by: 59)
    stage.setClock(by: -60)
    #expect(stage.news() == ["clockStepped -60s"])
  }

  // MARK: Suspend

  @Test func aSuspendOverSeveralDeadlinesFiresThemAllOnce() throws {
    let stage = Stage()
    try stage.schedule("a", in: 10) {
      $0.stale = .fromStart(span(10))
      $0.end = .fromStart(span(8 * hour))
    }
    try stage.request("b") { $0.start = .at(date(30)) }
    try stage.schedule("c", in: 40) { $0.startBy = .fromStart(span(60)) }
    try stage.schedule("d", in: 50) { $0.end = .fromStart(span(60)) }
    _ = stage.news()
    stage.sleep(hour)
    #expect(
      stage.news() == [
        "a started late 3590s", "a stale late 3580s", "b started late 3570s",
        "c dismissed (missed) late 3560s", "d dismissed (missed) late 3550s",
      ])
    stage.sleep(8 * hour)
    #expect(stage.news() == ["a ended (ended) late 3590s", "b ended (timeLimit)"])
  }

  @Test func aSuspendEndsAlertsToo() throws {
    let stage = Stage()
    try stage.request { $0.hasAlert = true }
    _ = stage.news()
    stage.sleep(16 * minute)
    #expect(stage.news() == ["tea alertSettled 2 expired"])
  }
}
