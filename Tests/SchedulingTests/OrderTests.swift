import LiveActivity
import Scheduling
import Testing

/// Rules 1 and 2: turns, and several deadlines passed at once.
@Suite struct Order {
  @Test func aWholeLifeSleptThroughIsToldInOrder() throws {
    let stage = Stage()
    try stage.request {
      $0.stale = .fromStart(span(10))
      $0.end = .fromStart(span(20))
    }
    _ = stage.newEvents()
    stage.sleep(day)
    let events = stage.newEvents()
    #expect(events.map(\.kind) == [.stale, .ended, .dismissed])
    #expect(events.map(\.due) == [date(10), date(20), date(20 + 4 * hour)])
    #expect(events.allSatisfy { $0.at == stage.now })
  }

  @Test func atOneInstantStaleThenEnd() throws {
    let rules = [DateRule.date(date(20)), .fromStart(span(10))]
    for stale in rules {
      for end in rules {
        for skew: Int64 in [0, 1, 300, 999] {
          let stage = Stage(skew: skew)
          try stage.request {
            $0.start = .at(date(10))
            $0.stale = stale
            $0.end = end
          }
          stage.wait(10)
          _ = stage.news()
          stage.wait(15)
          let late = stage.newEvents()
          #expect(late.map(\.kind) == [.stale, .ended], "\(stale) \(end) \(skew)")
          #expect(late.map(\.due) == [date(20), date(20)])
        }
      }
    }
  }

