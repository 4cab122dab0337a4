import SQLite

/// The open file: one connection and the statements prepared on it once.
final class Database {
  let connection: Connection
  let insertEvent: Statement
  let oneEvent: Statement
  let eventsAfter: Statement
  let putOutbox: Statement
  let removeOutbox: Statement
  let putEntry: Statement
  let removeEntry: Statement
  let folding: FoldStatements
  let retaining: RetentionStatements

  /// Opens the file for writing, in WAL mode and with every commit synced, and migrates it.
  /// Returns the schema version it had.
  static func open(
    _ path: String, vfs: String?, migrations: [Schema.Migration] = Schema.migrations
  ) throws(SQLiteError) -> (database: Database, found: Int64) {
    let connection = try Connection(path: path, mode: .readWrite, vfs: vfs)
    try prepare(connection)
    let found = try Schema.migrate(connection, by: migrations)
    return (try Database(connection), found)
  }

  /// The settings that every connection to the file needs.
  static func prepare(_ connection: Connection) throws(SQLiteError) {
    // Only an administrator's own sqlite3 can be in the way; the loop must not wait for it long.
    connection.setBusyTimeout(milliseconds: 50)
    let mode = try connection.pragma("journal_mode", set: "wal")
    guard mode == "wal" else {
      throw SQLiteError(
        extendedCode: connection.isReadOnly ? 8 : 10, message: "cannot use a write-ahead log",
        context: connection.path)
    }
    try connection.pragma("synchronous", set: "full")
    // What is flipped on a page shows as the page is read, not as nonsense in its cells.
    try connection.pragma("cell_size_check", set: "on")
    // What was removed is overwritten where that costs no write of its own.
    try connection.pragma("secure_delete", set: "fast")
    try connection.pragma("temp_store", set: "memory")
    try connection.pragma("trusted_schema", set: "off")
    try connection.pragma("cache_size", set: "-8192")
    // A mapped file that shrinks or fails ends in SIGBUS.
    try connection.pragma("mmap_size", set: "0")
    // The WAL file is kept and reused; when it is copied back is decided by `checkpointStep`.
    connection.takeOverCheckpoints()
    try connection.setKeepsWAL(true)
  }

  private init(_ connection: Connection) throws(SQLiteError) {
    self.connection = connection
    insertEvent = try connection.prepare(EventColumns.insert)
    oneEvent = try connection.prepare("\(EventColumns.select) WHERE sequence = ?1")
    eventsAfter = try connection.prepare(
      "\(EventColumns.select) WHERE sequence > ?1 ORDER BY sequence LIMIT ?2")
    putOutbox = try connection.prepare(
      "INSERT INTO outbox (sequence, fields) VALUES (?1, ?2) "
        + "ON CONFLICT (sequence) DO UPDATE SET fields = excluded.fields")
    removeOutbox = try connection.prepare("DELETE FROM outbox WHERE sequence = ?1")
    putEntry = try connection.prepare(
      "INSERT INTO entries (key, value) VALUES (?1, ?2) "
        + "ON CONFLICT (key) DO UPDATE SET value = excluded.value")
    removeEntry = try connection.prepare("DELETE FROM entries WHERE key = ?1")
    folding = try FoldStatements(connection)
    retaining = try RetentionStatements(connection)
  }

  /// Up to which event the sessions are folded.
  func foldedThrough() throws(SQLiteError) -> Int64 {
    try connection.integer("SELECT value FROM meta WHERE key = 'foldedThrough'") ?? 0
  }

  /// The last number given to an event. Retention may have removed that event, but none that was
  /// not folded, so that numbers never come again.
  func highestSequence() throws(SQLiteError) -> Int64 {
    let kept = try connection.integer("SELECT max(sequence) FROM events") ?? 0
    return max(kept, try foldedThrough())
  }
}
