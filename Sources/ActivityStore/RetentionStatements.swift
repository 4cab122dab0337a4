import SQLite

/// The statements that remove what need not be kept.
struct RetentionStatements {
  let owners: Statement
  let crowdedOwners: Statement
  let past: Statement
  let movePast: Statement
  let removePast: Statement
  let session: Statement
  let removeSession: Statement
  let moveSuccessor: Statement
  let removal: Statement
  let putRemoval: Statement
  let dropRemoval: Statement
  let event: Statement
  let removeEvent: Statement
  let detachEvent: Statement
  let relink: Statement
  let isShared: Statement
  let share: Statement
  let unshare: Statement
  let unsettled: Statement
  let liveSessions: Statement
  let shorten: Statement
  let swept: Statement
  let setRemoved: Statement
  private let usersOfRow: Statement

  init(_ connection: Connection) throws(SQLiteError) {
    owners = try connection.prepare(
      "SELECT owner FROM owners WHERE owner > ?1 ORDER BY owner LIMIT ?2")
    crowdedOwners = try connection.prepare(
      "SELECT owner, events FROM owners WHERE owner >= ?1 AND events > ?2 ORDER BY owner LIMIT 1")
    past = try connection.prepare(
      "SELECT date, first FROM past WHERE owner = ?1 AND (date, first) > (?2, ?3) AND date < ?4 "
        + "ORDER BY date, first LIMIT 1")
    movePast = try connection.prepare(
      "UPDATE OR REPLACE past SET date = ?4 WHERE owner = ?1 AND date = ?2 AND first = ?3")
    removePast = try connection.prepare(
      "DELETE FROM past WHERE owner = ?1 AND date = ?2 AND first = ?3")
    session = try connection.prepare("SELECT last, date, next FROM sessions WHERE first = ?1")
    removeSession = try connection.prepare("DELETE FROM sessions WHERE first = ?1")
    moveSuccessor = try connection.prepare(
      "UPDATE sessions SET next = ?1 "
        + "WHERE first = (SELECT e.first FROM events e WHERE e.sequence = ?2)")
    removal = try connection.prepare("SELECT last, first FROM removals LIMIT 1")
    putRemoval = try connection.prepare("INSERT OR REPLACE INTO removals VALUES (?1, ?2)")
    dropRemoval = try connection.prepare("DELETE FROM removals WHERE last = ?1")
    event = try connection.prepare(
      "SELECT previous, first, owner, alert_row, content_row FROM events WHERE sequence = ?1")
    removeEvent = try connection.prepare("DELETE FROM events WHERE sequence = ?1")
    detachEvent = try connection.prepare(
      "UPDATE events SET previous = NULL, first = NULL WHERE sequence = ?1")
    relink = try connection.prepare("UPDATE events SET previous = ?2 WHERE sequence = ?1")
    isShared = try connection.prepare("SELECT 1 FROM shared WHERE row = ?1 LIMIT 1")
    share = try connection.prepare("INSERT OR IGNORE INTO shared VALUES (?1, ?2)")
    unshare = try connection.prepare("DELETE FROM shared WHERE row = ?1 AND first = ?2")
    // Alerts still to be settled are few, and those between a session's first and last row fewer:
    // a cross join looks at these first, never at all the events in between.
    unsettled = try connection.prepare(
      "SELECT 1 FROM outbox o CROSS JOIN events e ON e.sequence = o.sequence "
        + "WHERE o.sequence BETWEEN ?1 AND ?2 AND e.first = ?1 LIMIT 1")
    liveSessions = try connection.prepare(
      "SELECT first, last FROM sessions WHERE first > ?2 AND first <= ?3 AND owner = ?1 "
        + "AND state <> 4 AND rows > 2 ORDER BY first LIMIT 1")
    shorten = try connection.prepare("UPDATE sessions SET rows = rows - ?2 WHERE first = ?1")
    swept = try connection.prepare(
      "SELECT previous, first, owner, alert_row, content_row, kind, fields, "
        + "EXISTS (SELECT 1 FROM outbox o WHERE o.sequence = e.sequence) "
        + "FROM events e WHERE sequence = ?1")
    setRemoved = try connection.prepare(
      "INSERT INTO meta (key, value) VALUES ('removedThrough', ?1) ON CONFLICT (key) "
        + "DO UPDATE SET value = max(value, excluded.value)")
    usersOfRow = try connection.prepare("SELECT count(*), min(first) FROM shared WHERE row = ?1")
  }

  /// How many sessions use a row, and the first of them: 0 if its own is gone.
  func users(of row: Int64) throws(SQLiteError) -> (count: Int64, lowest: Int64)? {
    try usersOfRow.bind(row, at: 1)
    return try usersOfRow.first { (row) throws(SQLiteError) in (row.integer(0), row.integer(1)) }
  }
}
