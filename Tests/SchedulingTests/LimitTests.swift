import LiveActivity
import Scheduling
import Testing

@Suite struct ActivityLimits {
  func limits(_ count: Int) -> Limits {
    var limits = Limits()
    limits.activitiesPerUser = count
    return limits
  }

  @Test func anOrdinaryUserHasTenThousandSessionsThatAreNotDismissed() throws {
    let stage = Stage()
    for number in 0..<10_000 { try stage.schedule("t\(number)") }
    stage.refuses(.tooManyActivities(limit: 10_000)) { try $0.schedule("another") }
    try stage.cancel("t0")
    try stage.schedule("another")
  }

  @Test func endedOnesCountAndDismissedOnesDoNot() throws {
    let stage = Stage(limits: limits(2))
    try stage.request("a")
    try stage.request("b")
    try stage.end("a")
    stage.refuses(.tooManyActivities(limit: 2)) { try $0.schedule("c") }
    stage.wait(4 * hour)
    try stage.schedule("c")
  }

  @Test func theLimitIsEachOwnersOwn() throws {
    let stage = Stage(limits: limits(1))
    try stage.schedule("a")
    try stage.schedule("a", owner: .bert)
    stage.refuses(.tooManyActivities(limit: 1)) { try $0.schedule("b", owner: .bert) }
  }

  @Test func whoIsPrivilegedIsExempt() throws {
    let stage = Stage(limits: limits(1))
    try stage.schedule("a")
    try stage.request("b", by: Caller(user: .root, isPrivileged: true))
    stage.refuses(.tooManyActivities(limit: 1)) { try $0.request("c") }
  }

  @Test func whatMakesWayLeavesRoom() throws {
    let stage = Stage(limits: limits(1))
    try stage.request("a")
    try stage.request("a") { $0.ifExists = .replace }
    try stage.end("a")
    try stage.request("a")
    #expect(try stage.session("a").number == 3)
  }

  @Test func meetingALiveOneNeedsNoRoom() throws {
    let stage = Stage(limits: limits(1))
    try stage.request("a")
    stage.core.limits = limits(0)
    for rule in [ExistsRule.keep, .update] { try stage.request("a") { $0.ifExists = rule } }
    #expect(try stage.session("a").number == 1)
  }

  // MARK: A lowered limit touches nothing

  @Test func ofActivities() throws {
    let stage = Stage()
    for id in ["a", "b", "c"] { try stage.schedule(id) { $0.end = .fromStart(span(60)) } }
    stage.core.limits = limits(1)
    stage.refuses(.tooManyActivities(limit: 1)) { try $0.schedule("d") }
    #expect(try stage.update("a"))
    stage.wait(10)
    #expect(stage.core.counts.active == 3)
  }

  @Test func ofTheTimeActive() throws {
    let stage = Stage()
    try stage.request("running")
    try stage.schedule("span") { $0.end = .fromStart(span(7 * hour)) }
    try stage.schedule("date") { $0.end = .date(date(7 * hour)) }
    try stage.schedule("none")
    stage.core.limits.active = span(hour)
    stage.wait(hour + 10)
    #expect(try stage.session("none").reason == .timeLimit)
    #expect(stage.core.counts.active == 3)
    stage.wait(6 * hour)
    #expect(try stage.session("span").reason == .ended)
    #expect(try stage.session("date").reason == .ended)
    #expect(stage.state("running") == .active)
    stage.wait(hour)
    #expect(try stage.session("running").reason == .timeLimit)
  }

  @Test func ofTheTimeEnded() throws {
    let stage = Stage()
    try stage.request()
    try stage.end()
    stage.core.limits.ended = span(60)
    stage.wait(4 * hour - 0.001)
    #expect(stage.state() == .ended)
  }

  @Test func ofAnAlertsTime() throws {
    let stage = Stage()
    try stage.request { $0.hasAlert = true }
    stage.core.limits.alertTimeToLive = span(60)
    stage.wait(14 * minute)
    #expect(stage.unsettled == [2])
  }

  @Test func aRaisedLimitIsForWhatStartsLater() throws {
    let stage = Stage()
    try stage.request("before")
    stage.core.limits.active = span(20 * hour)
    stage.refuses(date: "endDate") {
      try $0.reschedule("before") { $0.end = .date(date(9 * hour)) }
    }
    try stage.request("after")
    try stage.reschedule("after") { $0.end = .date(date(19 * hour)) }
    stage.wait(8 * hour)
    #expect(try stage.session("before").reason == .timeLimit)
    #expect(stage.state("after") == .active)
  }
}

@Suite struct Enabling {
  @Test func whatIsDisabledIsRefusedByName() throws {
    let stage = Stage()
    #expect(stage.setEnabled(false))
    stage.refuses(.activitiesDisabled(attributesType: nil, application: nil)) {
      try $0.schedule()
    }
    #expect(!stage.isEnabled())
    try stage.schedule(owner: .bert)
  }

  @Test func aTypeOrAnApplicationOrBoth() throws {
    let stage = Stage()
    stage.setEnabled(false, type: "match")
    stage.setEnabled(false, application: "org.app")
    stage.setEnabled(false, type: "score", application: "org.other")
    stage.refuses(.activitiesDisabled(attributesType: "match", application: nil)) {
      try $0.request { $0.attributesType = "match" }
    }
    stage.refuses(.activitiesDisabled(attributesType: nil, application: "org.app")) {
      try $0.request { $0.application = "org.app" }
    }
    stage.refuses(.activitiesDisabled(attributesType: "score", application: "org.other")) {
      try $0.request {
        $0.attributesType = "score"
        $0.application = "org.other"
      }
    }
    #expect(stage.isEnabled(type: "score") && stage.isEnabled(application: "org.other"))
    #expect(!stage.isEnabled(type: "match", application: "org.other"))
    try stage.request("a") { $0.attributesType = "score" }
    try stage.request("b") { $0.application = "org.other" }
  }

  @Test func whatIsPendingStartsAllTheSame() throws {
    let stage = Stage()
    try stage.schedule()
    stage.setEnabled(false)
    stage.wait(10)
    #expect(stage.state() == .active)
    #expect(try stage.update())
    try stage.end()
  }

  @Test func itIsToldOnlyWhereItChanges() throws {
    let stage = Stage()
    #expect(!stage.setEnabled(true))
    #expect(stage.setEnabled(false, type: "match"))
    #expect(!stage.setEnabled(false, type: "match"))
    #expect(stage.setEnabled(true, type: "match"))
    let events = stage.newEvents()
    #expect(events.map(\.kind) == [.enabledChanged, .enabledChanged])
    #expect(events.map { $0.enabled?.isEnabled } == [false, true])
    #expect(events.first?.enabled?.key == EnabledKey(owner: .anna, attributesType: "match"))
    #expect(events.first?.by == .anna)
  }

  @Test func takingAllAgainTakesEveryKindAgain() throws {
    let stage = Stage()
    stage.setEnabled(false, type: "match")
    stage.setEnabled(false)
    stage.setEnabled(false, owner: .bert)
    stage.setEnabled(true)
    #expect(stage.core.disabledKeys == [EnabledKey(owner: .bert)])
  }
}
