import ActivityStore
import LiveActivity
import SchedulerAPI
import Testing

@testable import SchedulerService

/// Series and the zones that their calendars are read in. The clock is at 2026-12-01, 18:30 UTC.
@Suite struct SeriesZones {
  private func stage(_ land: ZoneLand, _ rule: Repeat) throws -> EngineStage {
    let stage = try EngineStage(zones: land.zones)
    try stage.request("a") {
      $0.repeats = rule
      $0.end = .after(.seconds(60))
    }
    try stage.commit()
    return stage
  }

  private func ahead(_ stage: EngineStage) throws -> String? {
    let activity = try stage.get("a")
    return (activity.state == .pending ? activity.startDate : activity.nextStartDate)?.rfc3339
  }

  private func events(_ stage: EngineStage) throws -> [ActivityEvent] {
    try stage.engine.store.events(after: 0, limit: 100).map { try stage.engine.records.event($0) }
  }

  @Test func withoutAZoneItIsTheMachinesOfNowAndStaysThat() throws {
    let land = try ZoneLand("Asia/Tokyo")
    let stage = try stage(land, Repeat(calendar: "09:00"))
    #expect(try stage.get("a").repeats?.zone == "Home")
    #expect(try ahead(stage) == "2026-12-02T00:00:00.000000Z")
    land.zones.tz = "Away"
    try stage.engine.noteZones()
    #expect(try stage.sweep().isEmpty)
    try stage.reopen()
    #expect(try ahead(stage) == "2026-12-02T00:00:00.000000Z")
  }

  @Test func aFloatingOneFollowsTheMachine() throws {
    let land = try ZoneLand("Asia/Tokyo")
    let stage = try stage(land, Repeat(calendar: "09:00", isFloating: true))
    #expect(try ahead(stage) == "2026-12-02T00:00:00.000000Z")
    land.zones.tz = "Away"
    try stage.engine.noteZones()
    let moved = try #require(try stage.sweep().first)
    #expect(moved.kind == .rescheduled && moved.cause == .zone)
    #expect(moved.formerStartDate?.rfc3339 == "2026-12-02T00:00:00.000000Z")
    #expect(try ahead(stage) == "2026-12-02T08:00:00.000000Z")
    try stage.pass(14 * 3600)
    #expect(try ahead(stage) == "2026-12-03T08:00:00.000000Z")
  }

  @Test func newRulesMoveWhatIsAheadAndNothingThatHasBeen() throws {
    let land = try ZoneLand("Asia/Tokyo")
    let stage = try stage(land, Repeat(calendar: "20:00", zone: "Away"))
    try stage.pass(1800)
    let past = try events(stage)
    #expect(try stage.get("a").startedDate?.rfc3339 == "2026-12-01T19:00:00.000000Z")
    #expect(try stage.get("a").startDate?.rfc3339 == "2026-12-01T19:00:00.000000Z")
    try land.set("Away", "America/New_York")
    try stage.engine.noteZones()
    try stage.sweep()
    // Tonight's is over; by the new rules there is another one tonight.
    #expect(try ahead(stage) == "2026-12-02T01:00:00.000000Z")
    #expect(try Array(events(stage).prefix(past.count)) == past)
    #expect(try stage.get("a").startDate?.rfc3339 == "2026-12-01T19:00:00.000000Z")
  }

  /// Neither UTC nor anything else stands in for a zone that cannot be read, and the series goes on with
  /// it once it can.
  @Test func aZoneThatIsGoneForAWhileEndsNothing() throws {
    let land = try ZoneLand("Asia/Tokyo")
    let stage = try stage(land, Repeat(calendar: "20:00", zone: "Away"))
    try land.remove("Away")
    try stage.reopen()
    try stage.sweep()
    #expect(try ahead(stage) == "2026-12-01T19:00:00.000000Z")
    #expect(throws: SchedulerError.self) {
      try stage.request("b") { $0.repeats = Repeat(calendar: "20:00", zone: "Away") }
    }
    try stage.pass(1800)
    #expect(try ahead(stage) == "2026-12-02T19:00:00.000000Z")
    try stage.pass(86_400)
    #expect(try stage.get("a").session == 2)
    #expect(try ahead(stage) == nil)
    try land.set("Away", "Europe/Berlin")
    try stage.engine.noteZones()
    try stage.sweep()
    #expect(try ahead(stage) == "2026-12-03T19:00:00.000000Z")
    try stage.pass(86_400)
    #expect(try stage.get("a").session == 3)
  }
}
