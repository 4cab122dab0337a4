import LiveActivity
import Scheduling
import Testing
import TimeExpressions

/// Activities that repeat. The stage is set on Tuesday, 2026-12-01 at 18:00 UTC.
@Suite struct SeriesTests {
  static func calendar(
    _ text: String, zone: String = "UTC", _ fill: (inout RequestCommand) -> Void = { _ in }
  ) throws -> Stage {
    let stage = Stage()
    stage.setZone(zone, try zone == "UTC" ? .utc : ZoneDatabase().rules(zone))
    try stage.request {
      $0.series = SeriesRequest(rule: .calendar(text, zone: zone))
      fill(&$0)
    }
    _ = stage.news()
    return stage
  }

  static func every(
    _ seconds: Double, _ fill: (inout RequestCommand) -> Void = { _ in }
  ) throws -> Stage {
    let stage = Stage()
    try stage.request {
      $0.series = SeriesRequest(rule: .every(span(seconds)))
      fill(&$0)
    }
    _ = stage.news()
    return stage
  }

  /// The nominal dates of the starts so far.
  private func starts(_ stage: Stage) -> [WallTime] {
    stage.events.filter { $0.kind == .started }.compactMap(\.due)
  }

  private func next(_ stage: Stage) throws -> WallTime? {
    let session = try stage.session()
    return session.state == .pending
      ? session.startDate(at: stage.now) : session.nextStartDate(at: stage.now)
  }

  // MARK: Coming and going

  @Test func eachOccurrenceIsASessionOfItsOwn() throws {
    let stage = try Self.calendar("20:00") {
      $0.end = .fromStart(span(hour))
      $0.hasAlert = true
    }
    #expect(try stage.session().startDate(at: stage.now) == date(2 * hour))
    #expect(try stage.session().nextStartDate(at: stage.now) == date(26 * hour))
    stage.wait(2 * hour)
    #expect(stage.news() == ["tea started with alert"])
    stage.wait(hour)
    #expect(stage.news().first == "tea alertSettled 2 expired")
    #expect(stage.state() == .ended)
    #expect(try next(stage) == date(26 * hour))
    stage.wait(4 * hour)
    #expect(stage.news() == ["tea dismissed", "tea scheduled"])
    let second = try stage.session()
    #expect(second.number == 2 && second.state == .pending && second.alertRow == second.first)
    #expect(second.startDate(at: stage.now) == date(26 * hour))
    #expect(stage.events.last?.template == 1)
    stage.wait(day)
    #expect(starts(stage) == [date(2 * hour), date(26 * hour)])
    #expect(stage.counts().pending + stage.counts().active + stage.counts().ended == 1)
  }

