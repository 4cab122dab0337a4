import Testing

@testable import SQLite

@Suite struct ConnectionTests {
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("a.sqlite")
  }

  @Test func opensCreatesAndNamesItsFile() throws {
    let connection = try Connection(path: path)
    #expect(connection.path == path)
    #expect(!connection.isReadOnly)
    try connection.execute("CREATE TABLE t (n); INSERT INTO t VALUES (7); INSERT INTO t VALUES (8)")
    #expect(connection.changes == 1)
    #expect(connection.lastInsertRowID == 2)
    #expect(try connection.integer("SELECT count(*) FROM t") == 2)
    #expect(try connection.integer("SELECT n FROM t WHERE n > 9") == nil)
    #expect(try connection.text("SELECT NULL") == nil)
  }

  @Test func missingFileIsNotCreatedUnlessAsked() throws {
    #expect(code { _ = try Connection(path: path, mode: .readWrite) } == .cannotOpen)
    #expect(code { _ = try Connection(path: path, mode: .readOnly) } == .cannotOpen)
    let error = try #require(throws: SQLiteError.self) {
      _ = try Connection(path: path, mode: .readWrite)
    }
    #expect(error.systemError == 2)
    #expect(error.description.contains(path))
  }

  @Test func readOnlyRefusesWrites() throws {
    try Connection(path: path).execute("CREATE TABLE t (n)")
    let reader = try Connection(path: path, mode: .readOnly)
    #expect(reader.isReadOnly)
    #expect(code { try reader.execute("INSERT INTO t VALUES (1)") } == .readOnly)
  }

  @Test func unknownVFSIsRefused() {
    #expect(code { _ = try Connection(path: path, vfs: "no such VFS") } == .error)
  }

  @Test func badSQLNamesItself() throws {
    let connection = try Connection(path: path)
    let error = try #require(throws: SQLiteError.self) { try connection.execute("SELEKT 1") }
    #expect(error.code == .error)
    #expect(error.description == #"near "SELEKT": syntax error (SQLite code 1): SELEKT 1"#)
  }

  @Test func pragmasAnswer() throws {
    let connection = try Connection(path: path)
    #expect(try connection.pragma("journal_mode", set: "wal") == "wal")
    #expect(try connection.pragma("user_version", set: "12") == nil)
    #expect(try connection.integer("PRAGMA user_version") == 12)
  }

  @Test func transactionCommitsOrRollsBack() throws {
    let connection = try openWAL(path)
    try connection.transaction { () throws(SQLiteError) in
      #expect(connection.isInTransaction)
      try connection.execute("INSERT INTO t VALUES (1, 1, NULL)")
    }
    #expect(
      code {
        try connection.transaction { () throws(SQLiteError) in
          try connection.execute("INSERT INTO t VALUES (2, 2, NULL)")
          try connection.execute("INSERT INTO t VALUES (1, 1, NULL)")
        }
      } == .constraint)
    #expect(!connection.isInTransaction)
    try connection.rollBack()
    #expect(try connection.integer("SELECT max(id) FROM t") == 1)
    try connection.beginImmediate()
    #expect(code { try connection.beginImmediate() } == .error)
    try connection.rollBack()
    #expect(code { try connection.commitTransaction() } == .error)
  }

  @Test func aSecondWriterIsBusy() throws {
    let first = try openWAL(path)
    let second = try openWAL(path)
    second.setBusyTimeout(milliseconds: 0)
    try first.beginImmediate()
    #expect(code { try second.beginImmediate() } == .busy)
    try first.commitTransaction()
    try second.beginImmediate()
    try second.rollBack()
  }

  @Test func statementsKeepTheirConnectionOpen() throws {
    var connection: Connection? = try openWAL(path)
    let insert = try #require(try connection?.prepare("INSERT INTO t (n) VALUES (1)"))
    connection = nil
    try insert.run()
    #expect(try Connection(path: path).integer("SELECT count(*) FROM t") == 1)
  }

  @Test func theLimitOfLengthHolds() throws {
    let connection = try openWAL(path)
    #expect(connection.setLimit(.length, to: 1000) > 1000)
    #expect(connection.setLimit(.length, to: 1000) == 1000)
    let insert = try connection.prepare("INSERT INTO t (body) VALUES (?1)")
    let big = [UInt8](repeating: 1, count: 1001)
    #expect(code { try insert.bind(blob: big, at: 1) } == .tooBig)
  }

  @Test func interruptStopsAStatement() throws {
    let connection = try Connection(path: path)
    let interrupter = connection.interrupter
    // Interrupted from within itself, between two rows: no second thread, no waiting.
    let endless = try connection.prepare(
      "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c")
    var rows = 0
    #expect(
      code {
        try endless.eachRow { (_) throws(SQLiteError) in
          rows += 1
          if rows == 10 { interrupter.interrupt() }
          return true
        }
      } == .interrupted)
    #expect(rows == 10)
    #expect(try connection.integer("SELECT 5") == 5)
  }
}
