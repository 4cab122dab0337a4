import SQLite

/// The statements that fold events into sessions.
struct FoldStatements {
  let events: Statement
  let insertSession: Statement
  let updateSession: Statement
  let ownerOfSession: Statement
  let linkSession: Statement
  let insertPast: Statement
  let insertShared: Statement
  let countEvents: Statement
  let setFolded: Statement

  init(_ connection: Connection) throws(SQLiteError) {
    events = try connection.prepare(Backlog.select)
    insertSession = try connection.prepare(
      "INSERT INTO sessions (first, id, owner, number, state, last, date, rows, fields) "
        + "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)")
    updateSession = try connection.prepare(
      "UPDATE sessions SET state = coalesce(?2, state), last = ?3, date = ?4, rows = rows + ?5, "
        + "fields = coalesce(?6, fields) WHERE first = ?1")
    ownerOfSession = try connection.prepare("SELECT owner FROM sessions WHERE first = ?1")
    linkSession = try connection.prepare(
      "UPDATE sessions SET next = ?1 "
        + "WHERE first = (SELECT e.first FROM events e WHERE e.sequence = ?2)")
    insertPast = try connection.prepare(
      "INSERT OR IGNORE INTO past (owner, date, first) VALUES (?1, ?2, ?3)")
    insertShared = try connection.prepare(
      "INSERT OR IGNORE INTO shared (row, first) "
        + "SELECT sequence, ?2 FROM events WHERE sequence = ?1 AND first IS NOT ?2")
    countEvents = try connection.prepare(
      "INSERT INTO owners (owner, events) VALUES (?1, ?2) "
        + "ON CONFLICT (owner) DO UPDATE SET events = events + excluded.events")
    setFolded = try connection.prepare(
      "INSERT INTO meta (key, value) VALUES ('foldedThrough', ?1) "
        + "ON CONFLICT (key) DO UPDATE SET value = excluded.value")
  }
}
