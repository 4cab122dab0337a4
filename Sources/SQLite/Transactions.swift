internal import CSQLite

extension Connection {
  /// Whether a transaction is open; an error such as `full` or `io` may have ended it.
  public var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

  /// `BEGIN IMMEDIATE`: takes the write lock now, so that no later statement fails for it.
  public func beginImmediate() throws(SQLiteError) {
    try unsafe run(&begin, "BEGIN IMMEDIATE")
  }

  /// `COMMIT`. On an error the transaction may still be open: call `rollBack`.
  public func commitTransaction() throws(SQLiteError) {
    try unsafe run(&commit, "COMMIT")
  }

  /// `ROLLBACK`; does nothing if no transaction is open.
  public func rollBack() throws(SQLiteError) {
    guard isInTransaction else { return }
    try unsafe run(&undo, "ROLLBACK")
  }

  /// Runs `body` in an immediate transaction: committed if it returns, rolled back if it throws.
  public func transaction<Result>(
    _ body: () throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    try beginImmediate()
    do {
      let result = try body()
      try commitTransaction()
      return result
    } catch {
      // The first error is the one that explains; a rollback that fails too adds nothing.
      try? rollBack()
      throw error
    }
  }

  private func run(
    _ statement: inout OpaquePointer?, _ sql: String
  ) throws(SQLiteError) {
    if unsafe statement == nil {
      let code = unsafe sqlite3_prepare_v3(
        handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
      guard code == SQLITE_OK else { throw failure(code, while: sql) }
    }
    let code = unsafe sqlite3_step(statement)
    guard code == SQLITE_DONE else {
      let error = failure(code, while: sql)
      unsafe sqlite3_reset(statement)
      throw error
    }
    unsafe sqlite3_reset(statement)
  }
}
