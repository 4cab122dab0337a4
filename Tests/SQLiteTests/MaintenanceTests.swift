import Testing

@testable import SQLite

@Suite struct MaintenanceTests {
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("a.sqlite")
  }

  @Test func theCallerDecidesWhenToCheckpoint() throws {
    let connection = try openWAL(path)
    connection.takeOverCheckpoints()
    #expect(connection.walFrameCount == 0)
    let insert = try connection.prepare("INSERT INTO t (body) VALUES (zeroblob(4000))")
    for _ in 0..<1200 { try insert.run() }
    // SQLite's own checkpoint would have started the WAL over at 1000 frames.
    #expect(connection.walFrameCount > 1200)
    let passive = try connection.checkpoint(.passive)
    #expect(passive.logFrames == connection.walFrameCount)
    #expect(passive.checkpointedFrames == passive.logFrames)
    #expect(!passive.wasBlocked)
    try insert.run()
    #expect(connection.walFrameCount < 10)
  }

  @Test func aReaderHoldsACheckpointBack() throws {
    let writer = try openWAL(path)
    try writer.execute("INSERT INTO t (n) VALUES (1), (2)")
    let reader = try Connection(path: path, mode: .readOnly)
    let rows = try reader.prepare("SELECT n FROM t")
    #expect(try rows.step())
    try writer.execute("INSERT INTO t (n) VALUES (3)")
    let held = try writer.checkpoint(.truncate)
    #expect(held.wasBlocked)
    rows.reset()
    let free = try writer.checkpoint(.truncate)
    #expect(free == CheckpointResult(wasBlocked: false, logFrames: 0, checkpointedFrames: 0))
  }

  @Test func withoutAWALThereIsNothingToCheckpoint() throws {
    let connection = try Connection(path: path)
    try connection.execute("CREATE TABLE t (n)")
    #expect(try connection.checkpoint(.passive).logFrames == -1)
  }

  @Test(arguments: [true, false])
  func theWALStaysIfAsked(keep: Bool) throws {
    var connection: Connection? = try openWAL(path)
    try connection?.setKeepsWAL(keep)
    try connection?.setAutomaticCheckpoint(frames: 0)
    try connection?.execute("INSERT INTO t (n) VALUES (1)")
    connection = nil
    #expect(directory.has("a.sqlite-wal") == keep)
  }

  @Test func aSoundFilePassesTheChecks() throws {
    let connection = try openWAL(path)
    #expect(try connection.quickCheck() == [])
    #expect(try connection.integrityCheck(limit: 1) == [])
  }

  @Test func flippedBytesAreTold() throws {
    var connection: Connection? = try openWAL(path)
    try connection?.execute("CREATE INDEX i ON t (n)")
    for n in 0..<500 { try connection?.execute("INSERT INTO t (n) VALUES (\(n))") }
    connection = nil
    directory.write(64, of: 0xff, to: "a.sqlite", at: 4096 + 8)
    let damaged = try Connection(path: path)
    var lines: [String] = []
    let refusal = code { lines = try damaged.integrityCheck(limit: 3) }
    #expect(refusal == .corrupt || !lines.isEmpty)
    #expect(lines.count <= 3)
  }

  @Test func aFileThatIsNoDatabaseIsToldAtTheFirstRead() throws {
    directory.write(2000, of: 0x41, to: "a.sqlite", at: 0)
    let connection = try Connection(path: path)
    let error = try #require(throws: SQLiteError.self) {
      _ = try connection.integer("SELECT count(*) FROM sqlite_schema")
    }
    #expect(error.code == .notADatabase && error.isDamage)
  }
}
