import LiveActivity
import Scheduling
import Testing

/// More unsettled alerts than a user may have, and alerts for several people.
@Suite struct ManyAlerts {
  func limits(_ count: Int) -> Limits {
    var limits = Limits()
    limits.unsettledAlertsPerUser = count
    return limits
  }

  @Test func beyondTheLimitTheOldestExpires() throws {
    let stage = Stage(limits: limits(2))
    for id in ["a", "b", "c"] { try stage.request(id) { $0.hasAlert = true } }
    #expect(stage.news().suffix(2) == ["c started with alert", "a alertSettled 2 expired"])
    #expect(stage.unsettled == [4, 6])
  }

  @Test func noStartIsRefusedForIt() throws {
    let stage = Stage(limits: limits(1))
    for number in 0..<10 {
      try stage.schedule("t\(number)", in: Double(10 + number)) { $0.hasAlert = true }
    }
    stage.sleep(60)
    #expect(stage.core.counts.active == 10)
    #expect(stage.unsettled.count == 1)
  }

  @Test func itIsCountedByOwner() throws {
    let stage = Stage(limits: limits(1))
    try stage.request("a") { $0.hasAlert = true }
    try stage.request("b", owner: .bert) { $0.hasAlert = true }
    #expect(stage.unsettled == [2, 4])
  }

  @Test func rootHasNoLimit() throws {
    let stage = Stage(limits: limits(1))
    for id in ["a", "b", "c"] { try stage.request(id, owner: .root) { $0.hasAlert = true } }
    #expect(stage.unsettled.count == 3)
  }

  @Test func whatExpiresOfTheSameSessionStaysInItsHistory() throws {
    let stage = Stage(limits: limits(1))
    try stage.request {
      $0.hasAlert = true
      $0.stale = .fromStart(span(5))
    }
    stage.wait(5)
    _ = stage.newEvents()
    try stage.update {
      $0.hasAlert = true
      $0.stale = .clear
    }
    let events = stage.newEvents()
    #expect(events.map(\.kind) == [.updated, .alertSettled, .fresh])
    #expect(events.map(\.previous) == [3, 4, 5])
    #expect(try stage.session().last == 6)
  }

  @Test func anEndThatDrivesOutAnOlderAlertTellsItOnce() throws {
    let stage = Stage(limits: limits(1))
    try stage.request { $0.hasAlert = true }
    _ = stage.news()
    try stage.end {
      $0.hasAlert = true
      $0.dismissal = .immediate
    }
    let events = stage.newEvents()
    #expect(events.map(\.kind) == [.ended, .alertSettled, .dismissed])
    #expect(events.map(\.previous) == [2, 3, 4])
    #expect(stage.unsettled == [3])
  }

  @Test func aLoweredLimitTouchesNothingThatWaits() throws {
    let stage = Stage()
    for id in ["a", "b", "c"] { try stage.request(id) { $0.hasAlert = true } }
    stage.core.limits = limits(2)
    stage.wait(1)
    #expect(stage.unsettled.count == 3)
  }

  // MARK: A wider audience

  func shared() throws -> Stage {
    let stage = Stage()
    try stage.request {
      $0.hasAlert = true
      $0.isShared = true
    }
    _ = stage.news()
    return stage
  }

  @Test func eachOfAnAudienceSettlesForThemselves() throws {
    let stage = try shared()
    stage.confirm(2, by: .anna)
    #expect(stage.open(for: .anna) == [])
    #expect(stage.open(for: .bert) == [2])
    stage.confirm(2, by: .anna)
    stage.confirm(2, .failed, by: .bert)
    #expect(
      stage.news() == [
        "tea alertSettled 2 shown by 1000", "tea alertSettled 2 failed by 1001",
      ])
    #expect(stage.unsettled == [2])
  }

  @Test func whoHasSettledItIsKept() throws {
    let stage = try shared()
    stage.confirm(2, by: .bert)
    stage.restart(after: 1)
    #expect(stage.open(for: .bert) == [])
    #expect(stage.open(for: .anna) == [2])
  }

  @Test func itExpiresForAllTheOthersAtOnce() throws {
    let stage = try shared()
    stage.confirm(2, by: .bert)
    _ = stage.news()
    stage.wait(15 * minute)
    #expect(stage.news() == ["tea alertSettled 2 expired"])
    #expect(stage.open(for: .anna) == [])
  }

  @Test func aConfirmationPutsOffNoExpiry() throws {
    let stage = try shared()
    stage.wait(10 * minute)
    stage.confirm(2, by: .bert)
    stage.wait(5 * minute)
    #expect(stage.unsettled == [])
  }

  @Test func whoDismissesItForThemselvesIsNotToldAnyMore() throws {
    let stage = try shared()
    try stage.dismiss(by: .bert, isForAll: false)
    #expect(stage.open(for: .bert) == [])
    #expect(stage.open(for: .anna) == [2])
  }

  @Test func aCancelWithdrawsItForAll() throws {
    let stage = try shared()
    try stage.cancel()
    #expect(stage.news().last == "tea alertSettled 2 withdrawn by 1000")
    #expect(stage.unsettled == [])
  }
}
