import SQLite

extension ActivityStore {
  /// The event of that number; nil if it is not kept.
  public func event(_ sequence: Int64) throws(StoreError) -> EventRow? {
    let statement = try opened().oneEvent
    return try translating { () throws(SQLiteError) in
      try statement.bind(sequence, at: 1)
      return try statement.first { (row) throws(SQLiteError) in EventColumns.event(row) }
    }
  }

  /// At most `limit` events after that number, in order.
  public func events(after sequence: Int64, limit: Int) throws(StoreError) -> [EventRow] {
    let statement = try opened().eventsAfter
    return try translating { () throws(SQLiteError) in
      var events: [EventRow] = []
      try statement.bind(sequence, at: 1)
      try statement.bind(Int64(max(0, limit)), at: 2)
      try statement.eachRow { (row) throws(SQLiteError) in
        events.append(EventColumns.event(row))
        return true
      }
      return events
    }
  }

  /// At most `limit` events from `last` back, newest first, on into earlier sessions of the ID;
  /// ends where nothing is kept any more.
  public func chain(from last: Int64, limit: Int) throws(StoreError) -> [EventRow] {
    var events: [EventRow] = []
    var next = last
    while next > 0, events.count < limit, let event = try event(next) {
      events.append(event)
      // In a sound file the chain only goes back; a damaged one must not make it endless.
      next = event.previous < next ? event.previous : 0
    }
    return events
  }

  /// What is kept under keys that begin with `prefix`, in order of the keys.
  public func entries(prefix: String) throws(StoreError) -> [(key: String, value: [UInt8])] {
    let connection = try opened().connection
    return try translating { () throws(SQLiteError) in
      let statement = try connection.prepare(
        "SELECT key, value FROM entries WHERE substr(key, 1, length(?1)) = ?1 ORDER BY key")
      try statement.bind(text: prefix, at: 1)
      var found: [(key: String, value: [UInt8])] = []
      try statement.eachRow { (row) throws(SQLiteError) in
        found.append((row.string(0), row.bytes(1)))
        return true
      }
      return found
    }
  }

  /// The last session of that owner and ID that is folded and dismissed; nil if none is kept.
  public func pastSession(owner: UInt32, id: [UInt8]) throws(StoreError) -> SessionRow? {
    let connection = try opened().connection
    return try translating { () throws(SQLiteError) in
      let statement = try connection.prepare(
        "\(SessionColumns.select) WHERE owner = ?1 AND id = ?2 AND state = 4 "
          + "ORDER BY first DESC LIMIT 1")
      try statement.bind(Int64(owner), at: 1)
      try statement.bind(text: id, at: 2)
      return try statement.first { (row) throws(SQLiteError) in SessionColumns.session(row) }
    }
  }
}
