import LiveActivity
import SQLite
import Testing

@testable import ActivityStore

@Suite struct FoldingTests {
  @Test(arguments: [1, 2, 3, 7, 50, 1000])
  func foldingInStepsEqualsReplay(limit: Int) throws {
    let seed = UInt64.random(in: 0..<1_000_000)
    print("foldingInStepsEqualsReplay: seed \(seed), limit \(limit)")
    var generator = SeededGenerator(seed)
    let directory = try TemporaryDirectory()
    var store = try directory.open()
    var model = Model()
    for round in 0..<30 {
      model.contentToShare = nil
      try store.append((0..<20).map { _ in model.random(&generator) })
      for _ in 0..<Int.random(in: 0...(40 / limit + 1), using: &generator) {
        _ = try store.foldStep(limit: limit)
      }
      if round % 7 == 3 { store = try reopened(&store, directory) }
      if round % 10 == 9 {
        #expect(try store.check() == [])
        #expect(try store.loaded().sessions == model.sessions.values.sorted { $0.first < $1.first })
      }
    }
    while try store.foldStep(limit: limit) {}
    #expect(try store.check() == [])
    #expect(
      try store.loaded(past: false).sessions
        == model.sessions.values.filter { $0.state != 4 }.sorted { $0.first < $1.first })
    // Nothing is left to fold.
    #expect(try store.foldStep() == false)
  }

  private func reopened(
    _ store: inout ActivityStore, _ directory: TemporaryDirectory
  ) throws -> ActivityStore {
    let id = store.storeID
    let highest = store.highestSequence
    try #require(try store.reopen(now: someDate).setAside == nil)
    #expect(store.storeID == id)
    #expect(store.highestSequence == highest)
    return store
  }

  @Test func aPastSessionIsFoundByItsID() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    var model = Model()
    try store.append([
      model.schedule("a"), model.schedule("b"), model.event(.dismissed, of: 1, to: 4),
      model.schedule("a"), model.event(.dismissed, of: 4, to: 4),
    ])
    #expect(try store.pastSession(owner: 1000, id: Array("a".utf8)) == nil)
    #expect(try store.foldStep() == false)
    #expect(try store.pastSession(owner: 1000, id: Array("a".utf8)) == model.sessions[4])
    #expect(try store.pastSession(owner: 1000, id: Array("b".utf8)) == nil)
    #expect(try store.pastSession(owner: 1001, id: Array("a".utf8)) == nil)
  }

  @Test func noFoldingWithinATransaction() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    var model = Model()
    try store.begin()
    try store.append(model.schedule("a"))
    #expect(code { _ = try store.foldStep() } == .misuse)
    try store.commit()
    #expect(try store.loaded().sessions.count == 1)
  }

  @Test func whatCannotBeFoldedIsReplayed() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    var model = Model()
    var generator = SeededGenerator(11)
    try store.append((0..<200).map { _ in model.random(&generator) })
    _ = try store.foldStep(limit: 90)
    // Another program holds the write lock.
    let other = try Connection(path: directory.database)
    try other.beginImmediate()
    let expected = model.sessions.values.sorted { $0.first < $1.first }
    #expect(try store.loaded().sessions == expected)
    #expect(code { _ = try store.foldStep() } == .busy)
    #expect(code { try store.begin() } == .busy)
    try other.rollBack()
    #expect(try store.loaded().sessions == expected)
    #expect(try store.check() == [])
  }
}
