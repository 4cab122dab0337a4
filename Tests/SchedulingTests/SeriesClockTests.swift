import LiveActivity
import Scheduling
import Testing
import TimeExpressions

/// Series while clocks are set, machines sleep and boot with a wrong clock: dates are neither stuck in
/// an epoch that is over, nor made up for one by one.
@Suite struct SeriesClocks {
  static let rules: [String] = ["20:00", "*:0/30", "Mon..Fri 09:00", "*-*-1 06:00", "*:*:0/5"]
  /// What the dates of each are apart at most.
  static let apart: [Double] = [86_400, 1800, 3 * 86_400, 31 * 86_400, 5]
  /// An hour both ways, three days, two years back, 25 and 400 years ahead.
  static let steps: [Double] = [
    -3600, 3600, -259_200, -63_072_000, 788_940_000, 12_623_040_000,
  ]
  static let errors: [Double] = [-259_200, 259_200, 630_720_000, -1_766_016_000]

  private func starts(_ stage: Stage) -> [WallTime] {
    stage.events.filter { $0.kind == .started }.compactMap(\.due)
  }

  private func ahead(_ stage: Stage) throws -> WallTime? {
    let session = try stage.session()
    return session.state == .pending
      ? session.startDate(at: stage.now) : session.nextStartDate(at: stage.now)
  }

