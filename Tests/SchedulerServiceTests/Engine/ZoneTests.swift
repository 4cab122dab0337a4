import LiveActivity
import SchedulerAPI
import Testing

@testable import SchedulerService

/// Starts at a wall time: the intent is kept beside the instant, and follows the zones.
@Suite struct Zone {
  private static func wall(_ local: String, _ zone: String? = nil) -> WallStart {
    WallStart(local: local, zone: zone)
  }

  private static let floating = WallStart(local: "2026-12-24T18:30", isFloating: true)

  @Test func aWallTimeIsResolvedAndKeptBesideItsInstant() throws {
    let land = try ZoneLand("Asia/Tokyo")
    try land.version("2026b")
    let stage = try EngineStage(zones: land.zones)
    let made = try stage.request("a") { $0.wallStart = Self.wall("2026-12-24T18:30", "Away") }
    #expect(made.startDate == WallTime("2026-12-24T17:30:00Z"))
    let expected = LocalStart(
      WallStart(local: "2026-12-24T18:30:00", zone: "Away"), tzdata: "2026b")
    #expect(made.localStart == expected)
    let events = try stage.commit()
    #expect(events.map(\.kind) == [.scheduled])
    #expect(events[0].activity?.localStart == expected)
    try stage.reopen()
    #expect(try stage.get("a") == made)
  }

  @Test func withoutAZoneItIsTheMachinesOfNowAndStaysThat() throws {
    let land = try ZoneLand("Asia/Tokyo")
    let stage = try EngineStage(zones: land.zones)
    let made = try stage.request("a") { $0.wallStart = Self.wall("2026-12-24T18:30") }
    #expect(made.startDate == WallTime("2026-12-24T09:30:00Z"))
    #expect(made.localStart?.wall.zone == "Home")
    try stage.commit()
    land.zones.tz = "Away"
    try stage.engine.noteZones()
    #expect(try stage.sweep().isEmpty)
    #expect(try stage.get("a").startDate == made.startDate)
  }

  @Test func aFloatingOneFollowsTheMachine() throws {
    let land = try ZoneLand("Asia/Tokyo")
    let stage = try EngineStage(zones: land.zones)
    let made = try stage.request("a") {
      $0.wallStart = Self.floating
      $0.end = .after(.seconds(3600))
      $0.startBy = .after(.seconds(600))
    }
    #expect(made.startDate == WallTime("2026-12-24T09:30:00Z"))
    try stage.commit()
    land.zones.tz = "Away"
    try stage.engine.noteZones()
    let moved = try #require(try stage.sweep().first)
    #expect(moved.kind == .rescheduled)
    #expect(moved.by == nil)
    #expect(moved.formerStartDate == made.startDate)
    #expect(moved.startDate == WallTime("2026-12-24T17:30:00Z"))
    #expect(moved.endDate == WallTime("2026-12-24T18:30:00Z"))
    #expect(moved.cause == .zone)
    #expect(moved.localStart?.wall.zone == "Away")
    let now = try stage.get("a")
    #expect(now.startByDate == WallTime("2026-12-24T17:40:00Z"))
    #expect(now.sequence == moved.sequence)
    // The event reads the same from the disk, and nothing is left to do.
    try stage.reopen()
    #expect(try stage.get("a") == now)
    try stage.engine.noteZones()
    #expect(try stage.sweep().isEmpty)
  }

  @Test func newRulesOfAZoneMoveWhatIsPendingThereAndNothingElse() throws {
    let land = try ZoneLand("Asia/Tokyo")
    let stage = try EngineStage(zones: land.zones)
    try stage.request("there") { $0.wallStart = Self.wall("2026-12-24T18:30", "Away") }
    try stage.request("here") { $0.wallStart = Self.wall("2026-12-24T18:30") }
    let instant = try #require(WallTime("2026-12-24T17:30:00Z"))
    try stage.request("instant") { $0.start = .at(instant) }
    try stage.request("span") { $0.start = EngineStage.after(600) }
    try stage.request("gone") { $0.wallStart = Self.wall("2026-12-24T18:30", "Away") }
    try stage.request("running") { $0.wallStart = Self.wall("2026-12-01T23:00", "Away") }
    _ = try stage.engine.cancel(
      stage.slot("gone"), ActivityID(stored: "gone"), session: nil, by: EngineStage.ann,
      at: stage.now)
    try stage.commit()
    try stage.pass(4 * 3600)
    #expect(try stage.get("running").state == .active)
    try land.set("Away", "America/New_York")
    try stage.engine.noteZones()
    let moved = try stage.sweep()
    #expect(moved.map(\.id) == ["there"])
    #expect(moved.first?.cause == .tzdata)
    #expect(moved.first?.startDate == WallTime("2026-12-24T23:30:00Z"))
  }

