internal import CSQLite

/// One connection to a database file.
///
/// Used by one thread at a time (`SQLITE_OPEN_NOMUTEX`); only its `Interrupter` may cross threads.
/// The file is closed when the connection and every statement prepared on it are gone.
@safe public final class Connection {
  /// How the file is opened.
  public enum Mode: Sendable {
    /// Never written; the file must exist.
    case readOnly
    /// The file must exist.
    case readWrite
    /// The file is made if it is missing.
    case create
  }

  let handle: OpaquePointer
  // Prepared on first use; raw handles, because a Statement would keep its connection alive.
  var begin: OpaquePointer?
  var commit: OpaquePointer?
  var undo: OpaquePointer?
  let walFrames: UnsafeMutablePointer<Int32>

  /// Opens the file at `path`; `vfs` names another registered VFS than the default.
  ///
  /// Throws `cannotOpen`; a file that is no database shows only at the first read.
  public init(path: String, mode: Mode = .create, vfs: String? = nil) throws(SQLiteError) {
    let access: Int32 =
      switch mode {
      case .readOnly: SQLITE_OPEN_READONLY
      case .readWrite: SQLITE_OPEN_READWRITE
      case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    let flags = access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    var opened: OpaquePointer?
    let code = unsafe sqlite3_open_v2(path, &opened, flags, vfs)
    guard code == SQLITE_OK, let database = unsafe opened else {
      let error = unsafe SQLiteError(code, of: opened, while: path)
      unsafe sqlite3_close(opened)
      throw error
    }
    unsafe handle = database
    unsafe walFrames = .allocate(capacity: 1)
    unsafe walFrames.initialize(to: 0)
  }

  deinit {
    unsafe sqlite3_finalize(begin)
    unsafe sqlite3_finalize(commit)
    unsafe sqlite3_finalize(undo)
    unsafe sqlite3_close_v2(handle)
    unsafe walFrames.deallocate()
  }

  /// The file's absolute path; empty for a database in memory.
  public var path: String {
    guard let name = unsafe sqlite3_db_filename(handle, "main") else { return "" }
    return unsafe String(cString: name)
  }

  /// Whether the file can only be read, for whatever cause.
  public var isReadOnly: Bool { unsafe sqlite3_db_readonly(handle, "main") == 1 }

  /// Waits up to so many milliseconds for another connection's lock before `busy`.
  public func setBusyTimeout(milliseconds: Int32) {
    unsafe sqlite3_busy_timeout(handle, milliseconds)
  }

  /// Runs SQL of any number of statements and ignores rows.
  public func execute(_ sql: String) throws(SQLiteError) {
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw failure(code, while: sql) }
  }

  /// Prepares one statement, to be kept and used again.
  public func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    try Statement(self, sql)
  }

  /// The first column of the first row as an integer; nil if there is no row or it is NULL.
  public func integer(_ sql: String) throws(SQLiteError) -> Int64? {
    try prepare(sql).first { row in row.integerOrNil(0) } ?? nil
  }

  /// The first column of the first row as text; nil if there is no row or it is NULL.
  public func text(_ sql: String) throws(SQLiteError) -> String? {
    try prepare(sql).first { row in row.isNull(0) ? nil : row.string(0) } ?? nil
  }

  /// Sets a pragma and returns what it says it is now, if it says anything.
  ///
  /// Both texts become SQL as they are: never pass foreign ones.
  @discardableResult
  public func pragma(_ name: String, set value: String) throws(SQLiteError) -> String? {
    try text("PRAGMA \(name)=\(value)")
  }

  /// Rows changed by the last INSERT, UPDATE or DELETE.
  public var changes: Int64 { unsafe sqlite3_changes64(handle) }

  /// The rowid of the last INSERT that succeeded; 0 before the first.
  public var lastInsertRowID: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

  @inline(never)
  func failure(_ code: Int32, while context: String) -> SQLiteError {
    unsafe SQLiteError(code, of: handle, while: context)
  }
}

extension SQLiteError {
  /// The error `code` with the words of `database`, which is nil only when memory ran out.
  init(_ code: Int32, of database: OpaquePointer?, while context: String) {
    guard let database = unsafe database else {
      let text = unsafe String(cString: sqlite3_errstr(code))
      self.init(extendedCode: code, message: text, context: context)
      return
    }
    // A misuse caught by the library leaves no message of its own behind.
    let known = unsafe sqlite3_extended_errcode(database) & 0xff == code & 0xff
    let text = unsafe String(cString: known ? sqlite3_errmsg(database) : sqlite3_errstr(code))
    let system: Int32 =
      switch code & 0xff {
      case SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_FULL, SQLITE_READONLY:
        unsafe sqlite3_system_errno(database)
      default: 0
      }
    self.init(extendedCode: code, systemError: system, message: text, context: context)
  }
}
