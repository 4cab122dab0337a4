import LiveActivity
import Scheduling
import Testing

/// Reboots and restarts: what the store holds is all there is.
@Suite struct Boots {
  @Test func aSpanSurvivesAReboot() throws {
    let stage = Stage()
    try stage.schedule(in: hour)
    stage.wait(minute)
    stage.reboot(after: 10 * minute)
    #expect(stage.hasCarried)
    #expect(try stage.session().startDate(at: stage.now) == date(hour))
    stage.wait(49 * minute - 0.001)
    #expect(stage.state() == .pending)
    stage.wait(0.001)
    #expect(stage.state() == .active)
    #expect(try stage.session().lateness == 0)
  }

  @Test func theLimitsSurviveAReboot() throws {
    let stage = Stage()
    try stage.request("limit")
    try stage.request("ended")
    try stage.end("ended")
    stage.wait(hour)
    stage.reboot(after: hour)
    stage.wait(2 * hour - 0.001)
    #expect(stage.state("ended") == .ended)
    stage.wait(0.001)
    #expect(stage.state("ended") == .dismissed)
    stage.wait(4 * hour)
    #expect(try stage.session("limit").reason == .timeLimit)
    stage.wait(4 * hour)
    #expect(stage.state("limit") == .dismissed)
  }

