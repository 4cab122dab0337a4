import LiveActivity
import Scheduling
import Testing

@Suite struct Snoozes {
  func stage(shared: Bool = false) throws -> Stage {
    let stage = Stage()
    try stage.request {
      $0.hasAlert = true
      $0.isShared = shared
    }
    _ = stage.news()
    return stage
  }

  @Test func itComesAgainUnderANumberOfItsOwn() throws {
    let stage = try stage()
    #expect(try stage.snooze(2, for: 300) == date(300))
    let put = try #require(stage.newEvents().first)
    #expect(put.kind == .alertSnoozed && put.alertSequence == 2 && put.due == date(300))
    #expect(put.by == .anna && put.alert == nil)
    #expect(stage.open(for: .anna) == [])
    stage.wait(299.999)
    #expect(stage.newEvents().isEmpty)
    stage.wait(0.001)
    let again = try #require(stage.newEvents().first)
    #expect(again.kind == .alertSnoozed && again.alertSequence == 2 && again.by == nil)
    #expect(again.alert == AlertSource(row: 2, field: .startAlert))
    #expect(stage.open(for: .anna) == [again.sequence])
    stage.wait(15 * minute)
    #expect(stage.news() == ["tea alertSettled 4 expired"])
  }

  @Test func oneThatWasShownCanBePutOff() throws {
    let stage = try stage()
    stage.confirm(2)
    try stage.snooze(2, for: 60)
    stage.wait(60)
    #expect(stage.open(for: .anna) == [5])
  }

  @Test func itCountsOnBoottime() throws {
    let stage = try stage()
    try stage.snooze(2, for: 60)
    stage.setClock(by: day)
    stage.wait(59.999)
    #expect(stage.open(for: .anna) == [])
    stage.wait(0.001)
    #expect(stage.open(for: .anna).count == 1)
  }

  @Test func aSuspendMakesItLate() throws {
    let stage = try stage()
    try stage.snooze(2, for: 60)
    _ = stage.news()
    stage.sleep(100)
    #expect(stage.news() == ["tea alertSnoozed 2 late 40s with alert"])
    #expect(stage.open(for: .anna).count == 1)
  }

  @Test func itSurvivesAReboot() throws {
    let stage = try stage()
    try stage.snooze(2, for: 600)
    stage.reboot(after: 60)
    #expect(stage.open(for: .anna) == [])
    stage.wait(540)
    #expect(stage.open(for: .anna).count == 1)
    stage.reboot(after: 1)
    #expect(stage.open(for: .anna).count == 1)
    #expect(stage.open(for: .bert) == [])
  }

  @Test func anotherSnoozeTakesThePlaceOfTheFirst() throws {
    let stage = try stage()
    try stage.snooze(2, for: 60)
    try stage.snooze(2, for: 120)
    stage.wait(119.999)
    #expect(stage.open(for: .anna) == [])
    stage.wait(hour)
    #expect(stage.events.filter { $0.alert != nil }.count == 2)
  }

  @Test func whatCameAgainCanBePutOffAgain() throws {
    let stage = try stage()
    try stage.snooze(2, for: 60)
    stage.wait(60)
    try stage.snooze(4, for: 60)
    #expect(stage.open(for: .anna) == [])
    stage.wait(60)
    #expect(stage.open(for: .anna) == [6])
    #expect(stage.events.last?.alertSequence == 4)
  }

  @Test func aCancelEndsIt() throws {
    let stage = try stage()
    try stage.snooze(2, for: 60)
    _ = stage.news()
    try stage.cancel()
    #expect(
      stage.news() == ["tea dismissed (cancelled)", "tea alertSettled 2 withdrawn by 1000"])
    stage.wait(day)
    #expect(stage.news() == [])
  }

  @Test func anEndEndsIt() throws {
    let stage = try stage()
    try stage.snooze(2, for: 60)
    try stage.end()
    _ = stage.news()
    stage.wait(hour)
    #expect(stage.news() == [])
    #expect(stage.unsettled == [])
  }

  @Test func aDismissalByDateDoesNot() throws {
    let stage = try stage()
    try stage.end {
      $0.hasAlert = true
      $0.dismissal = .after(date(30))
    }
    try stage.snooze(3, for: 60)
    stage.wait(30)
    #expect(stage.state() == .dismissed)
    let before = try stage.stored()
    _ = stage.news()
    stage.wait(30)
    #expect(stage.news() == ["tea alertSnoozed 3 with alert"])
    #expect(stage.state() == .dismissed)
    var after = try stage.stored()
    after.last = before.last
    #expect(after == before)
  }

  @Test func ofADismissedOneNothingCanBePutOff() throws {
    let stage = try stage()
    try stage.end {
      $0.hasAlert = true
      $0.dismissal = .immediate
    }
    stage.refuses(.activityOver(session: 1, state: .dismissed, reason: .ended)) {
      try $0.snooze(3, for: 60)
    }
  }

  @Test func aSnoozeIsNoChange() throws {
    let stage = try stage()
    try stage.snooze(2, for: 60)
    stage.wait(60)
    #expect(try stage.session().sequence == 2)
  }

  // MARK: A wider audience

  @Test func ofAWiderAudienceItIsPutOffForThatPersonAlone() throws {
    let stage = try stage(shared: true)
    try stage.snooze(2, for: 60, by: .bert)
    #expect(stage.open(for: .bert) == [])
    #expect(stage.open(for: .anna) == [2])
    stage.wait(60)
    #expect(stage.open(for: .bert) == [4])
    #expect(stage.open(for: .anna) == [2])
    stage.confirm(4, by: .anna)
    #expect(stage.unsettled == [2, 4])
    stage.confirm(4, by: .bert)
    #expect(stage.unsettled == [2])
  }

  @Test func twoPeopleMayPutItOff() throws {
    let stage = try stage(shared: true)
    try stage.snooze(2, for: 60, by: .bert)
    try stage.snooze(2, for: 90, by: .anna)
    stage.wait(60)
    #expect(stage.open(for: .bert).count == 1)
    #expect(stage.open(for: .anna) == [])
    stage.wait(30)
    #expect(stage.open(for: .anna).count == 1)
  }

  @Test func whoDismissesItForThemselvesHearsNoMoreOfIt() throws {
    let stage = try stage(shared: true)
    try stage.snooze(2, for: 60, by: .bert)
    try stage.dismiss(by: .bert, isForAll: false)
    stage.wait(60)
    #expect(stage.open(for: .bert) == [])
    #expect(stage.open(for: .anna) == [2])
  }
}
