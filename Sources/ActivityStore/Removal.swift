import SQLite

/// Sessions that are past leave: first the session with its links, in one step, then its events
/// from the last one back, in as many steps as it takes.
extension RetentionWork {
  /// Looks at the next past thing of an owner that is older than `date` and removes it if nothing
  /// holds it; false if there is none.
  mutating func removeNext(
    _ place: inout RetentionCursor.Place, before limit: Int64
  ) throws(SQLiteError) -> Bool {
    let past = statements.past
    try past.bind(place.owner, at: 1)
    try past.bind(place.date, at: 2)
    try past.bind(place.first, at: 3)
    try past.bind(limit, at: 4)
    let found: (date: Int64, first: Int64)? = try past.first { (row) throws(SQLiteError) in
      (row.integer(0), row.integer(1))
    }
    guard let found else { return false }
    place.date = found.date
    place.first = found.first
    guard let session = try session(found.first) else {
      try removeLone(found.first)
      try dropPast(place)
      return true
    }
    if session.date >= limit, limit != .max {
      // More happened after it was dismissed: it counts from there.
      try statements.movePast.bind(place.owner, at: 1)
      try statements.movePast.bind(place.date, at: 2)
      try statements.movePast.bind(place.first, at: 3)
      try statements.movePast.bind(session.date, at: 4)
      try statements.movePast.run()
      return true
    }
    // Of an ID the oldest goes first, even where a clock that was set makes it look younger: what
    // is kept of it begins with its lowest number.
    let isOldest = try event(found.first)?.previous ?? 0 == 0
    if isOldest, try !isUnsettled(found.first, through: session.last) {
      try remove(found.first, session)
      try dropPast(place)
    }
    return true
  }

  private func dropPast(_ place: RetentionCursor.Place) throws(SQLiteError) {
    try statements.removePast.bind(place.owner, at: 1)
    try statements.removePast.bind(place.date, at: 2)
    try statements.removePast.bind(place.first, at: 3)
    try statements.removePast.run()
  }

  private func session(
    _ first: Int64
  ) throws(SQLiteError) -> (last: Int64, date: Int64, next: Int64?)? {
    try statements.session.bind(first, at: 1)
    return try statements.session.first { (row) throws(SQLiteError) in
      (row.integer(0), row.integer(1), row.integerOrNil(2))
    }
  }

  private func isUnsettled(_ first: Int64, through last: Int64) throws(SQLiteError) -> Bool {
    try statements.unsettled.bind(first, at: 1)
    try statements.unsettled.bind(last, at: 2)
    return try statements.unsettled.first { (_) throws(SQLiteError) in true } ?? false
  }

  /// Takes a session out: what follows it under its ID now follows what it followed.
  private mutating func remove(
    _ first: Int64, _ session: (last: Int64, date: Int64, next: Int64?)
  ) throws(SQLiteError) {
    let previous = try event(first)?.previous ?? 0
    if let next = session.next {
      try statements.relink.bind(next, at: 1)
      try statements.relink.bind(previous == 0 ? nil : previous, at: 2)
      try statements.relink.run()
    }
    if previous != 0 {
      try statements.moveSuccessor.bind(session.next, at: 1)
      try statements.moveSuccessor.bind(previous, at: 2)
      try statements.moveSuccessor.run()
    }
    try statements.removeSession.bind(first, at: 1)
    try statements.removeSession.run()
    try statements.putRemoval.bind(session.last, at: 1)
    try statements.putRemoval.bind(first, at: 2)
    try statements.putRemoval.run()
    result.removedSessions.append(first)
  }

  /// Removes the events of sessions that are gone; whether none is left.
  mutating func finishRemovals() throws(SQLiteError) -> Bool {
    while budget > 0 {
      let next: (last: Int64, first: Int64)? = try statements.removal.first {
        (row) throws(SQLiteError) in (row.integer(0), row.integer(1))
      }
      guard let next else { return true }
      try statements.dropRemoval.bind(next.last, at: 1)
      try statements.dropRemoval.run()
      var at = next.last
      while at != 0, budget > 0 {
        guard let event = try event(at), event.first == next.first else { break }
        for used in [event.alertRow, event.contentRow] where used != 0 {
          try unshare(used, from: next.first)
        }
        try removeEvent(at, of: event.owner)
        at = at == next.first || event.previous >= at ? 0 : event.previous
      }
      // A shared row that went along may have taken the budget below nothing.
      if budget <= 0, at != 0, try event(at)?.first == next.first {
        try statements.putRemoval.bind(at, at: 1)
        try statements.putRemoval.bind(next.first, at: 2)
        try statements.putRemoval.run()
      }
    }
    return try statements.removal.first { (_) throws(SQLiteError) in false } ?? true
  }

  /// What retention must know of an event.
  struct Links {
    var previous: Int64
    var first: Int64
    var owner: Int64
    var alertRow: Int64
    var contentRow: Int64
  }

  func event(_ sequence: Int64) throws(SQLiteError) -> Links? {
    try statements.event.bind(sequence, at: 1)
    return try statements.event.first { (row) throws(SQLiteError) in
      Links(
        previous: row.integer(0), first: row.integer(1), owner: row.integerOrNil(2) ?? -1,
        alertRow: row.integer(3), contentRow: row.integer(4))
    }
  }

  private mutating func removeLone(_ sequence: Int64) throws(SQLiteError) {
    guard let event = try event(sequence), event.first == 0 else { return }
    try removeEvent(sequence, of: event.owner)
  }

  /// Removes an event, or takes it out of its session if others use its text.
  private mutating func removeEvent(_ sequence: Int64, of owner: Int64) throws(SQLiteError) {
    if try isShared(sequence) {
      try statements.detachEvent.bind(sequence, at: 1)
      try statements.detachEvent.run()
      try statements.share.bind(sequence, at: 1)
      try statements.share.bind(Int64(0), at: 2)
      try statements.share.run()
      removedThrough = max(removedThrough, sequence)
      budget -= 1
    } else {
      try delete(sequence, of: owner)
    }
  }

  /// Deletes an event's row.
  mutating func delete(_ sequence: Int64, of owner: Int64) throws(SQLiteError) {
    try statements.removeEvent.bind(sequence, at: 1)
    try statements.removeEvent.run()
    removed[owner, default: 0] += 1
    removedThrough = max(removedThrough, sequence)
    result.removedEvents += 1
    budget -= 1
  }

  func isShared(_ sequence: Int64) throws(SQLiteError) -> Bool {
    try statements.isShared.bind(sequence, at: 1)
    return try statements.isShared.first { (_) throws(SQLiteError) in true } ?? false
  }

  /// A session no longer uses a row; the last user takes a row with it whose session is gone.
  private mutating func unshare(_ row: Int64, from first: Int64) throws(SQLiteError) {
    try statements.unshare.bind(row, at: 1)
    try statements.unshare.bind(first, at: 2)
    try statements.unshare.run()
    guard database.connection.changes > 0 else { return }
    let users: (count: Int64, lowest: Int64)? = try statements.users(of: row)
    guard let users, users.count == 1, users.lowest == 0, let event = try event(row) else { return }
    try statements.unshare.bind(row, at: 1)
    try statements.unshare.bind(Int64(0), at: 2)
    try statements.unshare.run()
    try delete(row, of: event.owner)
  }
}