  @Test func whatPassedWhileTheMachineWasOffFiresAtTheBoot() throws {
    let stage = Stage()
    try stage.request("a") {
      $0.stale = .fromStart(span(60))
      $0.end = .fromStart(span(120))
    }
    try stage.schedule("b", in: 90) { $0.startBy = .fromStart(span(5)) }
    _ = stage.news()
    stage.reboot(after: day)
    #expect(
      stage.news() == [
        "a stale late 86340s", "b dismissed (missed) late 86310s", "a ended (ended) late 86280s",
        "a dismissed late 71880s",
      ])
  }

  @Test func untilTheFirstSyncWhatIsLeftStaysOnTheWallClock() throws {
    let stage = Stage()
    try stage.schedule(in: hour)
    // The clock comes back ten minutes slow; the sync puts it right.
    stage.reboot(after: 10 * minute, error: -10 * minute)
    stage.wait(minute)
    #expect(try stage.session().startDate(at: stage.now) == date(hour))
    stage.setClock(by: 10 * minute)
    #expect(!stage.hasCarried)
    #expect(try stage.session().startDate(at: stage.now) == date(hour))
    stage.wait(49 * minute - 0.001)
    #expect(stage.state() == .pending)
    stage.wait(0.001)
    #expect(stage.state() == .active)
  }

  @Test func afterTheFirstSyncItCountsOnBoottimeAgain() throws {
    let stage = Stage()
    try stage.schedule(in: hour)
    stage.reboot(after: 10 * minute)
    stage.setClock(by: 0)
    stage.setClock(by: day)
    stage.wait(50 * minute - 0.001)
    #expect(stage.state() == .pending)
    stage.wait(0.001)
    #expect(stage.state() == .active)
  }

  @Test func aClockFarAheadAtTheBootFiresWhatItSaysIsDue() throws {
    let stage = Stage()
    try stage.schedule(in: hour)
    stage.reboot(after: 10, error: 10 * 365 * day)
    #expect(stage.state() == .active)
    stage.setClock(by: -10 * 365 * day)
    stage.wait(8 * hour - 0.001)
    #expect(stage.state() == .active)
    stage.wait(0.001)
    #expect(try stage.session().reason == .timeLimit)
  }

  @Test func aClockAt1970AtTheBootFiresNothingEarly() throws {
    let stage = Stage()
    try stage.schedule("span", in: hour)
    try stage.request("date") { $0.start = .at(date(hour)) }
    try stage.request("runs") { $0.end = .fromStart(span(hour)) }
    let error = -Double(date(0).microseconds) / 1_000_000
    _ = stage.news()
    stage.reboot(after: 10, error: error)
    stage.wait(50)
    #expect(stage.news() == [])
    stage.setClock(by: -error)
    #expect(stage.news().count == 1)
    stage.wait(hour - minute - 0.001)
    #expect(stage.news() == [])
    stage.wait(0.001)
    #expect(Set(stage.news()) == ["span started", "date started", "runs ended (ended)"])
  }

  @Test func spansOfASessionThatRanAcrossABootStillCountFromItsStart() throws {
    let stage = Stage()
    try stage.request()
    stage.wait(minute)
    stage.reboot(after: minute)
    try stage.reschedule { $0.end = .fromStart(span(5 * minute)) }
    stage.setClock(by: 0)
    stage.setClock(by: day)
    stage.wait(3 * minute - 0.001)
    #expect(stage.state() == .active)
    stage.wait(0.001)
    #expect(stage.state() == .ended)
  }

  @Test func manyBootsInARow() throws {
    let stage = Stage()
    try stage.schedule(in: 10 * hour)
    for boot in 1...5 {
      stage.reboot(after: hour, error: boot % 2 == 0 ? 300 : 0)
      if boot % 2 == 0 { stage.setClock(by: -300) }
      stage.wait(minute)
    }
    #expect(try stage.session().startDate(at: stage.now) == date(10 * hour))
    stage.wait(5 * hour - 5 * minute - 0.001)
    #expect(stage.state() == .pending)
    stage.wait(0.001)
    #expect(stage.state() == .active)
  }

  @Test func aRestartOfTheDaemonLeavesSpansOnBoottime() throws {
    let stage = Stage()
    try stage.schedule(in: hour)
    stage.setClock(by: 100)
    stage.restart(after: minute)
    #expect(!stage.hasCarried)
    stage.setClock(by: day)
    stage.wait(59 * minute - 0.001)
    #expect(stage.state() == .pending)
    stage.wait(0.001)
    #expect(stage.state() == .active)
  }

  @Test func aRestartBetweenTheBootAndTheSync() throws {
    let stage = Stage()
    try stage.schedule(in: hour)
    stage.reboot(after: minute, error: 300)
    stage.restart(after: minute)
    #expect(stage.hasCarried)
    stage.setClock(by: -300)
    stage.restart(after: minute)
    #expect(!stage.hasCarried)
    stage.wait(57 * minute - 0.001)
    #expect(stage.state() == .pending)
    stage.wait(0.001)
    #expect(stage.state() == .active)
  }

  @Test func everythingOfASessionSurvives() throws {
    let stage = Stage()
    try stage.schedule("pending") {
      $0.startBy = .fromStart(span(5))
      $0.stale = .fromStart(span(60))
      $0.end = .date(date(hour))
      $0.hasAlert = true
      $0.hasEndAlert = true
      $0.channel = "news"
      $0.isShared = true
      $0.isBound = true
    }
    try stage.request("active") { $0.stale = .fromStart(span(60)) }
    try stage.update("active") { $0.timestamp = date(5) }
    try stage.stop("active")
    try stage.request("ended") { $0.hasEndAlert = true }
    try stage.end("ended") { $0.dismissal = .after(date(hour)) }
    let ids = ["pending", "active", "ended"]
    let before = try ids.map { try stage.session($0) }
    stage.restart(after: 0)
    #expect(try ids.map { try stage.session($0) } == before)
    #expect(stage.slots(in: "news").count == 1)
    #expect(stage.core.nextSequence == Int64(stage.events.count) + 1)
  }

  @Test func aDismissedOneIsStillKnownWithItsNumber() throws {
    let stage = Stage()
    for _ in 0..<3 { try stage.request { $0.ifExists = .replace } }
    try stage.cancel()
    stage.reboot(after: hour)
    #expect(stage.state() == .dismissed)
    #expect(try stage.session().number == 3)
    try stage.request()
    #expect(try stage.session().number == 4)
  }

  @Test func whatWasRefusedStaysRefused() {
    let stage = Stage()
    stage.setEnabled(false, type: "match")
    stage.setEnabled(false, application: "org.app")
    stage.setEnabled(true, application: "org.app")
    stage.reboot(after: hour)
    #expect(stage.core.disabledKeys == [EnabledKey(owner: .anna, attributesType: "match")])
  }
}
