import LiveActivity
import Scheduling
import Testing

@Suite struct Alerts {
  /// A running session whose start alert, event 2, waits.
  func stage(
    shared: Bool = false, limits: Limits = Limits(),
    _ fill: (inout RequestCommand) -> Void = { _ in }
  ) throws -> Stage {
    let stage = Stage(limits: limits)
    try stage.request {
      $0.hasAlert = true
      $0.isShared = shared
      fill(&$0)
    }
    _ = stage.news()
    return stage
  }

  // MARK: Offered and settled

  @Test func theEventThatCarriesAnAlertIsItsNumber() throws {
    let stage = try stage()
    let entry = try #require(stage.core.unsettledAlerts.first)
    #expect(entry.sequence == 2 && entry.original == 2)
    #expect(entry.source == AlertSource(row: 1, field: .startAlert))
    #expect(entry.owner == .anna && entry.first == 1)
    #expect(entry.deadline.date(at: stage.now) == date(15 * minute))
    #expect(stage.open(for: .anna) == [2])
    #expect(stage.open(for: .bert) == [])
  }

  @Test func alertsWaitInOrder() throws {
    let stage = try stage()
    try stage.update { $0.hasAlert = true }
    try stage.update { $0.hasAlert = true }
    #expect(stage.open(for: .anna) == [2, 3, 4])
  }

  @Test(arguments: [AlertOutcome.shown, .failed])
  func theFirstConfirmationSettlesIt(_ outcome: AlertOutcome) throws {
    let stage = try stage()
    stage.confirm(2, outcome)
    #expect(stage.news() == ["tea alertSettled 2 \(outcome.name) by 1000"])
    #expect(stage.unsettled == [])
    stage.confirm(2, .shown)
    stage.wait(hour)
    #expect(stage.news() == [])
  }

  @Test func confirmingWhatIsUnknownHasNoEffect() throws {
    let stage = try stage()
    let before = stage.dump()
    for sequence in [1, 3, 0, -1, Int64.max] { stage.confirm(sequence) }
    #expect(stage.dump() == before)
  }

  @Test func somebodyElsesConfirmationHasNoEffect() throws {
    let stage = try stage()
    let before = stage.dump()
    stage.confirm(2, by: .bert)
    #expect(stage.dump() == before)
  }

  @Test func aSettledAlertIsNoChangeOfTheActivity() throws {
    let stage = try stage()
    stage.confirm(2)
    #expect(try stage.session().sequence == 2)
    #expect(try stage.session().last == 3)
    #expect(try stage.session().isChanged == false)
  }

  // MARK: Expiry

  @Test func itExpiresAfterAQuarterOfAnHour() throws {
    let stage = try stage()
    stage.wait(15 * minute - 0.001)
    #expect(stage.unsettled == [2])
    stage.wait(0.001)
    #expect(stage.news() == ["tea alertSettled 2 expired"])
    #expect(stage.unsettled == [])
  }

  @Test func theTimeIsSettableAndElapsed() throws {
    var limits = Limits()
    limits.alertTimeToLive = span(60)
    let stage = try stage(limits: limits)
    stage.setClock(by: -day)
    stage.setClock(by: 2 * day)
    stage.wait(59.999)
    #expect(stage.unsettled == [2])
    stage.wait(0.001)
    #expect(stage.unsettled == [])
  }

  @Test func aLateStartsAlertHasAllItsTime() throws {
    let stage = Stage()
    try stage.schedule { $0.hasAlert = true }
    stage.sleep(hour)
    stage.wait(15 * minute - 0.001)
    #expect(stage.unsettled == [2])
  }

  @Test func itOutlivesAReboot() throws {
    let stage = try stage()
    stage.wait(5 * minute)
    stage.reboot(after: 5 * minute)
    #expect(stage.unsettled == [2])
    stage.wait(5 * minute)
    #expect(stage.news() == ["tea alertSettled 2 expired"])
  }

  @Test func settlingAfterARebootTouchesNoOtherTimer() throws {
    let stage = try stage()
    stage.reboot(after: 1)
    try stage.request("other")
    stage.confirm(2)
    stage.wait(8 * hour)
    #expect(try stage.session("other").reason == .timeLimit)
    #expect(try stage.session("tea").reason == .timeLimit)
  }

