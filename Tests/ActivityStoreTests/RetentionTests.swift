import LiveActivity
import Testing

@testable import ActivityStore

@Suite struct RetentionTests {
  private func retain(
    _ store: ActivityStore, _ rules: RetentionRules, limit: Int = 500
  ) throws -> RetentionStep {
    var all = RetentionStep(hasMore: true)
    var steps = 0
    while all.hasMore {
      let step = try store.retentionStep(rules, limit: limit)
      // A row that was only kept for others may go with its last user.
      #expect(step.removedEvents <= limit + 2)
      all.removedSessions += step.removedSessions
      all.removedEvents += step.removedEvents
      all.hasMore = step.hasMore
      steps += 1
      try #require(steps < 10_000, "retention does not end")
    }
    return all
  }

  @Test func oldSessionsGoAsAWhole() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    var model = Model()
    try store.append([
      model.schedule("a"), model.schedule("b"), model.event(.started, of: 1, to: 1),
      model.event(.dismissed, of: 1, to: 4),
    ])
    let cutoff = model.date + 1
    try store.append([model.schedule("a"), model.event(.dismissed, of: 5, to: 4)])
    let step = try retain(store, RetentionRules(cutoff: cutoff, eventsPerOwner: 100))
    #expect(step.removedSessions == [1])
    #expect(step.removedEvents == 3)
    #expect(try store.events(after: 0, limit: 10).map(\.sequence) == [2, 5, 6])
    // The next session of the ID no longer names what is gone.
    #expect(try store.event(5)?.previous == 0)
    #expect(store.removedThrough == 4)
    #expect(try store.check() == [])
    #expect(try store.reopen(now: someDate).setAside == nil)
    #expect(store.removedThrough == 4)
  }

  @Test func numbersGoOnWhenNothingIsLeft() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    var model = Model()
    try store.append([model.schedule("a"), model.event(.dismissed, of: 1, to: 4)])
    try store.append([model.lone(.clockStepped, owner: nil)])
    _ = try retain(store, RetentionRules(cutoff: .max, eventsPerOwner: 100))
    #expect(try store.events(after: 0, limit: 10) == [])
    #expect(try store.reopen(now: someDate).setAside == nil)
    #expect(store.highestSequence == 3)
    model.forget([1])
    try store.append([model.schedule("a")])
    #expect(try store.loaded().sessions.map(\.first) == [4])
    #expect(try store.check() == [])
  }

  @Test func whatHappenedAfterTheDismissalCounts() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    var model = Model()
    try store.append([model.schedule("a"), model.event(.dismissed, of: 1, to: 4)])
    #expect(try store.foldStep() == false)
    let cutoff = model.date + 1
    try store.append([model.event(.alertSettled, of: 1, to: 4)])
    #expect(try store.foldStep() == false)
    let rules = RetentionRules(cutoff: cutoff, eventsPerOwner: 100)
    #expect(try retain(store, rules).removedSessions == [])
    #expect(try store.check() == [])
    let later = RetentionRules(cutoff: cutoff + 1000, eventsPerOwner: 100)
    #expect(try retain(store, later).removedSessions == [1])
    #expect(try store.check() == [])
  }

  @Test func anUnsettledAlertKeepsItsSession() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    var model = Model()
    try store.transaction { () throws(StoreError) in
      try store.append(model.schedule("a"))
      try store.append(model.schedule("b"))
      try store.append(model.event(.started, of: 1, to: 1))
      try store.append(model.event(.dismissed, of: 1, to: 4))
      try store.append(model.event(.dismissed, of: 2, to: 4))
      try store.putOutbox(3, [1])
    }
    let rules = RetentionRules(cutoff: .max, eventsPerOwner: 0)
    #expect(try retain(store, rules).removedSessions == [2])
    try store.transaction { () throws(StoreError) in try store.removeOutbox(3) }
    #expect(try retain(store, rules).removedSessions == [1])
    #expect(try store.check() == [])
  }

  @Test func anOwnersOldestGoBeyondItsNumber() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    var model = Model()
    for owner in [1000, 1001] as [UInt32] {
      for id in 0..<10 {
        let opening = model.schedule("\(id)", owner: owner)
        try store.append([opening, model.event(.dismissed, of: opening.first, to: 4)])
        if owner == 1001, id >= 4 { break }
      }
    }
    let step = try retain(store, RetentionRules(cutoff: nil, eventsPerOwner: 12), limit: 3)
    #expect(step.removedSessions == [1, 3, 5, 7])
    #expect(try store.check() == [])
  }

  @Test func supersededUpdatesOfLiveSessionsGo() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    var model = Model()
    try store.append([model.schedule("a"), model.event(.started, of: 1, to: 1)])
    for _ in 0..<50 { try store.append([model.event(.updated, of: 1, body: "{}")]) }
    try store.append([model.event(.stale, of: 1, to: 2)])
    let step = try retain(store, RetentionRules(cutoff: nil, eventsPerOwner: 4), limit: 7)
    #expect(step.removedSessions == [])
    #expect(step.removedEvents == 49)
    #expect(try store.chain(from: 53, limit: 100).map(\.sequence) == [53, 52, 2, 1])
    #expect(try store.check() == [])
    #expect(try store.loaded().sessions == [try #require(model.sessions[1])])
  }

  @Test func noMoreUpdatesGoThanMust() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    var model = Model()
    try store.append([model.schedule("a")])
    for _ in 0..<20 { try store.append([model.event(.updated, of: 1)]) }
    let step = try retain(store, RetentionRules(cutoff: nil, eventsPerOwner: 15))
    #expect(step.removedEvents == 6)
    #expect(try store.check() == [])
  }

  @Test func whatIsReferredToStays() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    var model = Model()
    try store.append([model.schedule("a")])
    // 2 holds the start alert's text, 3 an alert nobody has settled, 4 is named by fields.
    var alert = model.event(.updated, of: 1)
    alert.alertRow = nil
    try store.append([alert, model.event(.updated, of: 1), model.event(.updated, of: 1)])
    try store.append([model.event(.updated, of: 1), model.event(.updated, of: 1)])
    var started = model.event(.started, of: 1, to: 1)
    started.alertRow = 2
    started.fields = [4]
    try store.append([started, model.event(.updated, of: 1)])
    try store.transaction { () throws(StoreError) in try store.putOutbox(3, []) }
    let rules = RetentionRules(cutoff: nil, eventsPerOwner: 0) { fields in
      fields.count == 1 ? fields.map(Int64.init) : []
    }
    _ = try retain(store, rules)
    #expect(try store.chain(from: 8, limit: 100).map(\.sequence) == [8, 7, 4, 3, 2, 1])
    #expect(try store.check().filter { !$0.contains("come to") } == [])
  }

  @Test func sharedTextOutlivesItsSession() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    var model = Model()
    try store.append([model.schedule("a"), model.schedule("b"), model.schedule("c")])
    let holder = model.event(.updated, of: 1, body: #"{"state":{"score":1}}"#)
    try store.append([holder])
    for first in [2, 3] as [Int64] {
      var event = model.event(.updated, of: first)
      event.contentRow = holder.sequence
      try store.append([event])
    }
    try store.append([model.event(.dismissed, of: 1, to: 4)])
    let rules = RetentionRules(cutoff: .max, eventsPerOwner: 0)
    #expect(try retain(store, rules).removedSessions == [1])
    #expect(try store.event(4)?.body == holder.body)
    #expect(try store.check() == [])
    try store.append([model.event(.dismissed, of: 2, to: 4)])
    #expect(try retain(store, rules).removedSessions == [2])
    #expect(try store.event(4) != nil)
    try store.append([model.event(.dismissed, of: 3, to: 4)])
    #expect(try retain(store, rules).removedSessions == [3])
    #expect(try store.events(after: 0, limit: 10) == [])
    #expect(try store.check() == [])
  }

  @Test func aLongChainGoesInSteps() throws {
    let directory = try TemporaryDirectory()
    var store = try directory.open()
    var model = Model()
    try store.append([model.schedule("a")])
    for _ in 0..<100 { try store.append([model.event(.action, of: 1)]) }
    try store.append([model.event(.dismissed, of: 1, to: 4), model.schedule("a")])
    let rules = RetentionRules(cutoff: model.date, eventsPerOwner: 1000)
    let step = try store.retentionStep(rules, limit: 10)
    #expect(step.removedSessions == [1] && step.removedEvents == 10 && step.hasMore)
    #expect(try store.check() == [])
    #expect(try store.loaded().sessions.map(\.first) == [103])
    // A crash in between: the rest goes after the restart.
    let crashed = try TemporaryDirectory()
    directory.copy(to: crashed)
    store = try crashed.open()
    #expect(try retain(store, rules, limit: 10).removedEvents == 92)
    #expect(try store.chain(from: 103, limit: 10).map(\.sequence) == [103])
    #expect(try store.check() == [])
  }

  @Test func randomLivesStayWhole() throws {
    let seed = UInt64.random(in: 0..<1_000_000)
    print("randomLivesStayWhole: seed \(seed)")
    var generator = SeededGenerator(seed)
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    var model = Model()
    for round in 0..<60 {
      model.contentToShare = nil
      try store.append((0..<25).map { _ in model.random(&generator) })
      let rules = RetentionRules(
        cutoff: Bool.random(using: &generator)
          ? model.date - Int64.random(in: 0...200_000, using: &generator) : nil,
        eventsPerOwner: Int64.random(in: 0...150, using: &generator))
      for _ in 0..<Int.random(in: 0..<6, using: &generator) {
        let limit = Int.random(in: 1...20, using: &generator)
        model.forget(try store.retentionStep(rules, limit: limit).removedSessions)
      }
      if round % 4 == 3 {
        let lines = try store.check()
        try #require(lines == [], "seed \(seed), round \(round)")
        let expected = model.sessions.values.sorted { $0.first < $1.first }
        try #require(try store.loaded().sessions == expected, "seed \(seed), round \(round)")
      }
    }
    for first in model.notDismissed {
      let session = try #require(model.sessions[first])
      let chain = try store.chain(from: session.last, limit: 1000).filter { $0.first == first }
      #expect(chain.last?.sequence == first)
      let content = try #require(model.contentRow[first])
      #expect(try store.event(content) != nil)
    }
  }
}
