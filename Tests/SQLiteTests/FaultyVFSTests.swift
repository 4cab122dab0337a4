import Testing

@testable import SQLite

@Suite struct FaultyVFSTests {
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("a.sqlite")
  }

  private func faulty() throws -> FaultyVFS { try #require(FaultyVFS()) }

  private func insert(_ connection: Connection, _ n: Int) throws {
    try connection.transaction { () throws(SQLiteError) in
      try connection.execute("INSERT INTO t (n) VALUES (\(n))")
    }
  }

  private func rows() throws -> Int64? {
    let connection = try Connection(path: path)
    #expect(try connection.integrityCheck() == [])
    return try connection.integer("SELECT count(*) FROM t")
  }

  @Test func aFullDiskFailsWithoutHarm() throws {
    let vfs = try faulty()
    let connection = try openWAL(path, vfs: vfs.name)
    try insert(connection, 1)
    vfs.set(FaultyVFS.Plan())
    #expect(code { try insert(connection, 2) } == .full)
    #expect(!connection.isInTransaction)
    vfs.set(nil)
    try insert(connection, 3)
    #expect(try rows() == 2)
  }

  @Test func aReusedWALNeedsNoSpace() throws {
    let vfs = try faulty()
    let connection = try openWAL(path, vfs: vfs.name)
    for n in 0..<20 { try insert(connection, n) }
    try connection.checkpoint(.restart)
    var plan = FaultyVFS.Plan()
    plan.onlyGrowth = true
    vfs.set(plan)
    try insert(connection, 20)
    #expect(code { for n in 0..<200 { try insert(connection, n) } } == .full)
  }

  @Test func aFailedSyncFailsTheCommitOnce() throws {
    let vfs = try faulty()
    let connection = try openWAL(path, vfs: vfs.name)
    try insert(connection, 1)
    var plan = FaultyVFS.Plan()
    plan.operations = [.sync]
    plan.failing = 1
    plan.code = 1034  // SQLITE_IOERR_FSYNC
    vfs.set(plan)
    let error = try #require(throws: SQLiteError.self) { try insert(connection, 2) }
    #expect(error.code == .io && error.extendedCode == 1034)
    try insert(connection, 3)
    #expect(try rows() == 2)
  }

  /// Every possible moment of a failure in a few commits and a checkpoint; torn or not.
  @Test(arguments: [true, false])
  func noMomentOfAPowerCutLosesACommit(tears: Bool) throws {
    let vfs = try faulty()
    var moment = 0
    var finished = false
    while !finished {
      let path = directory.file("\(moment).sqlite")
      var committed = 0
      do {
        let connection = try openWAL(path, vfs: vfs.name)
        var plan = FaultyVFS.Plan()
        plan.succeeding = moment
        plan.code = 10
        plan.tears = tears
        vfs.set(plan)
        do {
          for n in 0..<4 {
            try insert(connection, n)
            committed += 1
          }
          try connection.checkpoint(.truncate)
          finished = true
        } catch {}
        vfs.cutPower(keeping: moment % 3)
      }
      vfs.set(nil)
      vfs.restorePower()
      let after = try Connection(path: path)
      #expect(try after.integrityCheck() == [])
      let found = try after.integer("SELECT count(*) FROM t") ?? 0
      // One that was not acknowledged may be there all the same; none that was may be missing.
      #expect(found == committed || found == committed + 1, "moment \(moment)")
      moment += 1
    }
    #expect(moment > 10)
  }

  @Test func whatWasNotSyncedIsGoneAfterAPowerCut() throws {
    let vfs = try faulty()
    do {
      let connection = try openWAL(path, vfs: vfs.name)
      try insert(connection, 1)
      try connection.pragma("synchronous", set: "off")
      try insert(connection, 2)
      vfs.cutPower()
      #expect(code { try insert(connection, 3) } == .io)
    }
    vfs.restorePower()
    #expect(try rows() == 1)
  }
}
