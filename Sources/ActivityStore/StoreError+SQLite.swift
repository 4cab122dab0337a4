import Glibc
import SQLite

extension StoreError {
  /// What an error of SQLite means for the store.
  init(_ error: SQLiteError) {
    let code: Code =
      switch error.code {
      case .full: .full
      case .busy, .locked: .busy
      case .readOnly: .readOnly
      case .corrupt, .notADatabase: .damaged
      case .cannotOpen: .cannotCreate
      // The files stay as they are; what was asked for is wrong.
      case .misuse, .range, .constraint, .tooBig, .error: .misuse
      default: .io
      }
    // Growing the -shm file on a full disk comes as an I/O error (SQLITE_IOERR_SHMSIZE).
    let isFull = error.systemError == ENOSPC || error.systemError == EDQUOT
    self.init(
      code == .io && isFull ? .full : code, "store: \(error)", sqliteCode: error.extendedCode,
      systemError: error.systemError)
  }

  /// What a failed system call means; `what` says what was being done to which file.
  init(_ code: Code, errno number: Int32, _ what: String) {
    let why = unsafe String(cString: strerror(number))
    self.init(code, "\(what): \(why)", systemError: number)
  }
}

/// Runs `body` and turns SQLite's errors into the store's.
@inline(__always)
func translating<Result>(
  _ body: () throws(SQLiteError) -> Result
) throws(StoreError) -> Result {
  do { return try body() } catch { throw StoreError(error) }
}