  @Test func aStartAndItsStaleDatePassedAtOnce() throws {
    let stage = Stage()
    try stage.schedule("a", in: 10) { $0.stale = .fromStart(span(30)) }
    try stage.schedule("b", in: 20) { $0.stale = .fromStart(span(10)) }
    _ = stage.news()
    stage.sleep(60)
    #expect(
      stage.news() == [
        "a started late 50s", "b started late 40s", "b stale late 30s", "a stale late 20s",
      ])
  }

  @Test(arguments: [0, day, -day])
  func deadlinesOfBothClocksAreToldInOrderOfTime(_ step: Double) throws {
    let stage = Stage()
    stage.setClock(by: step)
    try stage.request("a") { $0.start = .at(date(step + 10.002)) }
    try stage.schedule("b", in: 10.001)
    try stage.request("c") { $0.start = .at(date(step + 10)) }
    try stage.schedule("d", in: 10.003)
    try stage.schedule("e", in: 10.002)
    stage.sleep(50)
    let starts = stage.events.filter { $0.kind == .started }.compactMap(\.session?.first)
    let expected = try ["c", "b", "a", "e", "d"].map { try stage.session($0).first }
    #expect(starts == expected)
  }

  @Test func afterARebootDeadlinesFromBeforeItAreToldInOrderOfTime() throws {
    let stage = Stage()
    try stage.request("a") {
      $0.start = .at(date(10))
      $0.stale = .fromStart(span(10))
    }
    try stage.request("b") { $0.start = .at(date(30)) }
    _ = stage.news()
    stage.reboot(after: 100)
    #expect(
      stage.news() == ["a started late 90s", "a stale late 80s", "b started late 70s"])
  }

  @Test func tiesGoInOrderOfArrival() throws {
    let stage = Stage()
    let ids = (0..<20).map { "t\($0)" }
    for id in ids { try stage.request(id) { $0.start = .at(date(60)) } }
    _ = stage.news()
    stage.wait(60)
    #expect(stage.news() == ids.map { "\($0) started" })
  }

  @Test func aChangeThatLeavesTheDeadlineKeepsItsPlace() throws {
    let stage = Stage()
    for id in ["a", "b", "c"] { try stage.request(id) { $0.start = .at(date(60)) } }
    try stage.update("a") { $0.hasContent = true }
    try stage.reschedule("b") { $0.hasAlert = true }
    try stage.act("a")
    _ = stage.news()
    stage.wait(60)
    #expect(stage.news() == ["a started", "b started with alert", "c started"])
  }

  @Test func aChangeOfTheDeadlineArrivesAnew() throws {
    let stage = Stage()
    for id in ["a", "b", "c"] { try stage.request(id) { $0.start = .at(date(60)) } }
    try stage.reschedule("a") { $0.start = .at(date(50)) }
    try stage.reschedule("a") { $0.start = .at(date(60)) }
    _ = stage.news()
    stage.wait(60)
    #expect(stage.news() == ["b started", "c started", "a started"])
  }

  // MARK: Bounded batches

  @Test func aCatchUpComesInBatchesOldestFirst() throws {
    let stage = Stage()
    for number in (0..<100).reversed() { try stage.schedule("t\(number)", in: Double(10 + number)) }
    _ = stage.news()
    stage.move(by: microseconds(hour))
    var batches: [Int] = []
    while true {
      let isMore = stage.core.advance(to: stage.now, limit: 30)
      batches.append(stage.core.events.count)
      stage.keep()
      guard isMore else { break }
    }
    #expect(batches == [30, 30, 30, 10])
    let names = stage.news().map { $0.prefix { $0 != " " } }
    #expect(names == (0..<100).map { "t\($0)" })
  }

  @Test func aCancelDuringACatchUpFindsItPendingAndWins() throws {
    let stage = Stage()
    for id in ["a", "b", "c"] { try stage.schedule(id) { $0.hasAlert = true } }
    _ = stage.news()
    stage.move(by: microseconds(hour))
    #expect(stage.isDue(limit: 1))
    #expect(try stage.cancel("a") == .active)
    #expect(try stage.cancel("b") == .pending)
    stage.advance()
    #expect(stage.news().filter { $0.hasPrefix("b ") } == ["b dismissed (cancelled)"])
    #expect(stage.state("c") == .active)
    #expect(stage.core.unsettledAlerts.count == 1)
  }

  @Test func aCancelAtTheVeryInstantOfTheStart() throws {
    let stage = Stage()
    try stage.schedule("a")
    try stage.schedule("b")
    stage.move(by: 10_000_000)
    #expect(try stage.cancel("a") == .pending)
    stage.advance()
    #expect(try stage.cancel("b") == .active)
    stage.wait(day)
    #expect(
      stage.news() == [
        "a scheduled", "b scheduled", "a dismissed (cancelled)", "b started",
        "b dismissed (cancelled)",
      ])
  }

  @Test func aRequestDuringACatchUpDoesNotStartAnotherBeforeItsTurn() throws {
    let stage = Stage()
    try stage.schedule("a", in: 10)
    try stage.schedule("b", in: 20)
    stage.move(by: microseconds(60))
    try stage.reschedule("b") { $0.hasAlert = true }
    #expect(stage.state("b") == .pending)
    stage.advance()
    #expect(stage.news().suffix(2) == ["a started late 50s", "b started late 40s with alert"])
  }

  @Test func aRescheduleDuringACatchUpTakesTheStartAway() throws {
    let stage = Stage()
    try stage.schedule("a")
    stage.move(by: microseconds(60))
    try stage.reschedule("a") { $0.start = .after(span(10)) }
    stage.advance()
    #expect(stage.state("a") == .pending)
    stage.wait(10)
    #expect(try stage.session("a").lateness == 0)
  }

  @Test func aBatchOfNothingSaysThatMoreIsDue() throws {
    let stage = Stage()
    try stage.schedule()
    stage.move(by: microseconds(60))
    #expect(stage.isDue(limit: 0))
    #expect(stage.state() == .pending)
    #expect(!stage.isDue(limit: 1))
    #expect(!stage.isDue(limit: 0))
    #expect(stage.state() == .active)
  }

  @Test func everyDeadlineOfALongSleepFires() throws {
    let stage = Stage()
    for number in 0..<500 {
      try stage.schedule("t\(number)", in: Double(1 + number * 7 % 300)) {
        $0.stale = .fromStart(span(5))
      }
    }
    stage.sleep(hour)
    #expect(stage.core.counts.active == 500)
    #expect(stage.events.filter { $0.kind == .started }.count == 500)
    #expect(stage.events.filter { $0.kind == .stale }.count == 500)
    let starts = stage.events.filter { $0.kind == .started || $0.kind == .stale }.map { $0.due! }
    #expect(starts == starts.sorted())
  }
}
