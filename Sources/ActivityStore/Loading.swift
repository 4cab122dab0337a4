import SQLite

extension ActivityStore {
  /// The alerts of the outbox alone, in order: which sessions they belong to is worth knowing before
  /// these are loaded.
  public func alerts() throws(StoreError) -> [(sequence: Int64, fields: [UInt8])] {
    let database = try opened()
    return try translating { () throws(SQLiteError) in
      var alerts: [(sequence: Int64, fields: [UInt8])] = []
      try database.connection.prepare("SELECT sequence, fields FROM outbox ORDER BY sequence")
        .eachRow { (row) throws(SQLiteError) in
          alerts.append((row.integer(0), row.bytes(1)))
          return true
        }
      return alerts
    }
  }

  /// Tells the caller each session once, as its last event left it, then each alert of the outbox
  /// and each entry.
  ///
  /// Folds first what is not folded, in short steps; what cannot be folded, on a full or read-only
  /// disk, is held in memory meanwhile. Sessions come in order of their `scheduled` rows. With
  /// `past` false dismissed ones are left out.
  public func load(
    past: Bool = true, session: (SessionRow) -> Void,
    outbox: (_ sequence: Int64, _ fields: [UInt8]) -> Void,
    entry: (_ key: String, _ value: [UInt8]) -> Void
  ) throws(StoreError) {
    do throws(StoreError) { while try foldStep(limit: 4000) {} } catch {
      guard error.code != .damaged else { throw error }
    }
    let database = try opened()
    try translating { () throws(SQLiteError) in
      var backlog = try Backlog(
        after: try database.foldedThrough(), limit: .max, of: database)
      let sessions = try database.connection.prepare(SessionColumns.select + " ORDER BY first")
      try sessions.eachRow { (row) throws(SQLiteError) in
        var found = SessionColumns.session(row)
        if let change = backlog.changes.removeValue(forKey: found.first) {
          found = change.applied(to: found)
        }
        if past || found.state != dismissedState { session(found) }
        return true
      }
      for first in backlog.changes.keys.sorted() {
        guard let found = backlog.changes[first]?.session(first) else {
          throw SQLiteError(extendedCode: 11, message: "session \(first) is missing")
        }
        if past || found.state != dismissedState { session(found) }
      }
      try database.connection.prepare("SELECT sequence, fields FROM outbox ORDER BY sequence")
        .eachRow { (row) throws(SQLiteError) in
          outbox(row.integer(0), row.bytes(1))
          return true
        }
      try database.connection.prepare("SELECT key, value FROM entries ORDER BY key")
        .eachRow { (row) throws(SQLiteError) in
          entry(row.string(0), row.bytes(1))
          return true
        }
    }
  }
}
