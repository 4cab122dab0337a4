import LiveActivity
import Scheduling
import Testing

@Suite struct Ends {
  func running(_ fill: (inout RequestCommand) -> Void = { _ in }) throws -> Stage {
    let stage = Stage()
    try stage.request("tea", fill)
    _ = stage.news()
    return stage
  }

  // MARK: By request

  @Test func itEndsThenStaysForFourHours() throws {
    let stage = try running()
    stage.wait(60)
    try stage.end()
    #expect(stage.state() == .ended)
    #expect(try stage.session().reason == .ended)
    #expect(try stage.session().endedDate == date(60))
    #expect(try stage.session().dismissalDate(at: stage.now) == date(60 + 4 * hour))
    stage.wait(4 * hour - 0.001)
    #expect(stage.state() == .ended)
    stage.wait(0.001)
    #expect(stage.news() == ["tea ended (ended)", "tea dismissed"])
    #expect(try stage.session().reason == .ended)
    #expect(stage.events.last?.due == date(60 + 4 * hour))
  }

  @Test func itEndsWithAnAlertOfItsOwn() throws {
    let stage = try running { $0.hasEndAlert = true }
    try stage.end { $0.hasAlert = true }
    #expect(stage.news() == ["tea ended (ended) with alert"])
    #expect(stage.events.last?.alert == AlertSource(row: 3, field: .alert))
  }

  @Test func theEndAlertIsNotForAnEndByRequest() throws {
    let stage = try running { $0.hasEndAlert = true }
    try stage.end()
    #expect(stage.news() == ["tea ended (ended)"])
  }

  @Test func finalContentIsThatOfTheEnd() throws {
    let stage = try running()
    try stage.end { $0.hasContent = true }
    #expect(try stage.session().contentRow == 3)
  }

  @Test func whilePendingItIsDismissedWithoutAlertWhateverThePolicy() throws {
    let policies = [DismissalPolicy.immediate, .default, .after(date(hour))]
    for policy in policies {
      let stage = Stage()
      try stage.schedule { $0.hasAlert = true }
      try stage.end {
        $0.hasAlert = true
        $0.dismissal = policy
      }
      stage.wait(hour)
      #expect(stage.news() == ["tea scheduled", "tea dismissed (ended)"])
      #expect(stage.unsettled == [])
    }
  }

  @Test func aStaleOneEnds() throws {
    let stage = try running { $0.stale = .fromStart(span(1)) }
    stage.wait(2)
    try stage.end()
    #expect(stage.newEvents().last?.from == .stale)
    #expect(stage.state() == .ended)
  }

  @Test func whileOverItIsRefused() throws {
    let stage = try running()
    try stage.end()
    stage.refuses(.activityOver(session: 1, state: .ended, reason: .ended)) { try $0.end() }
    stage.wait(5 * hour)
    stage.refuses(.activityOver(session: 1, state: .dismissed, reason: .ended)) {
      try $0.end()
    }
  }

  // MARK: Dismissal policies

  @Test func immediateIsDismissedInTheSameBatch() throws {
    let stage = try running()
    try stage.end { $0.dismissal = .immediate }
    #expect(stage.news() == ["tea ended (ended)", "tea dismissed"])
    #expect(try stage.session().reason == .ended)
    #expect(try stage.stored().dismissalDate(at: stage.now) == date(0))
  }

  @Test(arguments: [0, -1, -day])
  func aDismissalDateThatIsNotAheadIsImmediate(_ seconds: Double) throws {
    let stage = try running()
    try stage.end { $0.dismissal = .after(date(seconds)) }
    #expect(stage.news() == ["tea ended (ended)", "tea dismissed"])
  }

  @Test func aDismissalDateComesBeforeTheFourHours() throws {
    let stage = try running()
    try stage.end { $0.dismissal = .after(date(hour)) }
    #expect(try stage.session().dismissalDate(at: stage.now) == date(hour))
    stage.wait(hour - 0.001)
    #expect(stage.state() == .ended)
    stage.wait(0.001)
    #expect(stage.state() == .dismissed)
  }

  @Test func theFourHoursComeBeforeALaterDismissalDate() throws {
    let stage = try running()
    try stage.end { $0.dismissal = .after(date(day)) }
    #expect(try stage.session().dismissalDate(at: stage.now) == date(4 * hour))
    stage.wait(4 * hour)
    #expect(stage.state() == .dismissed)
  }

  // MARK: By itself

  @Test(arguments: [DateRule.date(date(60)), .fromStart(span(60))])
  func itEndsAtItsEndDateWithItsEndAlert(_ end: DateRule) throws {
    let stage = try running {
      $0.end = end
      $0.hasEndAlert = true
    }
    stage.wait(59.999)
    #expect(stage.state() == .active)
    stage.wait(0.001)
    #expect(stage.news() == ["tea ended (ended) with alert"])
    #expect(stage.events.last?.alert == AlertSource(row: 1, field: .endAlert))
    #expect(stage.events.last?.due == date(60))
    #expect(try stage.session().endDate(at: stage.now) == date(60))
  }

  @Test func itEndsEightHoursAfterItsStart() throws {
    let stage = try running { $0.hasEndAlert = true }
    stage.wait(8 * hour - 0.001)
    #expect(stage.state() == .active)
    stage.wait(0.001)
    #expect(stage.news() == ["tea ended (timeLimit) with alert"])
    #expect(stage.events.last?.due == date(8 * hour))
  }

  @Test func anEndDateAtTheLimitIsAnEndNotALimit() throws {
    let stage = try running { $0.end = .fromStart(span(8 * hour)) }
    stage.wait(8 * hour)
    #expect(stage.news() == ["tea ended (ended)"])
  }

  @Test func theLimitCountsFromTheActualStart() throws {
    let stage = Stage()
    try stage.schedule(in: 10)
    stage.sleep(10 + hour)
    _ = stage.news()
    stage.wait(8 * hour - 0.001)
    #expect(stage.state() == .active)
    stage.wait(0.001)
    #expect(stage.news() == ["tea ended (timeLimit)"])
  }

  @Test func theTimeUntilDismissalCountsFromTheNominalEnd() throws {
    let stage = try running { $0.end = .fromStart(span(60)) }
    stage.sleep(60 + hour)
    #expect(stage.news() == ["tea ended (ended) late 3600s"])
    #expect(try stage.session().endedDate == date(60 + hour))
    #expect(try stage.session().dismissalDate(at: stage.now) == date(60 + 4 * hour))
    stage.wait(3 * hour)
    #expect(stage.news() == ["tea dismissed"])
  }

  @Test func ownerGoneEndsWithTheDefaultPolicyAndNoAlert() throws {
    let stage = try running {
      $0.isBound = true
      $0.hasEndAlert = true
    }
    #expect(try stage.session().isBound)
    try stage.end(by: nil) { $0.reason = .ownerGone }
    #expect(stage.news() == ["tea ended (ownerGone)"])
    #expect(try stage.session().reason == .ownerGone)
    #expect(try stage.session().dismissalDate(at: stage.now) == date(4 * hour))
  }

  @Test func ownerGoneWhilePendingIsDismissed() throws {
    let stage = Stage()
    try stage.schedule { $0.isBound = true }
    try stage.end(by: nil) { $0.reason = .ownerGone }
    #expect(stage.news() == ["tea scheduled", "tea dismissed (ownerGone)"])
  }
}
