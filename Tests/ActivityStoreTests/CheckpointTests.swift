import LiveActivity
import SQLite
import Testing

@testable import ActivityStore

@Suite struct CheckpointTests {
  private let length: Int64 = 32 + 16 * (4096 + 24)

  private func logSize(_ directory: TemporaryDirectory) -> Int64? {
    Files.size(directory.file("activities.sqlite-wal"))
  }

  @Test func theLogIsLaidOutAtOnceAndReused() throws {
    let directory = try TemporaryDirectory()
    var model = Model()
    do {
      let store = try directory.open()
      #expect(logSize(directory) == length)
      #expect(try store.checkpointStep() == nil)
      var steps = 0
      for _ in 0..<120 {
        try store.append([model.schedule("\(model.sequence)")])
        guard let step = try store.checkpointStep() else { continue }
        steps += 1
        #expect(step.isComplete)
        #expect(step.frames >= 16 && step.frames < 32)
      }
      #expect(steps >= 5)
      // A transaction may run over the end by its own pages, no more.
      let size = try #require(logSize(directory))
      #expect(size <= length + 16 * 4120, "\(size)")
    }
    let size = logSize(directory)
    let store = try directory.open()
    #expect(logSize(directory) == size)
    #expect(try store.loaded().sessions.count == 120)
    #expect(try store.check() == [])
  }

  @Test func aReaderHoldsTheLogUpUntilItIsGone() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    var model = Model()
    try store.append([model.schedule("first")])
    let reader = try Connection(path: directory.database, mode: .readOnly)
    let rows = try reader.prepare("SELECT sequence FROM events")
    #expect(try rows.step())
    var tries = 0
    for _ in 0..<60 {
      try store.append([model.schedule("\(model.sequence)")])
      guard let step = try store.checkpointStep() else { continue }
      tries += 1
      #expect(!step.isComplete)
    }
    // Not after each commit, which would cost two syncs a time.
    #expect(tries > 1 && tries < 60)
    rows.reset()
    var isComplete = false
    for _ in 0..<20 where !isComplete {
      try store.append([model.schedule("\(model.sequence)")])
      isComplete = try store.checkpointStep()?.isComplete ?? false
    }
    #expect(isComplete)
    try store.append([model.schedule("last")])
    #expect(store.logFrames < 16)
    #expect(try store.check() == [])
  }

  @Test func noCheckpointWithinATransaction() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    var model = Model()
    for _ in 0..<20 { try store.append([model.schedule("\(model.sequence)")]) }
    #expect(store.logFrames >= 16)
    try store.begin()
    #expect(try store.checkpointStep() == nil)
    store.rollback()
    #expect(try store.checkpointStep() != nil)
  }
}
