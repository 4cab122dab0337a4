internal import CSQLite

/// What a checkpoint came to. <https://sqlite.org/c3ref/wal_checkpoint_v2.html>
public struct CheckpointResult: Hashable, Sendable {
  /// Whether a reader or writer kept it from finishing what its mode asks.
  public let wasBlocked: Bool
  /// Frames (pages) in the WAL; -1 if the file is not in WAL mode.
  public let logFrames: Int
  /// Of these, frames that are now in the database file; -1 likewise.
  public let checkpointedFrames: Int
}

/// How far a checkpoint goes.
public enum CheckpointMode: Sendable {
  /// As far as readers allow, waiting for none.
  case passive
  /// All frames; waits for readers with the busy timeout.
  case full
  /// As `full`, and the next writer starts the WAL file over.
  case restart
  /// As `restart`, and the WAL file becomes empty.
  case truncate
}

extension Connection {
  /// Checkpoints the main database; a lock in the way is told in the result, not thrown.
  @discardableResult
  public func checkpoint(_ mode: CheckpointMode) throws(SQLiteError) -> CheckpointResult {
    let number: Int32 =
      switch mode {
      case .passive: SQLITE_CHECKPOINT_PASSIVE
      case .full: SQLITE_CHECKPOINT_FULL
      case .restart: SQLITE_CHECKPOINT_RESTART
      case .truncate: SQLITE_CHECKPOINT_TRUNCATE
      }
    var frames: Int32 = -1
    var done: Int32 = -1
    let code = unsafe sqlite3_wal_checkpoint_v2(handle, "main", number, &frames, &done)
    guard code == SQLITE_OK || code & 0xff == SQLITE_BUSY else {
      throw failure(code, while: "checkpoint")
    }
    return CheckpointResult(
      wasBlocked: code != SQLITE_OK, logFrames: Int(frames), checkpointedFrames: Int(done))
  }

  /// Ends SQLite's own checkpoints and starts counting `walFrameCount`: the caller decides when.
  public func takeOverCheckpoints() {
    unsafe sqlite3_wal_hook(
      handle,
      { context, _, _, frames in
        unsafe context?.assumingMemoryBound(to: Int32.self).pointee = frames
        return SQLITE_OK
      }, walFrames)
  }

  /// Frames in the WAL after this connection's last commit, since `takeOverCheckpoints`.
  public var walFrameCount: Int { unsafe Int(walFrames.pointee) }

  /// Checkpoints by itself at so many frames; 0 never does. Undoes `takeOverCheckpoints`.
  public func setAutomaticCheckpoint(frames: Int32) throws(SQLiteError) {
    let code = unsafe sqlite3_wal_autocheckpoint(handle, frames)
    guard code == SQLITE_OK else { throw failure(code, while: "wal_autocheckpoint") }
  }

  /// Whether closing leaves the WAL file in place (`SQLITE_FCNTL_PERSIST_WAL`).
  public func setKeepsWAL(_ keeps: Bool) throws(SQLiteError) {
    var value: Int32 = keeps ? 1 : 0
    let code = unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &value)
    guard code == SQLITE_OK else { throw failure(code, while: "SQLITE_FCNTL_PERSIST_WAL") }
  }

  /// `PRAGMA quick_check`: what is wrong, at most `limit` lines; empty if nothing is.
  ///
  /// A file damaged enough throws `corrupt` or `notADatabase` instead.
  public func quickCheck(limit: Int = 100) throws(SQLiteError) -> [String] {
    try check("PRAGMA quick_check(\(limit))")
  }

  /// `PRAGMA integrity_check`: as `quickCheck`, and indexes against their tables.
  public func integrityCheck(limit: Int = 100) throws(SQLiteError) -> [String] {
    try check("PRAGMA integrity_check(\(limit))")
  }

  private func check(_ sql: String) throws(SQLiteError) -> [String] {
    var lines: [String] = []
    try prepare(sql).eachRow { row in
      // A row may hold several lines, the first of them a heading.
      lines += row.string(0).split(separator: "\n").map(String.init)
      return true
    }
    if lines == ["ok"] { return [] }
    let findings = lines.filter { !$0.hasPrefix("***") }
    return findings.isEmpty ? lines : findings
  }
}

/// Run-time limits of a connection. <https://sqlite.org/limits.html>
public enum ConnectionLimit: Sendable {
  /// Bytes of a text, a blob or a row.
  case length
  /// Bytes of an SQL text.
  case sqlLength
  /// Number of the highest `?NNN` parameter.
  case parameters
}

extension Connection {
  /// Sets a limit, cut to what SQLite was built with, and returns the one before.
  @discardableResult
  public func setLimit(_ limit: ConnectionLimit, to value: Int32) -> Int32 {
    let number: Int32 =
      switch limit {
      case .length: SQLITE_LIMIT_LENGTH
      case .sqlLength: SQLITE_LIMIT_SQL_LENGTH
      case .parameters: SQLITE_LIMIT_VARIABLE_NUMBER
      }
    return unsafe sqlite3_limit(handle, number, max(0, value))
  }

  /// What may interrupt this connection's statements from another thread.
  public var interrupter: Interrupter { Interrupter(self) }
}

/// Stops a connection's running statements from any thread; they throw `interrupted`.
///
/// Keeps the connection open. `@unchecked`: `sqlite3_interrupt` is the one call that SQLite allows
/// beside another thread's, and nothing else is reachable from here.
public struct Interrupter: @unchecked Sendable {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// Stops what runs now; without effect on what starts later.
  public func interrupt() { unsafe sqlite3_interrupt(connection.handle) }
}
