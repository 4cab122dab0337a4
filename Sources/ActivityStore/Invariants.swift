import LiveActivity
import SQLite

extension ActivityStore {
  /// Looks through the whole store for what must not be; one line each, at most `limit`; empty if
  /// all is well. For `doctor` and tests: it reads everything.
  ///
  /// Retention leaves gaps in the numbers of old events, so what can be said of them is: after
  /// what is folded there is none; every event names a previous one that is kept; every session's
  /// chain leads from its last event to its first over all of its events; and `sessions` is what
  /// its events come to.
  public func check(limit: Int = 100) throws(StoreError) -> [String] {
    let database = try opened()
    return try translating { () throws(SQLiteError) in
      var check = InvariantCheck(database.connection, limit: max(1, limit))
      try check.run(highest: highestSequence, replaying: .max)
      return check.lines
    }
  }

  /// The same for another thread, beside the store's work.
  public var audit: StoreAudit { StoreAudit(path: directory.database, vfs: options.vfs) }
}

/// A look through a store's file by a connection of its own, as it stands when it begins; the store
/// goes on meanwhile. `PRAGMA integrity_check`, and what `ActivityStore.check` looks for.
public struct StoreAudit: Sendable {
  let path: String
  let vfs: String?

  /// Past events that are compared with the sessions which they come to; with more of them only the
  /// file and what refers to what is looked at, since the comparison takes memory for each session.
  public static let replayedEvents: Int64 = 200_000

  /// Reads it all; one line for each thing that must not be, at most `limit`; empty if all is well.
  ///
  /// Throws `damaged`, `busy`, `io`.
  public func run(limit: Int = 20) throws(StoreError) -> [String] {
    try translating { () throws(SQLiteError) in
      let connection = try Connection(path: path, mode: .readOnly, vfs: vfs)
      connection.setBusyTimeout(milliseconds: 1000)
      // One transaction, so that all is seen as it was at one time; the connection's end ends it.
      try connection.execute("BEGIN")
      var check = InvariantCheck(connection, limit: max(1, limit))
      check.lines = try connection.integrityCheck(limit: check.limit)
      if check.lines.isEmpty {
        try check.run(highest: nil, replaying: Self.replayedEvents)
      }
      return check.lines
    }
  }
}

private struct InvariantCheck {
  let connection: Connection
  let limit: Int
  var lines: [String] = []

  init(_ connection: Connection, limit: Int) {
    self.connection = connection
    self.limit = limit
  }

  /// `highest` is the last event's number where that is known: of the events themselves the last
  /// may have been removed, but none that is not folded.
  mutating func run(highest: Int64?, replaying most: Int64) throws(SQLiteError) {
    let folded =
      try connection.integer("SELECT value FROM meta WHERE key = 'foldedThrough'") ?? 0
    let last = try connection.integer("SELECT max(sequence) FROM events") ?? 0
    let highest = highest ?? max(last, folded)
    if folded > highest {
      lines.append("folded through \(folded), but the last event is \(highest)")
    }
    try gaps(after: folded, through: highest)
    for (sql, text) in Self.rules { try apply(sql, text) }
    if folded <= most { try chains(folded) }
    lines = Array(lines.prefix(limit))
  }

  private mutating func gaps(after folded: Int64, through highest: Int64) throws(SQLiteError) {
    let count = try connection.integer("SELECT count(*) FROM events WHERE sequence > \(folded)")
    if folded <= highest, count ?? 0 != highest - folded {
      lines.append("\(count ?? 0) of \(highest - folded) events after event \(folded) are there")
    }
  }

