import LiveActivity
import SQLite
import Testing

@testable import ActivityStore

@Suite struct TransactionTests {
  @Test func everyColumnComesBack() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    var event = EventRow(sequence: 1, kind: 0, date: -5)
    event.first = 1
    event.id = Array("züg/🚂".utf8)
    event.owner = .max
    event.number = 7
    event.due = .min
    event.by = 0
    event.from = 0
    event.to = 4
    event.reason = 6
    event.lateness = .max
    event.alertRow = 1
    event.alertField = 2
    event.alertSequence = 1
    event.outcome = 3
    event.step = -1
    event.contentRow = 1
    event.fields = [0, 255, 0]
    event.body = Array(#"{"a":"b"}"#.utf8)
    var bare = EventRow(sequence: 2, kind: 13, date: 0)
    bare.previous = 0
    try store.append([event, bare])
    #expect(try store.event(1) == event)
    #expect(try store.event(2) == bare)
    #expect(try store.event(3) == nil)
    #expect(try store.events(after: 0, limit: 10) == [event, bare])
    #expect(try store.events(after: 1, limit: 10) == [bare])
    #expect(try store.events(after: 0, limit: 1) == [event])
    #expect(try store.events(after: 0, limit: -1) == [])
  }

  @Test func readsWithinATransactionSeeItsRows() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    var model = Model()
    let event = model.schedule("a")
    try store.begin()
    try store.append(event)
    #expect(try store.event(1) == event)
    #expect(store.highestSequence == 1)
    store.rollback()
    #expect(try store.event(1) == nil)
    #expect(store.highestSequence == 0)
    #expect(!store.isInTransaction)
  }

  @Test func numbersMustFollowOneAnother() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    for wrong in [0, 2, -1, Int64.max, .min] as [Int64] {
      try store.begin()
      #expect(code { try store.append(EventRow(sequence: wrong, kind: 3, date: 0)) } == .misuse)
      #expect(code { try store.commit() } == .misuse)
      #expect(!store.isInTransaction)
    }
    #expect(code { try store.append(EventRow(sequence: 1, kind: 3, date: 0)) } == .misuse)
    #expect(code { try store.commit() } == .misuse)
    try store.begin()
    #expect(code { try store.begin() } == .misuse)
    store.rollback()
    store.rollback()
  }

  @Test func aFailedAppendFailsItsCommit() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    var model = Model()
    try store.begin()
    try store.append(model.schedule("a"))
    #expect(code { try store.append(EventRow(sequence: 9, kind: 3, date: 0)) } == .misuse)
    #expect(code { try store.append(EventRow(sequence: 2, kind: 3, date: 0)) } == .misuse)
    #expect(code { try store.commit() } == .misuse)
    #expect(store.highestSequence == 0)
    #expect(try store.event(1) == nil)
  }

  @Test func commitsFailWhenTold() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    var model = Model()
    let event = model.schedule("a")
    store.failNextCommits(2)
    for _ in 0..<2 {
      try store.begin()
      try store.append(event)
      try store.putOutbox(1, [1])
      try store.putEntry("boot", [2])
      #expect(code { try store.commit() } == .io)
      #expect(!store.isInTransaction)
      #expect(store.highestSequence == 0)
    }
    #expect(try store.loaded() == Loaded())
    try store.append([event])
    #expect(try store.event(1) == event)
    #expect(try store.check() == [])
  }

  @Test func outboxAndEntriesArePutReplacedAndRemoved() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    var model = Model()
    let event = model.schedule("a")
    try store.transaction { () throws(StoreError) in
      try store.append(event)
      try store.putOutbox(1, [1])
      try store.putOutbox(1, [])
      try store.putEntry("disabled/1000/a", [1])
      try store.putEntry("disabled/1000/b", [2])
      try store.putEntry("disabled/1000/b", [3])
      try store.putEntry("disable", [4])
      try store.removeEntry("absent")
      try store.removeOutbox(99)
    }
    #expect(try store.loaded().outbox == [1: []])
    let entries = try store.entries(prefix: "disabled/")
    #expect(entries.map(\.key) == ["disabled/1000/a", "disabled/1000/b"])
    #expect(entries.map(\.value) == [[1], [3]])
    #expect(try store.entries(prefix: "").count == 3)
    try store.transaction { () throws(StoreError) in
      try store.removeOutbox(1)
      try store.removeEntry("disabled/1000/a")
    }
    #expect(try store.loaded().outbox == [:])
    #expect(try store.entries(prefix: "disabled/").count == 1)
  }

  @Test func chainsWalkBackIntoEarlierSessions() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    var model = Model()
    var events = [model.schedule("a"), model.schedule("b")]
    events.append(model.event(.dismissed, of: 1, to: 4))
    events.append(model.schedule("a"))
    events.append(model.event(.started, of: 4, to: 1))
    try store.append(events)
    #expect(try store.chain(from: 5, limit: 10).map(\.sequence) == [5, 4, 3, 1])
    #expect(try store.chain(from: 5, limit: 2).map(\.sequence) == [5, 4])
    #expect(try store.chain(from: 77, limit: 2) == [])
    #expect(try store.chain(from: -1, limit: 2) == [])
  }

  @Test func aPersonCanReadTheHistory() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    var model = Model()
    let opening = model.schedule("match-7")
    try store.append([
      opening, model.event(.started, of: 1, to: 1), model.lone(.clockStepped, owner: nil),
    ])
    let connection = try #require(store.database).connection
    var lines: [String] = []
    try connection.prepare("SELECT * FROM history ORDER BY sequence").eachRow {
      (row) throws(SQLiteError) in
      lines.append((0..<8).map { row.string($0) }.joined(separator: " "))
      return true
    }
    #expect(
      lines == [
        "1 1970-01-01T00:00:01.001000Z scheduled 1000 match-7 1 1000 pending",
        "2 1970-01-01T00:00:01.002000Z started 1000 match-7 1  active",
        "3 1970-01-01T00:00:01.003000Z clockStepped     ",
      ])
  }
}
