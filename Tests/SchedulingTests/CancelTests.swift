import LiveActivity
import Scheduling
import Testing

@Suite struct Cancels {
  /// A session that a test has brought into each state.
  func stage(in state: ActivityState) throws -> Stage {
    let stage = Stage()
    try stage.schedule {
      $0.stale = .fromStart(span(10))
      $0.hasAlert = true
    }
    switch state {
    case .pending: break
    case .active: stage.wait(10)
    case .stale: stage.wait(20)
    case .ended:
      stage.wait(20)
      try stage.end()
    case .dismissed:
      stage.wait(20)
      try stage.end { $0.dismissal = .immediate }
    }
    _ = stage.news()
    return stage
  }

  @Test(arguments: [ActivityState.pending, .active, .stale, .ended])
  func itSaysWhichStateItFound(_ state: ActivityState) throws {
    let stage = try stage(in: state)
    #expect(try stage.cancel() == state)
    let event = try #require(stage.newEvents().first)
    #expect(event.kind == .dismissed)
    #expect(event.reason == .cancelled)
    #expect(event.from == state)
    #expect(event.session?.state == .dismissed)
    #expect(event.by == .anna)
    #expect(stage.state() == .dismissed)
  }

  @Test func nothingFiresAfterACancel() throws {
    for state in [ActivityState.pending, .active, .stale, .ended] {
      let stage = try stage(in: state)
      try stage.cancel()
      _ = stage.news()
      stage.wait(10 * day)
      #expect(stage.news() == [])
      #expect(!stage.isWaiting)
    }
  }

  @Test func theReasonIsWhyItFirstLeftTheStage() throws {
    let stage = try stage(in: .ended)
    try stage.cancel()
    #expect(try stage.session().reason == .ended)
    #expect(stage.newEvents().first?.reason == .cancelled)
    #expect(try stage.stored().reason == .ended)
  }

  @Test func aCancelledRunningOneHasEnded() throws {
    let stage = try stage(in: .active)
    stage.wait(5)
    try stage.cancel()
    #expect(try stage.stored().endedDate == date(15))
    #expect(try stage.stored().startedDate == date(10))
    #expect(try stage.stored().dismissalDate(at: stage.now) == date(15))
  }

  @Test func aCancelledPendingOneKeepsItsDates() throws {
    let stage = try stage(in: .pending)
    try stage.cancel()
    let session = try stage.stored()
    #expect(session.startDate(at: stage.now) == date(10))
    #expect(session.staleDate(at: stage.now) == date(20))
    #expect(session.startedDate == nil && session.endedDate == nil)
  }

  @Test func cancellingADismissedOneIsRefused() throws {
    let stage = try stage(in: .active)
    try stage.cancel()
    stage.refuses(.activityOver(session: 1, state: .dismissed, reason: .cancelled)) {
      try $0.cancel()
    }
  }

  @Test func cancellingAnUnknownOneIsRefused() {
    let stage = Stage()
    stage.refuses(.noSuchActivity) { try $0.cancel() }
  }

  @Test(arguments: [ActivityState.pending, .active, .stale, .ended])
  func cancellingTheSameSessionAgainSucceeds(_ state: ActivityState) throws {
    let stage = try stage(in: state)
    try stage.cancel(session: 1)
    let before = stage.dump()
    #expect(try stage.cancel(session: 1) == nil)
    #expect(stage.dump() == before)
    stage.restart(after: 1)
    #expect(try stage.cancel(session: 1) == nil)
  }

  @Test func cancellingASessionThatLeftOtherwiseIsRefused() throws {
    let stage = try stage(in: .dismissed)
    stage.refuses(.activityOver(session: 1, state: .dismissed, reason: .ended)) {
      try $0.cancel(session: 1)
    }
  }

  @Test func cancellingAnEarlierSessionIsAConflict() throws {
    let stage = try stage(in: .active)
    try stage.cancel()
    try stage.schedule()
    let sequence = try stage.session().sequence
    stage.refuses(.conflict(session: 2, sequence: sequence)) { try $0.cancel(session: 1) }
    #expect(stage.state() == .pending)
  }

  // MARK: Dismiss and act

  @Test(arguments: [ActivityState.pending, .active, .stale, .ended])
  func aPersonMayDismissAnyThatIsThere(_ state: ActivityState) throws {
    let stage = try stage(in: state)
    try stage.dismiss(session: 1)
    let event = try #require(stage.newEvents().first)
    #expect(event.kind == .dismissed)
    #expect(event.reason == .dismissedByPerson)
    #expect(event.from == state)
    #expect(try stage.session().reason == (state == .ended ? .ended : .dismissedByPerson))
    #expect(stage.unsettled == [])
  }

  @Test func aDismissedOneCannotBeDismissed() throws {
    let stage = try stage(in: .dismissed)
    stage.refuses(.activityOver(session: 1, state: .dismissed, reason: .ended)) {
      try $0.dismiss(session: 1)
    }
  }

  @Test func somebodyOfAWiderAudienceDismissesForThemselves() throws {
    let stage = Stage()
    try stage.request { $0.isShared = true }
    _ = stage.news()
    let sequence = try stage.session().sequence
    try stage.dismiss(by: .bert, session: 1, isForAll: false)
    let event = try #require(stage.newEvents().first)
    #expect(event.kind == .dismissed && event.reason == .dismissedByPerson)
    #expect(event.by == .bert)
    #expect(event.session?.state == .active)
    #expect(stage.state() == .active)
    #expect(try stage.session().reason == nil)
    #expect(try stage.session().sequence == sequence)
  }

  @Test(arguments: [ActivityState.pending, .active, .stale, .ended])
  func anActionIsAnEventAndNoChange(_ state: ActivityState) throws {
    let stage = try stage(in: state)
    let before = try stage.session()
    try stage.act(by: .bert, session: 1)
    let event = try #require(stage.newEvents().first)
    #expect(event.kind == .action && event.by == .bert)
    #expect(try stage.session().sequence == before.sequence)
    #expect(try stage.session().last == event.sequence)
    #expect(stage.state() == state)
  }

  @Test func anUnknownActionIsRefused() throws {
    let stage = try stage(in: .active)
    stage.refuses(.noSuchAction) { try $0.act(isKnown: false) }
  }
}
