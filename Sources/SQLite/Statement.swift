internal import CSQLite

/// One prepared statement, made once and used again. Parameters count from 1, columns from 0.
///
/// Belongs to its connection's thread and keeps the connection open.
@safe public final class Statement {
  /// Where it was prepared.
  public let connection: Connection
  let handle: OpaquePointer

  init(_ connection: Connection, _ sql: String) throws(SQLiteError) {
    var prepared: OpaquePointer?
    var rest = 0
    let code = unsafe sql.withCString { text in
      var tail: UnsafePointer<CChar>?
      let code = unsafe sqlite3_prepare_v3(
        connection.handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, &tail)
      if let tail = unsafe tail {
        rest = unsafe String(cString: tail).utf8.count { $0 > UInt8(ascii: " ") && $0 != 0x3b }
      }
      return code
    }
    guard code == SQLITE_OK else { throw connection.failure(code, while: sql) }
    guard let statement = unsafe prepared, rest == 0 else {
      unsafe sqlite3_finalize(prepared)
      throw SQLiteError(
        extendedCode: SQLITE_MISUSE, message: "not exactly one statement", context: sql)
    }
    self.connection = connection
    unsafe handle = statement
  }

  deinit { unsafe sqlite3_finalize(handle) }

  /// Its SQL, parameters unexpanded.
  public var sql: String {
    guard let text = unsafe sqlite3_sql(handle) else { return "" }
    return unsafe String(cString: text)
  }

  /// Goes on to the next row; false at the end. Whoever steps by hand resets by hand.
  public func step() throws(SQLiteError) -> Bool {
    switch unsafe sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code:
      let error = connection.failure(code, while: sql)
      reset()
      throw error
    }
  }

  /// Runs a statement whose rows, if any, do not matter, and resets it in every case.
  public func run() throws(SQLiteError) {
    let code = unsafe sqlite3_step(handle)
    guard code == SQLITE_DONE || code == SQLITE_ROW else {
      let error = connection.failure(code, while: sql)
      reset()
      throw error
    }
    unsafe sqlite3_reset(handle)
  }

  /// Calls `body` for each row until it returns false; resets in every case.
  public func eachRow(
    _ body: (borrowing Row) throws(SQLiteError) -> Bool
  ) throws(SQLiteError) {
    defer { reset() }
    while try step() {
      guard try body(Row(self)) else { return }
    }
  }

  /// What `body` makes of the first row; nil if there is none. Resets in every case.
  public func first<Result>(
    _ body: (borrowing Row) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result? {
    defer { reset() }
    guard try step() else { return nil }
    return try body(Row(self))
  }

  /// Ready to be bound and run again; keeps what is bound. Frees the read lock it may hold.
  public func reset() {
    // The code repeats the failure of the last step, which has been told already.
    unsafe sqlite3_reset(handle)
  }

  /// The row that `step` stands on; meaningless after the next `step` or `reset`.
  public var row: Row { Row(self) }

  func check(_ code: Int32, _ parameter: Int32) throws(SQLiteError) {
    if code != SQLITE_OK { throw bindFailure(code, parameter) }
  }

  @inline(never)
  private func bindFailure(_ code: Int32, _ parameter: Int32) -> SQLiteError {
    connection.failure(code, while: "parameter \(parameter) of \(sql)")
  }
}