  @Test func aChangeThatHappenedWhileItWasDownIsSeenBeforeAnythingFires() throws {
    let land = try ZoneLand("Asia/Tokyo")
    try land.version("2026a")
    let stage = try EngineStage(zones: land.zones)
    try stage.request("a") { $0.wallStart = Self.wall("2026-12-24T18:30", "Away") }
    try stage.commit()
    // Once all has been looked at, a start with the same data looks at nothing.
    try stage.engine.noteZones()
    try stage.sweep()
    try stage.reopen()
    #expect(try stage.engine.sweep == nil)
    try land.set("Away", "America/New_York")
    try land.version("2026b")
    stage.zones = Zones(directory: land.directory.path, tz: "Home")
    stage.now.wall = try #require(WallTime("2026-12-24T18:00:00Z"))
    try stage.reopen()
    #expect(try stage.engine.sweep != nil)
    #expect(try stage.sweep().map(\.kind) == [.rescheduled])
    #expect(try stage.pass(1).isEmpty)
    #expect(try stage.get("a").localStart?.tzdata == "2026b")
  }

  @Test func aZoneThatCannotBeHadIsAnErrorAndNeverUTC() throws {
    let land = try ZoneLand("Asia/Tokyo")
    let stage = try EngineStage(zones: land.zones)
    func refusal(_ wall: WallStart) -> String? {
      do {
        _ = try stage.engine.zones.resolve(wall)
      } catch {
        guard case .invalidDate(let field, let value, _) = error as? SchedulerError else {
          return "\(error)"
        }
        return field + " " + value
      }
      return nil
    }
    #expect(refusal(Self.wall("2026-12-24T18:30", "Mars/Base")) == "start.zone Mars/Base")
    #expect(refusal(Self.wall("2026-12-24T18:30", "../Home")) == "start.zone ../Home")
    #expect(refusal(Self.wall("2026-12-24T18:30Z")) == "start.local 2026-12-24T18:30Z")
    #expect(refusal(Self.wall("1969-12-31T23:59", "Home")) == "start.local 1969-12-31T23:59")
    // Amid an upgrade a file is not there: what was resolved by it stays.
    try stage.request("a") { $0.wallStart = Self.wall("2026-12-24T18:30", "Away") }
    try stage.commit()
    try land.directory.write("TZif", to: "Away")
    try stage.engine.noteZones()
    #expect(try stage.sweep().isEmpty)
    #expect(try stage.engine.swept?.problem?.contains("Away") == true)
    #expect(try stage.get("a").startDate == WallTime("2026-12-24T17:30:00Z"))
  }

  @Test func aGapAndATimeThatComesTwiceAreTold() throws {
    let stage = try EngineStage(zones: Zones(tz: "Europe/Berlin"))
    let gap = try stage.request("gap") { $0.wallStart = Self.wall("2027-03-28T02:30") }
    #expect(gap.startDate == WallTime("2027-03-28T01:30:00Z"))
    #expect(gap.localStart?.movedMicroseconds == 3_600_000_000)
    #expect(gap.localStart?.wall.local == "2027-03-28T02:30:00")
    let first = try stage.request("first") { $0.wallStart = Self.wall("2027-10-31T02:30") }
    #expect(first.startDate == WallTime("2027-10-31T00:30:00Z"))
    #expect(first.localStart?.isTwice == true)
    let second = try stage.request("second") {
      $0.wallStart = WallStart(local: "2027-10-31T02:30", isSecond: true)
    }
    #expect(second.startDate == WallTime("2027-10-31T01:30:00Z"))
    #expect(second.localStart?.isTwice == true)
    #expect(second.localStart?.wall.isSecond == true)
  }