  @Test func aNewOneTakesThePlaceOfOneThatIsStillThere() throws {
    let stage = try Self.every(hour)
    #expect(try stage.session().state == .active)
    stage.wait(hour)
    #expect(
      stage.news() == ["tea dismissed (replaced)", "tea scheduled", "tea started"])
    stage.wait(2 * hour)
    #expect(starts(stage) == (0...3).map { date(Double($0) * hour) })
    #expect(try stage.session().number == 4)
  }

  @Test func anEndedOneMakesWayToo() throws {
    let stage = try Self.every(hour) { $0.end = .fromStart(span(30 * minute)) }
    _ = stage.news()
    stage.wait(hour)
    #expect(
      stage.news() == [
        "tea ended (ended)", "tea dismissed (replaced)", "tea scheduled", "tea started",
      ])
  }

  @Test func atOneInstantTheEndGoesFirst() throws {
    let stage = try Self.every(hour) { $0.end = .fromStart(span(hour)) }
    stage.wait(hour)
    #expect(stage.news().first == "tea ended (ended)")
  }

  @Test func theStartSaysFromWhenOn() throws {
    let stage = try Self.calendar("Fri 09:00") { $0.start = .at(date(4 * day)) }
    // Friday the 4th is before that Saturday.
    #expect(try next(stage) == date(9 * day + 15 * hour))
    let onTheDot = try Self.calendar("20:00") { $0.start = .at(date(2 * hour)) }
    #expect(try next(onTheDot) == date(2 * hour))
    let every = try Self.every(hour) { $0.start = .at(date(30 * minute)) }
    every.wait(3 * hour)
    #expect(starts(every) == [0.5, 1.5, 2.5].map { date($0 * hour) })
  }

  // MARK: Ends of a series

  @Test func countAndUntilEndIt() throws {
    let counted = try Self.every(hour) { $0.series?.count = 3 }
    counted.wait(day)
    #expect(starts(counted).count == 3)
    #expect(counted.state() == .dismissed && !counted.isWaiting)
    let until = try Self.calendar("*:0/30") {
      $0.series?.until = date(hour)
      $0.end = .fromStart(span(minute))
    }
    until.wait(day)
    #expect(starts(until) == [date(30 * minute), date(hour)])
    #expect(until.state() == .dismissed)
  }

  @Test func whatCanNeverComeIsRefused() throws {
    let stage = Stage()
    stage.setZone("UTC", .utc)
    func series(_ text: String, until: WallTime? = nil) -> SeriesRequest {
      SeriesRequest(rule: .calendar(text, zone: "UTC"), until: until)
    }
    stage.refuses(date: "repeat.calendar") { stage in
      try stage.request { $0.series = series("2025-*-* 09:00") }
    }
    stage.refuses(date: "repeat.calendar") { stage in
      try stage.request { $0.series = SeriesRequest(rule: .calendar("daily", zone: "No/Zone")) }
    }
    stage.refuses(date: "repeat.untilDate") { stage in
      try stage.request { $0.series = series("20:00", until: date(hour)) }
    }
    stage.refuses(date: "endDate") { stage in
      try stage.request {
        $0.series = series("20:00")
        $0.end = .date(date(3 * hour))
      }
    }
    stage.refuses(date: "startByDate") { stage in
      try stage.request {
        $0.series = series("20:00")
        $0.startBy = .date(date(3 * hour))
      }
    }
  }

  @Test func aCancelEndsItAndACancelOfThisDoesNot() throws {
    for seconds in [hour, 2 * hour, 4 * hour] {
      let stage = try Self.calendar("20:00") { $0.end = .fromStart(span(hour)) }
      stage.wait(seconds)
      let found = stage.state()
      #expect(try stage.cancel(onlyThis: true) == found)
      #expect(stage.state() == .pending)
      #expect(try next(stage) == date(26 * hour))
      #expect(try stage.cancel() == .pending)
      #expect(stage.state() == .dismissed && !stage.isWaiting)
      stage.wait(3 * day)
      #expect(stage.state() == .dismissed)
    }
  }

  @Test func whoeverTakesOneAwayLeavesTheOthers() throws {
    let leaves: [(Stage) throws -> Void] = [
      { try $0.dismiss() }, { _ = try $0.end() }, { try $0.end { $0.dismissal = .immediate } },
    ]
    for leave in leaves {
      let stage = try Self.calendar("20:00")
      stage.wait(3 * hour)
      try leave(stage)
      stage.wait(5 * hour)
      #expect(try stage.session().number == 2)
      #expect(try next(stage) == date(26 * hour))
      try leave(stage)
      #expect(try stage.session().number == 3)
      #expect(try next(stage) == date(50 * hour))
    }
  }

  // MARK: Skipping

  @Test func skipMovesThePendingOneOn() throws {
    let stage = try Self.calendar("20:00")
    #expect(try stage.skip() == date(2 * hour))
    #expect(stage.events.last?.kind == .skipped && stage.events.last?.skipped == date(2 * hour))
    #expect(try stage.session().number == 1)
    #expect(try next(stage) == date(26 * hour))
    #expect(try stage.skip() == date(26 * hour))
    stage.restart(after: 1)
    #expect(try next(stage) == date(50 * hour))
    stage.wait(3 * day)
    #expect(starts(stage) == [date(50 * hour)])
  }

  @Test func skipOfARunningOneIsAboutTheNext() throws {
    let stage = try Self.every(hour)
    #expect(try stage.skip() == date(hour))
    #expect(stage.state() == .active)
    stage.wait(2 * hour)
    #expect(starts(stage) == [date(0), date(2 * hour)])
  }

  @Test func skippingTheLastEndsIt() throws {
    let stage = try Self.calendar("20:00") { $0.series?.until = date(day) }
    #expect(try stage.skip() == date(2 * hour))
    #expect(stage.state() == .dismissed)
    stage.refuses(.activityOver(session: 1, state: .dismissed, reason: .cancelled)) {
      try $0.skip()
    }
    let plain = Stage()
    try plain.schedule()
    plain.refuses(.noNextOccurrence) { try $0.skip() }
  }

  // MARK: Downtime and clocks

  @Test func downtimeMakesOneLateOccurrence() throws {
    let stage = try Self.calendar("20:00") { $0.hasAlert = true }
    stage.sleep(10 * day + 3 * hour)
    // The last date that has come, and by how much: not ten of them, and not ten days.
    #expect(stage.news() == ["tea started late 3600s with alert"])
    #expect(starts(stage) == [date(10 * day + 2 * hour)])
    #expect(try next(stage) == date(11 * day + 2 * hour))
  }

  @Test func aRunningOneIsReplacedByOneLateOccurrence() throws {
    let stage = try Self.every(5)
    stage.sleep(3602)
    #expect(
      stage.news() == [
        "tea dismissed (replaced) late 3597s", "tea scheduled", "tea started late 2s",
      ])
    // Catching up moves nothing.
    stage.wait(3)
    #expect(starts(stage).last == date(3605))
  }

  @Test func oneThatIsTooLateIsMissedAndTheNextIsPending() throws {
    let stage = try Self.calendar("20:00") { $0.startBy = .fromStart(span(hour)) }
    stage.sleep(3 * day + 4 * hour)
    #expect(stage.news() == ["tea dismissed (missed) late 7200s", "tea scheduled"])
    #expect(try next(stage) == date(4 * day + 2 * hour))
    // What is within its time is not.
    stage.sleep(22 * hour + 30 * minute)
    #expect(stage.news() == ["tea started late 1800s"])
  }

  @Test func aJumpOfCenturiesCostsALookAndNoMore() throws {
    for stage in [try Self.calendar("*:*:*"), try Self.every(1)] {
      stage.sleep(400 * 365.25 * day + 0.5)
      #expect(starts(stage).count <= 2)
      let last = try #require(starts(stage).last)
      #expect(stage.now.wall.microseconds - last.microseconds < 1_000_000)
      let ahead = try #require(try next(stage))
      #expect(ahead > stage.now.wall)
      #expect(ahead.microseconds - stage.now.wall.microseconds <= 1_000_000)
    }
  }

  @Test func anElapsedRepeatDoesNotMindTheClock() throws {
    let stage = try Self.every(5)
    stage.wait(12)
    stage.setClock(by: hour)
    stage.setClock(by: -3 * hour)
    _ = stage.news()
    stage.wait(3)
    #expect(stage.news().last == "tea started")
    #expect(stage.events.filter { $0.kind == .started }.count == 4)
    stage.reboot(after: 4)
    stage.wait(1)
    #expect(stage.events.last?.kind == .started && stage.events.last?.lateness == 0)
  }

  @Test func aClockSetForwardMakesOneLateOccurrence() throws {
    let stage = try Self.calendar("*:*:0/5")
    stage.setClock(by: hour + 2)
    #expect(stage.events.filter { $0.kind == .started }.count == 1)
    #expect(stage.events.first { $0.kind == .started }?.lateness == 2_000_000)
  }

  @Test func occurrencesMadeBeforeTheFirstTimeSyncCountElapsedTimeAfterIt() throws {
    let stage = try Self.every(2 * hour)
    stage.reboot(after: minute)
    try stage.cancel(onlyThis: true)
    // The first sync says how far the clocks are apart; a step after it moves no elapsed time.
    stage.setClock(by: 10 * minute)
    stage.setClock(by: 12 * hour)
    #expect(starts(stage).count == 1)
    #expect(try stage.session().state == .pending)
    stage.wait(2 * hour)
    #expect(starts(stage).count == 2)
  }

  @Test func aClockSetFarBackBringsTheDatesOfThen() throws {
    for step in [-2 * 365.0, -60, -3] {
      let stage = try Self.calendar("20:00")
      stage.wait(3 * hour)
      stage.setClock(by: step * day)
      let next = try #require(try next(stage))
      #expect(next > stage.now.wall)
      #expect(next.microseconds - stage.now.wall.microseconds <= microseconds(day), "\(step)")
    }
  }

  @Test func aClockSetBackALittleBringsNoDateTwice() throws {
    let daily = try Self.calendar("20:00")
    daily.wait(2 * hour + 5)
    daily.setClock(by: -hour)
    daily.wait(20 * hour)
    #expect(starts(daily).count == 1)
    // But what comes every five seconds is not silent for an hour.
    let often = try Self.calendar("*:*:0/5")
    often.wait(12)
    often.setClock(by: -hour)
    let count = starts(often).count
    often.wait(20)
    #expect(starts(often).count == count + 4)
    // Nor is one early that has never come.
    let waiting = try Self.calendar("20:00")
    waiting.setClock(by: -30 * day)
    #expect(try next(waiting) == date(2 * hour - 30 * day))
  }

  // MARK: Zones

  private func berlin(_ text: String, at instant: String) throws -> Stage {
    let stage = Stage()
    stage.setZone("Europe/Berlin", try ZoneDatabase().rules("Europe/Berlin"))
    let start = try WallTime(rfc3339: instant)
    stage.setClock(by: Double(start.microseconds - stage.now.wall.microseconds) / 1_000_000)
    try stage.request {
      $0.series = SeriesRequest(rule: .calendar(text, zone: "Europe/Berlin"))
    }
    return stage
  }

  @Test func aDateInAGapMovesForwardByTheGap() throws {
    let stage = try berlin("02:30", at: "2027-03-26T12:00:00Z")
    stage.wait(4 * day)
    #expect(
      starts(stage).map(\.rfc3339) == [
        "2027-03-27T01:30:00.000000Z", "2027-03-28T01:30:00.000000Z",
        "2027-03-29T00:30:00.000000Z", "2027-03-30T00:30:00.000000Z",
      ])
  }

  @Test func aDateThatComesTwiceIsTheFirst() throws {
    let stage = try berlin("02:30", at: "2026-10-24T12:00:00Z")
    stage.wait(3 * day)
    #expect(
      starts(stage).map(\.rfc3339) == [
        "2026-10-25T00:30:00.000000Z", "2026-10-26T01:30:00.000000Z",
        "2026-10-27T01:30:00.000000Z",
      ])
  }

  @Test func everyHalfHourIsElapsedThroughAChangeOfTheClocks() throws {
    let stage = try Self.every(30 * minute)
    stage.wait(day)
    #expect(starts(stage).count == 49)
  }

  @Test func otherRulesMoveWhatIsAhead() throws {
    let stage = try Self.calendar("20:00", zone: "Africa/Casablanca")
    let before = try #require(try next(stage))
    stage.wait(60)
    let rules = try #require(TimeZoneRules(fixedOffsetSeconds: 0))
    stage.setZone("Africa/Casablanca", rules.named("Africa/Casablanca"))
    #expect(stage.news() == ["tea rescheduled"])
    #expect(try next(stage) == date(2 * hour))
    #expect(before == date(hour))
    // One that somebody moved stays where it is.
    try stage.reschedule { $0.start = .at(date(90 * minute)) }
    stage.setZone("Africa/Casablanca", try ZoneDatabase().rules("Africa/Casablanca"))
    #expect(try next(stage) == date(90 * minute))
    stage.wait(2 * hour)
    #expect(try next(stage) == date(hour + day))
  }

  // MARK: The ID

  @Test func theIDIsInUseWhileAnotherIsToCome() throws {
    let stage = try Self.calendar("20:00") { $0.end = .fromStart(span(hour)) }
    stage.wait(3.5 * hour)
    #expect(stage.state() == .ended)
    stage.refuses(.activityExists(session: 1, state: .ended)) { try $0.request() }
    #expect(try stage.repeatRequest(ifExists: .fail).isCreated == false)
    #expect(try stage.request { $0.ifExists = .keep }.isCreated == false)
    stage.refuses(.activityOver(session: 1, state: .ended, reason: .ended)) {
      try $0.request { $0.ifExists = .update }
    }
    #expect(try stage.request { $0.ifExists = .replace }.isCreated)
    stage.wait(3 * day)
    #expect(starts(stage).count == 2)
  }

  @Test func anUpdateByRequestChangesTheSeries() throws {
    let stage = try Self.calendar("20:00")
    try stage.request {
      $0.ifExists = .update
      $0.series = SeriesRequest(rule: .calendar("21:00", zone: "UTC"))
      $0.hasAlert = true
      $0.end = .fromStart(span(60))
    }
    #expect(try next(stage) == date(3 * hour))
    stage.wait(day)
    _ = stage.news()
    stage.wait(4 * hour)
    #expect(stage.news().contains("tea started with alert"))
    #expect(starts(stage) == [date(3 * hour), date(27 * hour)])
  }

  @Test func aMoveIsAboutOneOccurrence() throws {
    let stage = try Self.calendar("20:00") {
      $0.reminders = [span(60)]
      $0.hasAlert = true
    }
    try stage.reschedule { $0.start = .at(date(5 * hour)) }
    stage.wait(day)
    #expect(stage.events.first { $0.kind == .reminded }?.due == date(5 * hour - 60))
    stage.wait(day)
    #expect(starts(stage) == [date(5 * hour), date(26 * hour)])
    #expect(stage.events.last { $0.kind == .reminded }?.due == date(26 * hour - 60))
  }

  // MARK: Keeping

  @Test func itSurvivesRestartsAndReboots() throws {
    let stage = try Self.calendar("20:00")
    for _ in 0..<6 {
      stage.restart(after: 3 * hour)
      stage.reboot(after: 5 * hour)
    }
    #expect(starts(stage) == [date(2 * hour), date(26 * hour)])
    let elapsed = try Self.every(7 * hour)
    for _ in 0..<4 { elapsed.reboot(after: 7 * hour) }
    #expect(starts(elapsed).count == 5)
  }

  @Test func anUndoneBatchMakesNoOccurrence() throws {
    let stage = try Self.calendar("*:0/30") { $0.end = .fromStart(span(minute)) }
    for _ in 0..<6 {
      stage.move(by: microseconds(20 * minute))
      let before = stage.dump()
      _ = stage.core.advance(to: stage.now)
      let events = stage.core.events
      stage.undo()
      #expect(stage.dump() == before)
      _ = stage.core.advance(to: stage.now)
      #expect(stage.core.events == events)
      stage.keep()
      let kept = stage.dump()
      _ = try? stage.core.skip(try stage.target("tea"), by: .anna, at: stage.now)
      _ = try? stage.core.cancel(
        try stage.target("tea"), onlyThis: true, by: .anna, at: stage.now)
      stage.undo()
      #expect(stage.dump() == kept)
    }
  }

  @Test func itCountsOnceAgainstTheLimit() throws {
    var limits = Limits()
    limits.activitiesPerUser = 1
    let stage = Stage(limits: limits)
    try stage.request { $0.series = SeriesRequest(rule: .every(span(60))) }
    stage.refuses(.tooManyActivities(limit: 1)) { try $0.request("other") }
    stage.wait(10 * minute)
    #expect(starts(stage).count == 11)
  }

  @Test func whatSomebodyDisabledGoesOnRepeating() throws {
    let stage = try Self.every(60)
    stage.setEnabled(false)
    stage.wait(120)
    #expect(starts(stage).count == 3)
  }
}
