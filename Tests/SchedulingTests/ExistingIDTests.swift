import LiveActivity
import Scheduling
import Testing

/// Rule 9: the same ID again.
@Suite struct ExistingID {
  static let live: [ActivityState] = [.pending, .active, .stale]

  func stage(in state: ActivityState) throws -> Stage {
    let stage = Stage()
    try stage.schedule { $0.stale = .fromStart(span(10)) }
    switch state {
    case .pending: break
    case .active: stage.wait(10)
    default: stage.wait(20)
    }
    if state == .ended { try stage.end() }
    if state == .dismissed { try stage.cancel() }
    _ = stage.news()
    return stage
  }

  @Test(arguments: live)
  func failRefuses(_ state: ActivityState) throws {
    let stage = try stage(in: state)
    stage.refuses(.activityExists(session: 1, state: state)) { try $0.request() }
  }

  @Test(arguments: live)
  func keepLeavesIt(_ state: ActivityState) throws {
    let stage = try stage(in: state)
    let before = stage.dump()
    let outcome = try stage.request { $0.ifExists = .keep }
    #expect(!outcome.isCreated)
    #expect(outcome.slot == (try stage.slot("tea")))
    #expect(stage.dump() == before)
  }

  @Test(arguments: live)
  func replaceDismissesItAndBeginsAnewInOneBatch(_ state: ActivityState) throws {
    let stage = try stage(in: state)
    let outcome = try stage.request {
      $0.start = .after(span(100))
      $0.ifExists = .replace
    }
    #expect(outcome.isCreated)
    let events = stage.newEvents()
    #expect(events.map(\.kind) == [.dismissed, .scheduled])
    #expect(events.first?.reason == .replaced)
    #expect(events.first?.from == state)
    #expect(events.last?.previous == events.first?.sequence)
    #expect(try stage.session().number == 2)
    #expect(stage.state() == .pending)
    #expect(stage.core.counts == counts(pending: 1))
  }

  @Test(arguments: live)
  func updateKeepsTheSession(_ state: ActivityState) throws {
    let stage = try stage(in: state)
    let outcome = try stage.request {
      $0.ifExists = .update
      $0.hasContent = true
      if state != .pending { $0.stale = .date(date(hour)) }
    }
    #expect(!outcome.isCreated)
    #expect(try stage.session().number == 1)
    #expect(stage.newEvents().first?.kind == .updated)
    #expect(stage.state() == (state == .pending ? .pending : .active))
  }

  @Test(arguments: live)
  func updateRefusesOtherAttributes(_ state: ActivityState) throws {
    let stage = try stage(in: state)
    stage.refuses(.activityExists(session: 1, state: state)) {
      try $0.request {
        $0.ifExists = .update
        $0.hasSameAttributes = false
      }
    }
  }

  @Test(arguments: live, ExistsRule.allCases)
  func anIdenticalRequestChangesNothing(_ state: ActivityState, _ rule: ExistsRule) throws {
    let stage = try stage(in: state)
    let before = stage.dump()
    #expect(try !stage.repeatRequest(ifExists: rule).isCreated)
    #expect(stage.dump() == before)
  }

  @Test func anIdenticalRequestSucceedsAlthoughItsStartIsPastByNow() throws {
    let stage = Stage()
    try stage.request { $0.start = .at(date(10)) }
    stage.wait(60)
    for rule in ExistsRule.allCases {
      #expect(try !stage.repeatRequest(ifExists: rule) { $0.start = .at(date(10)) }.isCreated)
    }
    #expect(try stage.session().number == 1)
  }

  @Test(arguments: live, [ExistsRule.fail, .keep])
  func anIdenticalRequestOfAChangedSessionStillSucceeds(
    _ state: ActivityState, _ rule: ExistsRule
  ) throws {
    let stage = try stage(in: state)
    try stage.update { $0.hasContent = true }
    let before = stage.dump()
    #expect(try !stage.repeatRequest(ifExists: rule).isCreated)
    #expect(stage.dump() == before)
  }

  @Test(arguments: live)
  func anIdenticalUpdateDoesItsWorkOnAChangedSession(_ state: ActivityState) throws {
    let stage = try stage(in: state)
    try stage.stop()
    _ = stage.news()
    try stage.repeatRequest(ifExists: .update)
    #expect(stage.newEvents().first?.kind == .updated)
  }

  @Test(arguments: live)
  func anIdenticalReplaceDoesItsWorkOnAChangedSession(_ state: ActivityState) throws {
    let stage = try stage(in: state)
    try stage.reschedule { $0.hasEndAlert = true }
    #expect(try stage.repeatRequest(ifExists: .replace).isCreated)
    #expect(try stage.session().number == 2)
  }

  @Test func whatTimeOrAPersonDidIsNoChangeByARequest() throws {
    let stage = try stage(in: .stale)
    try stage.act()
    let before = stage.dump()
    #expect(try !stage.repeatRequest(ifExists: .replace).isCreated)
    #expect(stage.dump() == before)
  }

  @Test(arguments: ExistsRule.allCases)
  func anEndedOneMakesWay(_ rule: ExistsRule) throws {
    let stage = try stage(in: .ended)
    let outcome = try stage.request {
      $0.ifExists = rule
      $0.hasSameAttributes = false
      $0.isIdentical = true
    }
    #expect(outcome.isCreated)
    #expect(stage.news() == ["tea dismissed (replaced)", "tea scheduled", "tea started"])
    #expect(try stage.session().number == 2)
    #expect(stage.store.session(1)?.reason == .ended)
  }

  @Test(arguments: ExistsRule.allCases)
  func aDismissedOneMakesWayWithoutAWord(_ rule: ExistsRule) throws {
    let stage = try stage(in: .dismissed)
    #expect(try stage.request { $0.ifExists = rule }.isCreated)
    #expect(stage.news() == ["tea scheduled", "tea started"])
    #expect(try stage.session().number == 2)
  }

  @Test func sessionsOfAnIDAreNumbered() throws {
    let stage = Stage()
    for number in 1...5 {
      try stage.request { $0.ifExists = .replace }
      #expect(try stage.session().number == UInt32(number))
    }
    #expect(stage.core.sessionCount == 5)
  }

  @Test func numbersRestartOnceNothingOfAnIDIsRetained() throws {
    let stage = try stage(in: .dismissed)
    #expect(try stage.forget(first: 1))
    #expect(stage.state() == nil)
    try stage.request()
    #expect(try stage.session().number == 1)
  }

  @Test func whatIsThereCannotBeForgotten() throws {
    for state in [ActivityState.pending, .active, .stale, .ended] {
      let stage = try stage(in: state)
      #expect(try !stage.forget(first: 1))
      #expect(stage.state() == state)
    }
    let stage = try stage(in: .dismissed)
    #expect(try !stage.forget(first: 2))
  }

  func counts(pending: Int = 0, active: Int = 0, ended: Int = 0) -> Scheduler.Counts {
    var counts = Scheduler.Counts()
    counts.pending = pending
    counts.active = active
    counts.ended = ended
    return counts
  }
}
