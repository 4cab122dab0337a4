import SQLite

/// The tables, and how an older file comes to have them.
///
/// The version stands in `PRAGMA user_version`. A migration, once released, never changes: what is
/// new gets a new one.
enum Schema {
  /// `PRAGMA application_id`: "LASC", so that file(1) and this program know whose file it is.
  static let application: Int64 = 0x4c41_5343

  /// One step to the next version: statements run in one transaction.
  typealias Migration = [String]

  /// The step from version n to n + 1 stands at index n.
  static let migrations: [Migration] = [version1, version2]

  /// The version that `migrations` lead to.
  static func version(after migrations: [Migration]) -> Int64 { Int64(migrations.count) }

  static func version(of connection: Connection) throws(SQLiteError) -> Int64 {
    try connection.integer("PRAGMA user_version") ?? 0
  }

  /// Brings the file to the latest version, one transaction a step; returns what it had before.
  static func migrate(
    _ connection: Connection, by migrations: [Migration]
  ) throws(SQLiteError) -> Int64 {
    let found = try version(of: connection)
    guard found >= 0 else { return found }
    for step in migrations.indices.dropFirst(Int(clamping: found)) {
      try connection.transaction { () throws(SQLiteError) in
        for statement in migrations[step] { try connection.execute(statement) }
        try connection.execute("PRAGMA user_version=\(step + 1)")
      }
    }
    return found
  }

  private static let version1: Migration = [
    // What is known of the file itself: store (a random id made with it), foldedThrough.
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID",
    // No second index: an event is one row appended.
    """
    CREATE TABLE events (
      sequence INTEGER PRIMARY KEY,
      previous INTEGER,
      first INTEGER,
      id TEXT,
      owner INTEGER,
      number INTEGER,
      kind INTEGER NOT NULL,
      date INTEGER NOT NULL,
      due INTEGER,
      by_user INTEGER,
      from_state INTEGER,
      to_state INTEGER,
      reason INTEGER,
      lateness INTEGER,
      alert_row INTEGER,
      alert_field INTEGER,
      alert_sequence INTEGER,
      outcome INTEGER,
      step INTEGER,
      content_row INTEGER,
      fields BLOB,
      body TEXT
    ) STRICT
    """,
    // Alerts that somebody has yet to settle, by the event that carries them.
    "CREATE TABLE outbox (sequence INTEGER PRIMARY KEY, fields BLOB NOT NULL) STRICT",
    // Small facts that are no events: disabled types, boots, owners' names.
    """
    CREATE TABLE entries (key TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID
    """,
    // Folded behind the events. `next` is the session that used the ID again, `rows` counts the
    // session's events.
    """
    CREATE TABLE sessions (
      first INTEGER PRIMARY KEY,
      id TEXT NOT NULL,
      owner INTEGER NOT NULL,
      number INTEGER NOT NULL,
      state INTEGER NOT NULL,
      last INTEGER NOT NULL,
      date INTEGER NOT NULL,
      next INTEGER,
      rows INTEGER NOT NULL,
      fields BLOB NOT NULL
    ) STRICT
    """,
    "CREATE INDEX past_sessions ON sessions (owner, id) WHERE state = 4",
    // What retention works on: per owner (-1: nobody) how many events there are, and what is past,
    // oldest first: dismissed sessions, and events about no session.
    "CREATE TABLE owners (owner INTEGER PRIMARY KEY, events INTEGER NOT NULL) STRICT",
    """
    CREATE TABLE past (
      owner INTEGER NOT NULL, date INTEGER NOT NULL, first INTEGER NOT NULL,
      PRIMARY KEY (owner, date, first)
    ) STRICT, WITHOUT ROWID
    """,
    // Rows whose text sessions other than their own use; first 0: their own session is gone.
    """
    CREATE TABLE shared (
      row INTEGER NOT NULL, first INTEGER NOT NULL, PRIMARY KEY (row, first)
    ) STRICT, WITHOUT ROWID
    """,
    // Chains of events whose session is removed already: from `last` back to `first`.
    "CREATE TABLE removals (last INTEGER PRIMARY KEY, first INTEGER NOT NULL) STRICT",
    // For people: sqlite3 activities.sqlite 'SELECT * FROM history'.
    """
    CREATE VIEW history AS SELECT
      e.sequence,
      strftime('%Y-%m-%dT%H:%M:%S', e.date / 1000000, 'unixepoch')
        || printf('.%06dZ', e.date % 1000000) AS date,
      CASE e.kind
        WHEN 0 THEN 'scheduled' WHEN 1 THEN 'rescheduled' WHEN 2 THEN 'started'
        WHEN 3 THEN 'updated' WHEN 4 THEN 'stale' WHEN 5 THEN 'fresh' WHEN 6 THEN 'ended'
        WHEN 7 THEN 'dismissed' WHEN 8 THEN 'action' WHEN 9 THEN 'remoteUpdatesStopped'
        WHEN 10 THEN 'alertSettled' WHEN 11 THEN 'alertSnoozed' WHEN 12 THEN 'enabledChanged'
        WHEN 13 THEN 'clockStepped' ELSE e.kind END AS kind,
      e.owner, f.id, e.number AS session, e.by_user,
      CASE e.to_state
        WHEN 0 THEN 'pending' WHEN 1 THEN 'active' WHEN 2 THEN 'stale' WHEN 3 THEN 'ended'
        WHEN 4 THEN 'dismissed' ELSE e.to_state END AS state,
      e.lateness, e.body
    FROM events e LEFT JOIN events f ON f.sequence = e.first
    """,
  ]

  // More kinds of events, with fields that an older program could not read.
  private static let version2: Migration = [
    "DROP VIEW history",
    """
    CREATE VIEW history AS SELECT
      e.sequence,
      strftime('%Y-%m-%dT%H:%M:%S', e.date / 1000000, 'unixepoch')
        || printf('.%06dZ', e.date % 1000000) AS date,
      CASE e.kind
        WHEN 0 THEN 'scheduled' WHEN 1 THEN 'rescheduled' WHEN 2 THEN 'started'
        WHEN 3 THEN 'updated' WHEN 4 THEN 'stale' WHEN 5 THEN 'fresh' WHEN 6 THEN 'ended'
        WHEN 7 THEN 'dismissed' WHEN 8 THEN 'action' WHEN 9 THEN 'remoteUpdatesStopped'
        WHEN 10 THEN 'alertSettled' WHEN 11 THEN 'alertSnoozed' WHEN 12 THEN 'enabledChanged'
        WHEN 13 THEN 'clockStepped' WHEN 14 THEN 'reminded'
        WHEN 15 THEN 'updatePlanned' WHEN 16 THEN 'skipped' ELSE e.kind END AS kind,
      e.owner, f.id, e.number AS session, e.by_user,
      CASE e.to_state
        WHEN 0 THEN 'pending' WHEN 1 THEN 'active' WHEN 2 THEN 'stale' WHEN 3 THEN 'ended'
        WHEN 4 THEN 'dismissed' ELSE e.to_state END AS state,
      e.lateness, e.body
    FROM events e LEFT JOIN events f ON f.sequence = e.first
    """,
  ]
}
