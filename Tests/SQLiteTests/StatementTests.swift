import Testing

@testable import SQLite

@Suite struct StatementTests {
  let directory: TemporaryDirectory
  let connection: Connection

  init() throws {
    directory = try TemporaryDirectory()
    connection = try openWAL(directory.file("a.sqlite"))
  }

  @Test(arguments: [0, 1, -1, .max, .min, 1 << 53 + 1])
  func integersComeBackExactly(value: Int64) throws {
    let echo = try connection.prepare("SELECT ?1, typeof(?1)")
    try echo.bind(value, at: 1)
    let back = try echo.first { row in (row.integer(0), row.string(1)) }
    #expect(back?.0 == value)
    #expect(back?.1 == "integer")
  }

  @Test func nullIsToldFromZeroAndEmpty() throws {
    let echo = try connection.prepare("SELECT ?1, ?2, ?3, ?4, ?5")
    try echo.bind(nil as Int64?, at: 1)
    try echo.bind(0 as Int64?, at: 2)
    try echo.bind(blob: [], at: 3)
    try echo.bind(text: "", at: 4)
    try echo.bind(nil as Double?, at: 5)
    _ = try echo.first { row in
      #expect(row.count == 5)
      #expect(row.isNull(0) && row.integerOrNil(0) == nil)
      #expect(row.integerOrNil(1) == 0)
      #expect(!row.isNull(2) && row.bytes(2).isEmpty)
      #expect(!row.isNull(3) && row.string(3).isEmpty)
      #expect(row.realOrNil(4) == nil)
    }
  }

  @Test func textKeepsItsBytes() throws {
    let text = "备份 نسخ 🎉 \u{0} end"
    let echo = try connection.prepare("SELECT ?1, ?2, ?3, typeof(?1), typeof(?3)")
    try echo.bind(text: text, at: 1)
    try echo.bind(text: Array(text.utf8), at: 2)
    try echo.bind(blob: Array(text.utf8), at: 3)
    _ = try echo.first { row in
      #expect(row.string(0) == text)
      #expect(row.bytes(1) == Array(text.utf8))
      #expect(row.bytes(2) == Array(text.utf8))
      #expect(row.string(3) == "text")
      #expect(row.string(4) == "blob")
    }
  }

  @Test func realsComeBack() throws {
    let echo = try connection.prepare("SELECT ?1")
    for value in [0.1, -0.0, .greatestFiniteMagnitude, .infinity] {
      try echo.bind(value, at: 1)
      #expect(try echo.first { row in row.real(0) } == value)
    }
  }

  @Test func bytesAreBoundWithoutACopyAndLetGo() throws {
    let insert = try connection.prepare("INSERT INTO t (n, body) VALUES (?1, ?2)")
    let body: [UInt8] = Array(0...255)
    try insert.bind(1, at: 1)
    try insert.with(blob: body.span, at: 2) { () throws(SQLiteError) in try insert.run() }
    try insert.run()
    let read = try connection.prepare("SELECT body FROM t ORDER BY id")
    var bodies: [[UInt8]] = []
    try read.eachRow { row in
      bodies.append(row.bytes(0))
      return true
    }
    // The second run found NULL where the bytes had been.
    #expect(bodies == [body, []])
  }

  @Test func aFailureInsideALoanStillLetsGo() throws {
    let insert = try connection.prepare("INSERT INTO t (id, body) VALUES (1, ?1)")
    for _ in 0..<2 {
      let outcome = code {
        try insert.with(text: Array("x".utf8).span, at: 1) { () throws(SQLiteError) in
          try insert.run()
        }
      }
      // STRICT: text is no blob.
      #expect(outcome == .constraint)
    }
    try insert.run()
  }

  @Test func aParameterThatIsNotThereIsRefused() throws {
    let insert = try connection.prepare("INSERT INTO t (n) VALUES (?1)")
    for number in [0, 2, -1, .max] as [Int32] {
      #expect(code { try insert.bind(1, at: number) } == .range)
    }
  }

  @Test func aColumnThatIsNotThereIsNull() throws {
    let one = try connection.prepare("SELECT 1")
    _ = try one.first { row in
      for column in [1, -1, .max] as [Int32] {
        #expect(row.isNull(column) && row.integer(column) == 0 && row.bytes(column).isEmpty)
      }
    }
  }

  @Test func bindingARunningStatementIsMisuse() throws {
    let rows = try connection.prepare("SELECT ?1 UNION ALL SELECT 2")
    #expect(try rows.step())
    #expect(code { try rows.bind(1, at: 1) } == .misuse)
    rows.reset()
    try rows.bind(1, at: 1)
    #expect(try rows.step())
    #expect(rows.row.integer(0) == 1)
    rows.clearBindings()
    rows.reset()
  }

  @Test(arguments: ["", " ", "-- nothing", "SELECT 1; SELECT 2"])
  func notExactlyOneStatementIsRefused(sql: String) {
    #expect(code { _ = try connection.prepare(sql) } == .misuse)
  }

  @Test func aTrailingSemicolonIsFine() throws {
    #expect(try connection.integer("SELECT 1; ; \n") == 1)
  }

  @Test func stoppingEarlyFreesTheReadLock() throws {
    try connection.execute("INSERT INTO t (n) VALUES (1), (2), (3)")
    let read = try connection.prepare("SELECT n FROM t")
    try read.eachRow { _ in false }
    let result = try connection.checkpoint(.truncate)
    #expect(!result.wasBlocked)
  }

  @Test func aStatementIsFreshAfterAConstraintError() throws {
    let insert = try connection.prepare("INSERT INTO t (id) VALUES (?1)")
    try insert.bind(1, at: 1)
    try insert.run()
    let error = try #require(throws: SQLiteError.self) { try insert.run() }
    #expect(error.extendedCode == 1555)
    try insert.bind(2, at: 1)
    try insert.run()
    #expect(insert.sql == "INSERT INTO t (id) VALUES (?1)")
  }
}