  // MARK: Withdrawn

  @Test func aCancelWithdrawsAll() throws {
    let stage = try stage()
    try stage.update { $0.hasAlert = true }
    _ = stage.news()
    try stage.cancel()
    #expect(
      stage.news() == [
        "tea dismissed (cancelled)", "tea alertSettled 2 withdrawn by 1000",
        "tea alertSettled 3 withdrawn by 1000",
      ])
    #expect(stage.unsettled == [])
  }

  @Test func aReplacementWithdrawsAll() throws {
    let stage = try stage()
    try stage.request { $0.ifExists = .replace }
    #expect(
      stage.news() == [
        "tea dismissed (replaced)", "tea alertSettled 2 withdrawn by 1000", "tea scheduled",
        "tea started",
      ])
  }

  @Test func anEndedOneThatMakesWayWithdrawsItsEndAlert() throws {
    let stage = try stage()
    try stage.end { $0.hasAlert = true }
    _ = stage.news()
    try stage.request()
    #expect(stage.news()[1] == "tea alertSettled 3 withdrawn by 1000")
    #expect(stage.unsettled == [])
  }

  @Test func aPersonsDismissalWithdrawsAll() throws {
    let stage = try stage()
    try stage.dismiss()
    #expect(stage.news().last == "tea alertSettled 2 withdrawn by 1000")
  }

  @Test func anEndWithdrawsWhatCameBeforeItNotItsOwnAlert() throws {
    let stage = try stage()
    try stage.end { $0.hasAlert = true }
    #expect(
      stage.news() == [
        "tea ended (ended) with alert", "tea alertSettled 2 withdrawn by 1000",
      ])
    #expect(stage.unsettled == [3])
  }

  @Test func anEndByItselfToo() throws {
    let stage = try stage {
      $0.end = .fromStart(span(60))
      $0.hasEndAlert = true
    }
    stage.wait(60)
    #expect(stage.news() == ["tea ended (ended) with alert", "tea alertSettled 2 withdrawn"])
    #expect(stage.unsettled == [3])
  }

  @Test func immediateDismissalLeavesTheEndsAlert() throws {
    let stage = try stage()
    try stage.end {
      $0.hasAlert = true
      $0.dismissal = .immediate
    }
    #expect(stage.state() == .dismissed)
    #expect(stage.unsettled == [3])
    _ = stage.news()
    stage.confirm(3)
    #expect(stage.news() == ["tea alertSettled 3 shown by 1000"])
  }

  @Test func dismissalByDateLeavesIt() throws {
    let stage = try stage()
    try stage.end {
      $0.hasAlert = true
      $0.dismissal = .after(date(60))
    }
    stage.wait(60)
    #expect(stage.state() == .dismissed)
    #expect(stage.unsettled == [3])
    stage.wait(15 * minute)
    #expect(stage.news().last == "tea alertSettled 3 expired")
  }

  @Test func whatIsToldAfterTheDismissalLeavesTheSessionAsItWas() throws {
    for restarts in [false, true] {
      let stage = try stage { $0.stale = .fromStart(span(hour)) }
      try stage.end {
        $0.hasContent = true
        $0.hasAlert = true
        $0.dismissal = .immediate
      }
      let before = try stage.stored()
      if restarts { stage.restart(after: 1) }
      stage.confirm(3)
      var after = try stage.stored()
      #expect(after.last == before.last + 1)
      after.last = before.last
      #expect(after == before)
      #expect(after.contentRow == 3 && after.startedDate == date(0))
    }
  }

  @Test func aSessionWithAlertsWaitingCannotBeForgotten() throws {
    let stage = try stage()
    try stage.end {
      $0.hasAlert = true
      $0.dismissal = .immediate
    }
    #expect(try !stage.forget(first: 1))
    stage.confirm(3)
    #expect(try stage.forget(first: 1))
  }

  @Test func ofACancelledOneNothingIsEverShown() throws {
    let stage = Stage()
    try stage.schedule {
      $0.hasAlert = true
      $0.hasEndAlert = true
      $0.end = .fromStart(span(60))
    }
    try stage.cancel()
    stage.wait(day)
    #expect(stage.events.allSatisfy { $0.alert == nil })
    #expect(stage.unsettled == [])
  }
}
