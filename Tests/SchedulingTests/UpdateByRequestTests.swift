import LiveActivity
import Scheduling
import Testing

/// `ifExists: update`.
@Suite struct UpdatesByRequest {
  @Test func whilePendingAllThatIsGivenReplacesWhatWasThere() throws {
    let stage = Stage()
    try stage.schedule { $0.hasAlert = true }
    try stage.request {
      $0.ifExists = .update
      $0.start = .at(date(100))
      $0.startBy = .fromStart(span(1))
      $0.stale = .fromStart(span(2))
      $0.end = .fromStart(span(3))
      $0.hasContent = true
      $0.hasAlert = true
      $0.hasEndAlert = true
      $0.channel = "news"
      $0.isShared = true
    }
    #expect(stage.news() == ["tea scheduled", "tea updated"])
    let session = try stage.session()
    #expect(session.startDate(at: stage.now) == date(100))
    #expect(session.startByDate(at: stage.now) == date(101))
    #expect(session.staleDate(at: stage.now) == date(102))
    #expect(session.endDate(at: stage.now) == date(103))
    #expect(
      [session.contentRow, session.alertRow, session.endAlertRow, session.requestRow]
        == [2, 2, 2, 2])
    #expect(session.channel == "news" && session.isShared)
    #expect(try stage.slots(in: "news") == [stage.slot("tea")])
  }

  @Test func whilePendingWhatIsNotGivenStays() throws {
    let stage = Stage()
    try stage.schedule {
      $0.startBy = .fromStart(span(1))
      $0.stale = .fromStart(span(2))
      $0.end = .fromStart(span(3))
      $0.hasAlert = true
      $0.hasEndAlert = true
      $0.channel = "news"
      $0.isShared = true
    }
    let before = try stage.session()
    try stage.request { $0.ifExists = .update }
    var after = try stage.session()
    #expect(after.sequence == 2 && after.isChanged)
    after.sequence = 1
    after.last = 1
    after.isChanged = false
    after.requestRow = 1
    #expect(after == before)
  }

  @Test func whilePendingTheDatesMustStillFit() throws {
    let stage = Stage()
    try stage.schedule {
      $0.startBy = .date(date(50))
      $0.end = .date(date(60))
    }
    stage.refuses(date: "endDate") {
      try $0.request {
        $0.ifExists = .update
        $0.start = .at(date(60))
        $0.startBy = .fromStart(span(1))
      }
    }
    stage.refuses(date: "startByDate") {
      try $0.request {
        $0.ifExists = .update
        $0.start = .at(date(55))
      }
    }
    stage.refuses(.startDateNotInFuture(start: date(-1), now: date(0))) {
      try $0.request {
        $0.ifExists = .update
        $0.start = .at(date(-1))
      }
    }
  }

  @Test func whileRunningContentAlertEndAndEndAlertAreApplied() throws {
    let stage = Stage()
    try stage.request()
    _ = stage.news()
    try stage.request {
      $0.ifExists = .update
      $0.hasContent = true
      $0.stale = .date(date(30))
      $0.hasAlert = true
      $0.end = .date(date(60))
      $0.hasEndAlert = true
    }
    #expect(stage.news() == ["tea updated with alert"])
    #expect(stage.unsettled == [3])
    stage.wait(60)
    let events = stage.newEvents().filter { $0.kind != .alertSettled }
    #expect(events.map(\.kind) == [.stale, .ended])
    #expect(events.last?.alert == AlertSource(row: 3, field: .endAlert))
    #expect(try stage.session().contentRow == 3)
  }

  @Test func whileRunningWhatConcernsTheStartIsIgnored() throws {
    let stage = Stage()
    try stage.schedule { $0.hasAlert = true }
    stage.wait(10)
    let before = try stage.session()
    try stage.request {
      $0.ifExists = .update
      $0.start = .at(date(-1))
      $0.startBy = .date(date(-2))
    }
    let after = try stage.session()
    #expect(after.start == before.start && after.startBy == before.startBy)
    #expect(after.alertRow == before.alertRow)
    #expect(after.state == .active)
  }

  @Test func whileRunningASpanCountsFromTheStart() throws {
    let stage = Stage()
    try stage.request()
    stage.wait(30)
    try stage.request {
      $0.ifExists = .update
      $0.end = .fromStart(span(60))
    }
    #expect(try stage.session().endDate(at: stage.now) == date(60))
    stage.wait(30)
    #expect(stage.state() == .ended)
  }

  @Test func whileRunningAnEndThatIsPastIsRefused() throws {
    let stage = Stage()
    try stage.request()
    stage.wait(60)
    for end in [DateRule.date(date(60)), .fromStart(span(59))] {
      stage.refuses(date: "endDate") {
        try $0.request {
          $0.ifExists = .update
          $0.end = end
        }
      }
    }
    stage.refuses(date: "endDate") {
      try $0.request {
        $0.ifExists = .update
        $0.end = .date(date(9 * hour))
      }
    }
  }

  @Test func contentWithoutAStaleDateMakesAStaleOneFresh() throws {
    let stage = Stage()
    try stage.request { $0.stale = .fromStart(span(5)) }
    stage.wait(5)
    _ = stage.news()
    try stage.request {
      $0.ifExists = .update
      $0.hasContent = true
    }
    #expect(stage.news() == ["tea updated", "tea fresh"])
  }

  @Test func contentWithAStaleDateThatIsPastMakesAnActiveOneStale() throws {
    let stage = Stage()
    try stage.request()
    stage.wait(60)
    _ = stage.news()
    try stage.request {
      $0.ifExists = .update
      $0.hasContent = true
      $0.stale = .fromStart(span(30))
    }
    #expect(stage.news() == ["tea updated", "tea stale late 30s"])
  }

  @Test func aStoppedOneRefusesItFromAnotherUser() throws {
    for seconds in [10.0, 0] {
      let stage = Stage()
      try stage.schedule()
      stage.wait(10 - seconds)
      try stage.stop()
      stage.refuses(.remoteUpdatesStopped) {
        try $0.request(by: Caller(user: .root, isPrivileged: true)) { $0.ifExists = .update }
      }
      try stage.request { $0.ifExists = .update }
    }
  }
}