  @Test func rescheduleAndUpdateSetAndClearTheWallTime() throws {
    let land = try ZoneLand("Asia/Tokyo")
    let stage = try EngineStage(zones: land.zones)
    try stage.request("a") { $0.wallStart = Self.wall("2026-12-24T18:30", "Away") }
    var change = RescheduleParameters(id: ActivityID(stored: "a"))
    change.start = .at(try #require(WallTime("2026-12-25T00:00:00Z")))
    _ = try stage.engine.reschedule(change, by: EngineStage.ann, at: stage.now)
    #expect(try stage.get("a").localStart == nil)
    change.start = nil
    change.wallStart = Self.floating
    change.alert = try EngineStage.alert("Then")
    _ = try stage.engine.reschedule(change, by: EngineStage.ann, at: stage.now)
    #expect(try stage.get("a").localStart?.wall.isFloating == true)
    #expect(try stage.get("a").alert?.title == "Then")
    let updated = try stage.request("a") {
      $0.ifExists = .update
      $0.wallStart = Self.wall("2026-12-26T10:00", "Away")
    }
    #expect(updated.startDate == WallTime("2026-12-26T09:00:00Z"))
    #expect(updated.localStart?.wall.zone == "Away")
    let events = try stage.commit()
    #expect(events.last?.activity?.localStart == updated.localStart)
    #expect(events[1].localStart == nil)
    #expect(events[2].localStart?.wall.isFloating == true)
  }

  @Test func theSameRequestSentAgainIsOneWhateverTheZonesDid() throws {
    let land = try ZoneLand("Asia/Tokyo")
    let stage = try EngineStage(zones: land.zones)
    try stage.request("a") { $0.wallStart = Self.floating }
    try stage.commit()
    land.zones.tz = "Away"
    try stage.engine.noteZones()
    try stage.sweep()
    let again = try stage.request("a") { $0.wallStart = Self.floating }
    #expect(again.session == 1)
    #expect(try stage.commit().isEmpty)
  }

  @Test func aSweepThatCouldNotBeKeptIsDoneAgain() throws {
    let land = try ZoneLand("Asia/Tokyo")
    let stage = try EngineStage(zones: land.zones)
    for id in ["a", "b", "c", "d", "e"] {
      try stage.request(id) { $0.wallStart = Self.floating }
    }
    try stage.commit()
    land.zones.tz = "Away"
    try stage.engine.noteZones()
    // Some are looked at and kept, the next are lost.
    #expect(try stage.engine.sweepZones(among: 2, at: stage.now))
    #expect(try stage.commit().count == 2)
    #expect(try stage.engine.sweepZones(among: 2, at: stage.now))
    try stage.failToCommit()
    #expect(try stage.sweep().count == 3)
    #expect(try stage.get("e").startDate == WallTime("2026-12-24T17:30:00Z"))
  }

  @Test func aStartThatIsPastIsTakenAtOnceIfAsked() throws {
    let stage = try EngineStage()
    let made = try stage.request("a") {
      $0.start = .at(WallTime(microseconds: stage.now.wall.microseconds - 90_000_000))
      $0.allowPast = true
      $0.alert = try? EngineStage.alert("Late")
    }
    #expect(made.state == .active)
    #expect(made.latenessMicroseconds == 90_000_000)
    let events = try stage.commit()
    #expect(events.map(\.kind) == [.scheduled, .started])
    #expect(events[1].dueDate == made.startDate)
    #expect(events[1].alert?.title == "Late")
    #expect(throws: SchedulerError.self) {
      try stage.request("b") {
        $0.start = .at(WallTime(microseconds: stage.now.wall.microseconds - 1_000_000))
      }
    }
    // A start that is ahead is as any other.
    let ahead = try stage.request("c") {
      $0.start = EngineStage.after(60)
      $0.allowPast = true
    }
    #expect(ahead.state == .pending)
    // A late start that is of no use any more is missed.
    let missed = try stage.request("d") {
      $0.start = .at(WallTime(microseconds: stage.now.wall.microseconds - 90_000_000))
      $0.startBy = .after(.seconds(60))
      $0.allowPast = true
    }
    #expect(missed.reason == .missed)
  }
}

extension WallTime {
  fileprivate init?(_ text: String) {
    guard let date = try? WallTime(rfc3339: text) else { return nil }
    self = date
  }
}
