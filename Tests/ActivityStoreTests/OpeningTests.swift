import Glibc
import LiveActivity
import SQLite
import Testing

@testable import ActivityStore

@Suite struct OpeningTests {
  @Test func aNewStoreIsPrivateAndComplete() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("state")
    let (store, report) = try ActivityStore.open(directory: path, now: someDate, options: small())
    defer {
      for name in ["activities.sqlite", "activities.sqlite-wal", "activities.sqlite-shm", "lock"] {
        unsafe unlink("\(path)/\(name)")
      }
      unsafe rmdir(path)
    }
    #expect(report.isNew && report.setAside == nil && report.migratedFrom == nil)
    #expect(store.storeID.utf8.count == 32)
    #expect(store.highestSequence == 0)
    for (name, mode) in [
      ("", 0o700), ("/activities.sqlite", 0o600), ("/activities.sqlite-wal", 0o600),
      ("/activities.sqlite-shm", 0o600), ("/lock", 0o600),
    ] as [(String, mode_t)] {
      var status = stat()
      #expect(unsafe stat(path + name, &status) == 0)
      #expect(status.st_mode & 0o777 == mode, "\(name)")
    }
    let connection = try #require(store.database).connection
    #expect(try connection.text("PRAGMA journal_mode") == "wal")
    #expect(try connection.integer("PRAGMA synchronous") == 2)
    #expect(try connection.integer("PRAGMA user_version") == Schema.newest)
  }

  @Test func theWholeOfItIsThereAfterReopening() throws {
    let directory = try TemporaryDirectory()
    var generator = SeededGenerator(5)
    var model = Model()
    var id = ""
    do {
      let store = try directory.open()
      id = store.storeID
      try store.append((0..<100).map { _ in model.random(&generator) })
      try store.transaction { () throws(StoreError) in
        try store.putOutbox(1, [9])
        try store.putEntry("k", [8])
      }
    }
    let (store, report) = try directory.openReporting()
    #expect(!report.isNew && report.wasChecked && report.setAside == nil)
    #expect(store.storeID == id)
    #expect(store.highestSequence == 100)
    let loaded = try store.loaded()
    #expect(loaded.sessions == model.sessions.values.sorted { $0.first < $1.first })
    #expect(loaded.outbox == [1: [9]])
    #expect(loaded.entries == ["k": [8]])
  }

  @Test func aSecondOneIsRefusedByName() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    do {
      _ = try directory.open()
      Issue.record("opened twice")
    } catch {
      #expect(error.code == .inUse)
      #expect(error.description.contains("process \(getpid())"))
    }
    _ = store.storeID
  }

  @Test func theLockGoesWithTheStore() throws {
    let directory = try TemporaryDirectory()
    do { _ = try directory.open().storeID }
    _ = try directory.open()
  }

  @Test func whatACrashLeftIsComplete() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    var model = Model()
    var generator = SeededGenerator(3)
    for _ in 0..<20 {
      try store.append((0..<10).map { _ in model.random(&generator) })
      _ = try store.foldStep(limit: 4)
      _ = try store.checkpointStep()
      let crashed = try TemporaryDirectory()
      directory.copy(to: crashed)
      let (other, report) = try crashed.openReporting()
      #expect(report.setAside == nil)
      #expect(try other.loaded().sessions == model.sessions.values.sorted { $0.first < $1.first })
      #expect(try other.check() == [])
    }
  }

  @Test func aNewerSchemaIsRefusedUntouched() throws {
    let directory = try TemporaryDirectory()
    do {
      let store = try directory.open()
      try #require(store.database).connection.execute("PRAGMA user_version=7")
    }
    let before = (directory.bytes("activities.sqlite"), directory.bytes("activities.sqlite-wal"))
    do {
      _ = try directory.open()
      Issue.record("opened")
    } catch {
      #expect(error.code == .newerSchema)
      #expect(error.found == 7)
      #expect(error.description.contains("7"))
    }
    let after = (directory.bytes("activities.sqlite"), directory.bytes("activities.sqlite-wal"))
    #expect(before.0 == after.0 && before.1 == after.1)
    #expect(!directory.names.contains { $0.contains("damaged") })
  }

  @Test func anOlderSchemaIsMigrated() throws {
    let directory = try TemporaryDirectory()
    do { _ = try directory.open() }
    let later =
      Schema.migrations + [["ALTER TABLE outbox ADD COLUMN note TEXT"], ["CREATE TABLE x (y)"]]
    let held = try StateDirectory(directory.path)
    var report = OpenReport()
    let opening = Opening(
      directory: held, options: small(), now: someDate, migrations: later)
    let database = try opening.open(checkingAll: false, &report)
    #expect(report.migratedFrom == Schema.newest)
    #expect(
      try database.connection.integer("PRAGMA user_version") == Schema.newest + 2)
    try database.connection.execute("SELECT note FROM outbox")
    try database.connection.execute("SELECT y FROM x")
  }

  @Test func aMigrationThatFailsLeavesTheFileAsItWas() throws {
    let directory = try TemporaryDirectory()
    do { _ = try directory.open() }
    do {
      let later =
        Schema.migrations + [
          ["CREATE TABLE x (y)"], ["CREATE TABLE z (y)", "INSERT INTO no VALUES (1)"],
        ]
      let held = try StateDirectory(directory.path)
      var options = small()
      options.onDamage = .refuse
      let opening = Opening(directory: held, options: options, now: someDate, migrations: later)
      var report = OpenReport()
      #expect(code { _ = try opening.open(checkingAll: false, &report) } != nil)
    }
    let connection = try Connection(path: directory.database)
    #expect(try connection.integer("PRAGMA user_version") == Schema.newest + 1)
    #expect(try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'z'") == 0)
  }

  @Test func anEmptyDatabaseOfOursGetsAllTables() throws {
    let directory = try TemporaryDirectory()
    do {
      let connection = try Connection(path: directory.database)
      try connection.execute("PRAGMA application_id=\(Schema.application)")
      try connection.execute("CREATE TABLE meta (key TEXT PRIMARY KEY, value ANY NOT NULL) STRICT")
      try connection.execute("INSERT INTO meta VALUES ('store', 'abc')")
    }
    let held = try StateDirectory(directory.path)
    // A synthetic version 0 that had one table under the same name.
    let migrations = [
      ["ALTER TABLE meta RENAME TO old"] + Schema.migrations[0]
        + ["INSERT INTO meta SELECT * FROM old", "DROP TABLE old"]
    ]
    var report = OpenReport()
    let opening = Opening(
      directory: held, options: small(), now: someDate, migrations: migrations)
    let store = try ActivityStore(try opening.open(checkingAll: false, &report), held, small())
    #expect(report.migratedFrom == 0)
    #expect(store.storeID == "abc")
    var model = Model()
    try store.append([model.schedule("a")])
    #expect(try store.loaded().sessions.count == 1)
  }

  @Test func leftoversOfAnUnfinishedCreationGo() throws {
    let directory = try TemporaryDirectory()
    directory.write([1, 2, 3], to: "activities.sqlite.new")
    directory.write([1, 2, 3], to: "activities.sqlite.new-wal")
    let (_, report) = try directory.openReporting()
    #expect(report.isNew)
    #expect(!directory.has("activities.sqlite.new") && !directory.has("activities.sqlite.new-wal"))
  }

  @Test func aDirectoryThatIsAFileIsRefused() throws {
    let directory = try TemporaryDirectory()
    directory.write([], to: "state")
    #expect(
      code { _ = try ActivityStore.open(directory: directory.file("state"), now: someDate) }
        == .cannotCreate)
    #expect(
      code { _ = try ActivityStore.open(directory: directory.file("state/deeper"), now: someDate) }
        == .cannotCreate)
    #expect(code { _ = try ActivityStore.open(directory: "", now: someDate) } == .cannotCreate)
  }
}

extension Schema {
  /// The version that this program writes.
  fileprivate static var newest: Int64 { version(after: migrations) }
}
