import LiveActivity
import Scheduling
import Testing

/// Rules 7, 10 and 11: stop, timestamps, handles.
@Suite struct Stops {
  @Test func aStopRefusesUpdatesByOthersAndNeverTheOwners() throws {
    let stage = Stage()
    try stage.request()
    _ = stage.news()
    #expect(try stage.stop())
    #expect(stage.news() == ["tea remoteUpdatesStopped"])
    stage.refuses(.remoteUpdatesStopped) { try $0.update(by: .root) }
    stage.refuses(.remoteUpdatesStopped) { try $0.update(by: .bert) }
    #expect(try stage.update())
    #expect(stage.state() == .active)
    #expect(try !stage.session().remoteUpdates)
  }

  @Test func whilePendingToo() throws {
    let stage = Stage()
    try stage.schedule()
    try stage.stop()
    stage.refuses(.remoteUpdatesStopped) { try $0.update(by: .root) }
    stage.wait(10)
    stage.refuses(.remoteUpdatesStopped) { try $0.update(by: .root) }
  }

  @Test func anotherStopChangesNothing() throws {
    let stage = Stage()
    try stage.request()
    try stage.stop()
    let before = stage.dump()
    #expect(try !stage.stop())
    #expect(stage.dump() == before)
  }

  @Test func theNextSessionTakesUpdatesAgain() throws {
    let stage = Stage()
    try stage.request()
    try stage.stop()
    try stage.request { $0.ifExists = .replace }
    #expect(try stage.update(by: .root))
  }

  @Test func anUnknownOneIsNoSuchActivity() {
    let stage = Stage()
    stage.refuses(.noSuchActivity) { try $0.stop() }
  }
}

@Suite struct Timestamps {
  func stage() throws -> Stage {
    let stage = Stage()
    try stage.request()
    try stage.update { $0.timestamp = date(100) }
    return stage
  }

  @Test func anOlderOneIsOutdated() throws {
    let stage = try stage()
    let refusal = Refusal.outdated(timestamp: date(99.999_999), applied: date(100))
    stage.refuses(refusal) { try $0.update { $0.timestamp = date(99.999_999) } }
    stage.refuses(refusal) { try $0.end { $0.timestamp = date(99.999_999) } }
  }

  @Test func aNewerOneIsApplied() throws {
    let stage = try stage()
    #expect(try stage.update { $0.timestamp = date(100.000_001) })
    #expect(try stage.session().timestamp == date(100.000_001))
    #expect(try stage.session().timestampRow == stage.session().sequence)
  }

  @Test func theSameIdenticalOneSucceedsAndNothingHappens() throws {
    let stage = try stage()
    let before = stage.dump()
    let isApplied = try stage.update {
      $0.timestamp = date(100)
      $0.isIdentical = true
    }
    #expect(!isApplied)
    #expect(stage.dump() == before)
  }

  @Test func theSameDifferentOneIsApplied() throws {
    let stage = try stage()
    #expect(try stage.update { $0.timestamp = date(100) })
    #expect(try stage.session().sequence == 4)
  }

  @Test func withoutOneItIsAppliedAndTheLastOneStays() throws {
    let stage = try stage()
    #expect(try stage.update())
    #expect(try stage.session().timestamp == date(100))
    #expect(try stage.session().timestampRow == 3)
    stage.refuses(.outdated(timestamp: date(50), applied: date(100))) {
      try $0.update { $0.timestamp = date(50) }
    }
  }

  @Test func moreThanADayAheadIsRefused() throws {
    let stage = try stage()
    stage.refuses(date: "timestamp") {
      try $0.update { $0.timestamp = date(day + 0.000_001) }
    }
    stage.refuses(date: "timestamp") { try $0.end { $0.timestamp = date(day + 1) } }
    #expect(try stage.update { $0.timestamp = date(day) })
  }

  @Test func theyCountWhilePending() throws {
    let stage = Stage()
    try stage.schedule()
    try stage.update { $0.timestamp = date(5) }
    stage.wait(10)
    stage.refuses(.outdated(timestamp: date(4), applied: date(5))) {
      try $0.update { $0.timestamp = date(4) }
    }
  }