  /// Its next date is ahead, and no further off than the dates are apart.
  private func expectNear(
    _ stage: Stage, within seconds: Double, _ what: Comment,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let date = try #require(try ahead(stage), what, sourceLocation: sourceLocation)
    let distance = date.microseconds - stage.now.wall.microseconds
    #expect(
      distance > 0 && distance <= microseconds(seconds), what, sourceLocation: sourceLocation)
  }

  // MARK: Steps

  @Test(arguments: rules.indices, steps)
  func aStepLeavesTheNextDateNear(_ index: Int, _ step: Double) throws {
    let rule = (Self.rules[index], Self.apart[index])
    let stage = try SeriesTests.calendar(rule.0)
    stage.setClock(by: step)
    // At most one comes late for it.
    #expect(starts(stage).count <= 1)
    try expectNear(stage, within: max(rule.1, rule.1 - step), "\(rule) by \(step)")
    // And back, as a clock that was wrong for a while: nothing is left of that epoch.
    stage.wait(rule.1)
    let count = starts(stage).count
    stage.setClock(by: -step)
    #expect(starts(stage).count <= count + 1)
    try expectNear(stage, within: max(rule.1, rule.1 + step), "\(rule) by \(step) and back")
    stage.wait(hour + 2 * rule.1)
    #expect(starts(stage).count > count, "silent")
  }

  /// One o'clock, the next at two, and the clock goes back to midnight.
  @Test func aStepBackOfAnHourLeavesTonightsDate() throws {
    let stage = try SeriesTests.calendar("02:00")
    stage.wait(7 * hour)
    stage.setClock(by: -hour)
    #expect(try ahead(stage) == date(8 * hour))
    stage.wait(2 * hour - 0.001)
    #expect(starts(stage) == [])
    stage.wait(0.001)
    #expect(starts(stage) == [date(8 * hour)])
  }

  @Test(arguments: [2045, 2098, 9998])
  func aMachineBornInTheFutureLeavesItThere(_ year: Int) throws {
    let stage = Stage()
    stage.setZone("UTC", .utc)
    let born = try WallTime(rfc3339: "\(year)-01-01T00:00:00Z")
    let error = Double(born.microseconds - stage.now.wall.microseconds) / 1_000_000
    stage.setClock(by: error)
    try stage.request { $0.series = SeriesRequest(rule: .calendar("20:00", zone: "UTC")) }
    stage.wait(3 * day)
    stage.setClock(by: -error)
    try expectNear(stage, within: day, "\(year)")
    let count = starts(stage).count
    stage.wait(3 * day)
    #expect(starts(stage).count == count + 3)
  }

  @Test func whatWasDueBeforeAStepBackComesOnce() throws {
    let stage = try SeriesTests.calendar("20:00")
    stage.move(by: microseconds(2 * hour + 1))
    stage.setClock(by: -minute)
    // The daemon read the clock only after the step: it is not due yet, and not lost.
    #expect(starts(stage) == [])
    stage.wait(minute)
    #expect(starts(stage) == [date(2 * hour)])
    stage.move(by: microseconds(day))
    stage.advance()
    stage.setClock(by: -minute)
    stage.wait(2 * minute)
    #expect(starts(stage) == [date(2 * hour), date(26 * hour)])
  }

  @Test(arguments: [1.0, 0.001, 0.000_001])
  func aWakeThatComesTooSoonMakesNone(_ early: Double) throws {
    for stage in [try SeriesTests.calendar("20:00"), try SeriesTests.every(2 * hour)] {
      let before = starts(stage).count
      stage.sleep(2 * hour - early)
      #expect(starts(stage).count == before)
      stage.sleep(early)
      #expect(starts(stage).count == before + 1 && starts(stage).last == date(2 * hour))
      stage.advance()
      #expect(starts(stage).count == before + 1)
    }
  }

  @Test func aDateFinerThanAMillisecondIsNotEarly() throws {
    let stage = try SeriesTests.calendar("*:*:10.0004")
    stage.sleep(10.000_999)
    #expect(starts(stage) == [])
    stage.sleep(0.000_001)
    #expect(starts(stage) == [date(10.001)])
    #expect(try ahead(stage) == date(70.001))
  }

  // MARK: Boots

  @Test(arguments: errors)
  func aWrongClockAtTheBootIsForgottenWithTheFirstSync(_ error: Double) throws {
    for rule in ["20:00", "*:0/30"] {
      let stage = try SeriesTests.calendar(rule)
      stage.wait(hour)
      stage.reboot(after: 10 * minute, error: error)
      // One may have come late, by the clock as it was.
      #expect(starts(stage).count <= 2 + 1)
      stage.wait(minute)
      stage.setClock(by: -error)
      try expectNear(stage, within: day, "\(rule) by \(error)")
      let count = starts(stage).count
      stage.wait(2 * day)
      #expect(starts(stage).count >= count + 2, "\(rule) by \(error)")
    }
  }

  /// What it remembers of occurrences that have come lies a year ahead: it is not believed.
  @Test(arguments: [31_536_000.0, 259_200])
  func aPastThatLiesAheadIsNotBelieved(_ error: Double) throws {
    let stage = try SeriesTests.calendar("20:00")
    stage.setClock(by: error)
    stage.wait(3 * hour)
    #expect(try #require(starts(stage).last) > date(2 * day))
    // The daemon is down while the clock is put right.
    stage.move(by: 0)
    stage.now.wall.microseconds -= microseconds(error)
    stage.restart(after: minute)
    try expectNear(stage, within: day, "after \(error)")
    let count = starts(stage).count
    stage.wait(2 * day)
    #expect(starts(stage).count == count + 2)
  }

  @Test func whatCameAtTheResumeDoesNotComeAgainAtTheBoot() throws {
    let stage = try SeriesTests.calendar("20:00")
    try stage.request("once") { $0.start = .at(date(2 * hour)) }
    stage.sleep(3 * hour)
    #expect(starts(stage).count == 2)
    stage.reboot(after: 5 * minute)
    #expect(starts(stage).count == 2)
    stage.restart(after: minute)
    #expect(starts(stage).count == 2)
    #expect(try ahead(stage) == date(26 * hour))
  }

  // MARK: Downtime

  /// The dates after a catch-up are those without one.
  @Test func aCatchUpLeavesTheNominalDates() throws {
    let makers: [() throws -> Stage] = [
      { try SeriesTests.calendar("*:0/20") }, { try SeriesTests.every(1200) },
      { try SeriesTests.every(433) },
    ]
    for make in makers {
      let (awake, asleep) = (try make(), try make())
      awake.wait(30 * day)
      asleep.wait(2 * hour)
      asleep.sleep(5 * day + 1020.5)
      asleep.reboot(after: 2 * day + 1)
      asleep.setClock(by: 0)
      asleep.wait(23 * day - 2 * hour - 1021.5)
      #expect(asleep.now.wall == awake.now.wall)
      #expect(starts(asleep).count < starts(awake).count)
      #expect(Set(starts(asleep)).isSubset(of: starts(awake)))
      #expect(starts(asleep).suffix(500) == starts(awake).suffix(500))
      #expect(try ahead(asleep) == (try ahead(awake)))
    }
  }

  @Test func thousandsThatWereMissedTurnNothingOff() throws {
    for stage in [try SeriesTests.calendar("*:*:*"), try SeriesTests.every(1)] {
      let before = starts(stage).count
      for round in 1...5 {
        stage.sleep(40 * day + 0.5)
        #expect(starts(stage).count == before + round)
      }
      stage.wait(10)
      #expect(starts(stage).count == before + 15)
      #expect(stage.events.last { $0.kind == .started }?.lateness == 0)
    }
  }

  /// What comes after a count or a last date was slept through is not made up for either.
  @Test func downtimePastTheEndOfASeriesMakesItsLastOne() throws {
    let stage = try SeriesTests.calendar("*:0/30") { $0.series?.until = date(3 * hour) }
    stage.sleep(10 * day)
    #expect(starts(stage) == [date(3 * hour)])
    #expect(try ahead(stage) == nil)
    stage.wait(day)
    #expect(stage.state() == .dismissed)
  }

  // MARK: Changes of local time

  private func stage(_ text: String, _ zone: String, at instant: String) throws -> Stage {
    let stage = Stage()
    stage.setZone(zone, try ZoneDatabase().rules(zone))
    let start = try WallTime(rfc3339: instant)
    stage.setClock(by: Double(start.microseconds - stage.now.wall.microseconds) / 1_000_000)
    try stage.request { $0.series = SeriesRequest(rule: .calendar(text, zone: zone)) }
    _ = stage.news()
    return stage
  }

  @Test(arguments: [
    ("Europe/Berlin", "2026-10-23T12:00:00Z"), ("Europe/Berlin", "2027-03-26T12:00:00Z"),
    ("Europe/Dublin", "2025-03-28T12:00:00Z"), ("Europe/Dublin", "2025-10-24T12:00:00Z"),
    ("Europe/Helsinki", "2017-10-27T12:00:00Z"), ("America/New_York", "2027-03-12T12:00:00Z"),
    ("Australia/Lord_Howe", "2026-04-03T00:00:00Z"),
    ("Australia/Lord_Howe", "2026-10-02T00:00:00Z"),
    ("Africa/Casablanca", "2025-02-21T12:00:00Z"), ("Africa/Casablanca", "2025-04-04T12:00:00Z"),
    ("Antarctica/Troll", "2026-03-27T12:00:00Z"), ("Antarctica/Troll", "2026-10-23T12:00:00Z"),
    ("America/Sao_Paulo", "2018-11-02T12:00:00Z"), ("America/Sao_Paulo", "2019-02-15T12:00:00Z"),
  ])
  func somethingDailyComesDailyThroughAChange(_ zone: String, _ from: String) throws {
    for minute in stride(from: 0, to: 24 * 60, by: 45) {
      let stage = try stage("\(minute / 60):\(minute % 60)", zone, at: from)
      stage.wait(5 * day)
      let dates = starts(stage).map(\.microseconds)
      let gaps = zip(dates, dates.dropFirst()).map { $1 - $0 }
      // Five days of 24 hours are an hour more or less than five days of the calendar.
      #expect((4...6).contains(starts(stage).count), "\(minute)")
      let (low, high) = (microseconds(22 * hour), microseconds(26 * hour))
      #expect(gaps.allSatisfy { low <= $0 && $0 <= high }, "\(minute): \(gaps)")
      #expect(stage.events.allSatisfy { $0.lateness ?? 0 == 0 })
    }
  }

  /// Asked for between both passes of an hour that comes twice, and in the second.
  @Test(arguments: ["2026-10-25T00:59:59Z", "2026-10-25T01:00:00Z", "2026-10-25T01:15:00Z"])
  func aSeriesMadeInARepeatedHourGoesOnAfterIt(_ instant: String) throws {
    let stage = try stage("*:0/30", "Europe/Berlin", at: instant)
    stage.wait(3 * hour)
    let first = try WallTime(rfc3339: "2026-10-25T02:00:00Z")
    #expect(starts(stage).first == first)
    #expect(Set(starts(stage)).count == starts(stage).count)
    #expect((4...6).contains(starts(stage).count))
  }

  @Test func aDayThatAZoneLeavesOutMakesNoSecondOne() throws {
    let stage = try stage("08:00", "Pacific/Apia", at: "2011-12-28T12:00:00Z")
    stage.wait(5 * day)
    #expect(
      starts(stage).map(\.rfc3339) == [
        "2011-12-28T18:00:00.000000Z", "2011-12-29T18:00:00.000000Z",
        "2011-12-30T18:00:00.000000Z", "2011-12-31T18:00:00.000000Z",
        "2012-01-01T18:00:00.000000Z",
      ])
  }

  /// tzdata is amid an upgrade, or gone: no other zone stands in for it, and the series is not over.
  @Test func aZoneThatCannotBeReadEndsNoSeries() throws {
    let stage = try stage("20:00", "Europe/Berlin", at: "2026-12-01T12:00:00Z")
    let rules = try #require(stage.zones["Europe/Berlin"])
    stage.loseZone("Europe/Berlin")
    stage.restart(after: minute)
    stage.wait(8 * hour)
    #expect(starts(stage).map(\.rfc3339) == ["2026-12-01T19:00:00.000000Z"])
    stage.setZone("Europe/Berlin", rules)
    stage.wait(2 * day)
    #expect(
      starts(stage).map(\.rfc3339) == [
        "2026-12-01T19:00:00.000000Z", "2026-12-02T19:00:00.000000Z",
        "2026-12-03T19:00:00.000000Z",
      ])
    // Known again only after the date that it still knew.
    stage.loseZone("Europe/Berlin")
    stage.restart(after: minute)
    stage.wait(day)
    #expect(starts(stage).count == 4)
    stage.restart(after: hour)
    stage.setZone("Europe/Berlin", rules)
    stage.wait(day)
    #expect(starts(stage).count == 5)
  }
}