  // Each query finds what must not be; its first column names it.
  private static let rules: [(sql: String, text: String)] = [
    (
      "SELECT sequence FROM events WHERE previous >= sequence OR first > sequence OR sequence < 1",
      "an event that names a later one"
    ),
    (
      "SELECT sequence FROM events e WHERE previous IS NOT NULL AND NOT EXISTS "
        + "(SELECT 1 FROM events p WHERE p.sequence = e.previous)",
      "an event whose previous one is missing"
    ),
    (
      "SELECT sequence FROM events e WHERE first IS NOT NULL AND first <> sequence AND NOT EXISTS "
        + "(SELECT 1 FROM events p WHERE p.sequence = e.previous AND p.first = e.first) "
        + "AND NOT EXISTS (SELECT 1 FROM removals r WHERE r.first = e.first)",
      "an event whose previous one is of another session"
    ),
    (
      "SELECT sequence FROM events e WHERE alert_row IS NOT NULL AND NOT EXISTS "
        + "(SELECT 1 FROM events p WHERE p.sequence = e.alert_row) "
        + "AND NOT EXISTS (SELECT 1 FROM removals r WHERE r.first = e.first)",
      "an event whose alert's text is missing"
    ),
    (
      "SELECT sequence FROM events e WHERE content_row IS NOT NULL AND NOT EXISTS "
        + "(SELECT 1 FROM events p WHERE p.sequence = e.content_row) "
        + "AND NOT EXISTS (SELECT 1 FROM removals r WHERE r.first = e.first)",
      "an event whose content is missing"
    ),
    (
      "SELECT sequence FROM outbox o WHERE NOT EXISTS "
        + "(SELECT 1 FROM events e WHERE e.sequence = o.sequence)",
      "an alert in the outbox without its event"
    ),
    (
      "SELECT first FROM sessions s WHERE state = 4 AND NOT EXISTS "
        + "(SELECT 1 FROM past p WHERE p.owner = s.owner AND p.first = s.first)",
      "a dismissed session that retention does not see"
    ),
    (
      "SELECT row FROM shared s WHERE NOT EXISTS "
        + "(SELECT 1 FROM events e WHERE e.sequence = s.row)",
      "a shared text that is missing"
    ),
    (
      "SELECT first FROM sessions s WHERE next IS NOT NULL AND NOT EXISTS "
        + "(SELECT 1 FROM sessions n WHERE n.first = s.next AND n.id = s.id AND n.owner = s.owner)",
      "a session followed by none of its ID"
    ),
  ]

  private mutating func apply(_ sql: String, _ text: String) throws(SQLiteError) {
    guard lines.count < limit else { return }
    let statement = try connection.prepare(sql)
    try statement.eachRow { (row) throws(SQLiteError) in
      lines.append("\(text): \(row.integer(0))")
      return lines.count < limit
    }
  }

  /// Replays the events that are folded and compares; counts them by owner.
  private mutating func chains(_ folded: Int64) throws(SQLiteError) {
    var replayed: [Int64: (last: Int64, date: Int64, state: Int64, rows: Int64, fields: [UInt8])] =
      [:]
    var owners: [Int64: Int64] = [:]
    try connection.prepare(
      "SELECT e.sequence, e.first, e.date, e.to_state, e.fields, e.owner, "
        + "EXISTS (SELECT 1 FROM removals r WHERE r.first = e.first) "
        + "FROM events e WHERE e.sequence <= \(folded) ORDER BY e.sequence"
    ).eachRow { (row) throws(SQLiteError) in
      owners[row.integerOrNil(5) ?? -1, default: 0] += 1
      let first = row.integer(1)
      if first == 0 || row.integer(6) != 0 { return true }
      var session = replayed[first] ?? (0, 0, 0, 0, [])
      session.last = row.integer(0)
      session.date = row.integer(2)
      session.state = row.integerOrNil(3) ?? session.state
      session.rows += 1
      let fields = row.bytes(4)
      if !fields.isEmpty { session.fields = fields }
      replayed[first] = session
      return true
    }
    try connection.prepare(
      "SELECT first, last, date, state, rows, fields FROM sessions ORDER BY first"
    ).eachRow { (row) throws(SQLiteError) in
      let first = row.integer(0)
      guard let session = replayed.removeValue(forKey: first) else {
        lines.append("a session without events: \(first)")
        return lines.count < limit
      }
      if session.last != row.integer(1) || session.date != row.integer(2)
        || session.state != row.integer(3) || session.rows != row.integer(4)
        || session.fields != row.bytes(5)
      {
        lines.append("a session that is not what its events come to: \(first)")
      }
      return lines.count < limit
    }
    for first in replayed.keys.sorted().prefix(limit) {
      lines.append("events without their session: \(first)")
    }
    try connection.prepare("SELECT owner, events FROM owners").eachRow {
      (row) throws(SQLiteError) in
      let count = owners.removeValue(forKey: row.integer(0)) ?? 0
      if count != row.integer(1) {
        lines.append("owner \(row.integer(0)) has \(count) events, not \(row.integer(1))")
      }
      return lines.count < limit
    }
    for (owner, count) in owners { lines.append("owner \(owner) has \(count) events, not 0") }
  }
}