  @Test func theNextSessionBeginsWithoutOne() throws {
    let stage = try stage()
    try stage.request { $0.ifExists = .replace }
    #expect(try stage.update { $0.timestamp = date(1) })
  }

  @Test(arguments: [DismissalPolicy.default, .immediate])
  func theSameEndAgainSucceedsAndNothingHappens(_ policy: DismissalPolicy) throws {
    let stage = try stage()
    let fill = { (command: inout EndCommand) in
      command.timestamp = date(200)
      command.dismissal = policy
    }
    #expect(try stage.end("tea", fill))
    for restarts in [false, true] {
      if restarts { stage.restart(after: 1) }
      #expect(try stage.session().timestamp == date(200))
      let before = stage.dump()
      let isApplied = try stage.end {
        fill(&$0)
        $0.isIdentical = true
      }
      #expect(!isApplied)
      #expect(stage.dump() == before)
    }
  }

  @Test func theSameEndOfAPendingOneAgainSucceeds() throws {
    let stage = Stage()
    try stage.schedule()
    try stage.end { $0.timestamp = date(5) }
    #expect(try stage.session().timestampRow == 2)
    let isApplied = try stage.end {
      $0.timestamp = date(5)
      $0.isIdentical = true
    }
    #expect(!isApplied)
  }

  @Test func anotherEndOfAnEndedOneIsRefused() throws {
    let stage = try stage()
    try stage.end { $0.timestamp = date(200) }
    stage.refuses(.activityOver(session: 1, state: .ended, reason: .ended)) {
      try $0.end { $0.timestamp = date(200) }
    }
  }
}

@Suite struct Handles {
  @Test func aRequestForAnotherSessionIsAConflict() throws {
    let stage = Stage()
    try stage.request()
    try stage.request { $0.ifExists = .replace }
    let sequence = try stage.session().sequence
    let refusal = Refusal.conflict(session: 2, sequence: sequence)
    for session in [Int64(1), 3] {
      stage.refuses(refusal) { try $0.update(session: session) }
      stage.refuses(refusal) { try $0.reschedule(session: session) { $0.noEnd = true } }
      stage.refuses(refusal) { try $0.end(session: session) }
      stage.refuses(refusal) { try $0.cancel(session: session) }
      stage.refuses(refusal) { try $0.dismiss(session: session) }
      stage.refuses(refusal) { try $0.act(session: session) }
      stage.refuses(refusal) { try $0.stop(session: session) }
    }
    #expect(try stage.update(session: 2))
  }

  @Test func aChangeSinceIsAConflict() throws {
    let stage = Stage()
    try stage.request()
    #expect(try stage.update(ifSequence: 2))
    let refusal = Refusal.conflict(session: 1, sequence: 3)
    stage.refuses(refusal) { try $0.update(ifSequence: 2) }
    stage.refuses(refusal) { try $0.reschedule(ifSequence: 2) { $0.noEnd = true } }
    #expect(try stage.update(ifSequence: 3))
  }

  @Test func timeChangesItToo() throws {
    let stage = Stage()
    try stage.schedule()
    stage.wait(10)
    stage.refuses(.conflict(session: 1, sequence: 2)) { try $0.update(ifSequence: 1) }
  }

  @Test func alertsAndActionsAreNoChanges() throws {
    let stage = Stage()
    try stage.request { $0.hasAlert = true }
    try stage.act()
    try stage.snooze(2, for: 60)
    stage.wait(60)
    stage.confirm(try #require(stage.unsettled.first))
    #expect(try stage.session().sequence == 2)
    #expect(try stage.session().last == 6)
    #expect(try stage.update(ifSequence: 2))
  }

  @Test func aConflictComesBeforeWhatIsOver() throws {
    let stage = Stage()
    try stage.request()
    try stage.cancel()
    stage.refuses(.conflict(session: 1, sequence: 3)) { try $0.update(session: 2) }
  }
}
