import LiveActivity
import SQLite

/// The raw value that the tables' conditions on `state = 4` mean.
let dismissedState = ActivityState.dismissed.rawValue

extension ActivityStore {
  /// Folds at most `limit` events into `sessions`, in a transaction of its own; whether there are
  /// more to fold.
  ///
  /// Sessions are written in order of their rows, each once a step, so that steps of a thousand
  /// events cost little more than appending them did.
  public func foldStep(limit: Int = 1000) throws(StoreError) -> Bool {
    let database = try opened()
    guard !isInTransaction else {
      throw StoreError(.misuse, "store: no folding within a transaction")
    }
    return try translating { () throws(SQLiteError) in
      let folded = try database.foldedThrough()
      let backlog = try Backlog(after: folded, limit: max(1, limit), of: database)
      guard backlog.count > 0 else { return false }
      try database.connection.transaction { () throws(SQLiteError) in
        try database.fold(backlog)
      }
      return backlog.through < highestSequence
    }
  }
}

extension Database {
  /// Writes what the backlog comes to, and that it is folded.
  func fold(_ backlog: Backlog) throws(SQLiteError) {
    for first in backlog.changes.keys.sorted() {
      guard let change = backlog.changes[first] else { continue }
      if let opening = change.opening {
        try insertSession(first, opening, change)
        if opening.previous != 0 { try link(first, after: opening.previous) }
      } else {
        try updateSession(first, change)
      }
      guard let date = change.dismissed else { continue }
      try folding.insertPast.bind(try owner(of: first, change), at: 1)
      try folding.insertPast.bind(date, at: 2)
      try folding.insertPast.bind(first, at: 3)
      try folding.insertPast.run()
    }
    for event in backlog.lone {
      try folding.insertPast.bind(event.owner, at: 1)
      try folding.insertPast.bind(event.date, at: 2)
      try folding.insertPast.bind(event.sequence, at: 3)
      try folding.insertPast.run()
    }
    for use in backlog.shared {
      // The statement leaves out rows of the session itself.
      try folding.insertShared.bind(use.row, at: 1)
      try folding.insertShared.bind(use.first, at: 2)
      try folding.insertShared.run()
    }
    for (owner, events) in backlog.owners { try count(events, of: owner) }
    try folding.setFolded.bind(backlog.through, at: 1)
    try folding.setFolded.run()
  }

  private func insertSession(
    _ first: Int64, _ opening: Backlog.Change.Opening, _ change: Backlog.Change
  ) throws(SQLiteError) {
    try folding.insertSession.bind(first, at: 1)
    try folding.insertSession.bind(text: opening.id, at: 2)
    try folding.insertSession.bind(Int64(opening.owner), at: 3)
    try folding.insertSession.bind(opening.number, at: 4)
    try folding.insertSession.bind(Int64(change.state ?? 0), at: 5)
    try folding.insertSession.bind(change.last, at: 6)
    try folding.insertSession.bind(change.date, at: 7)
    try folding.insertSession.bind(change.rows, at: 8)
    try folding.insertSession.bind(blob: change.fields, at: 9)
    try folding.insertSession.run()
  }

  private func updateSession(_ first: Int64, _ change: Backlog.Change) throws(SQLiteError) {
    try folding.updateSession.bind(first, at: 1)
    try folding.updateSession.bind(change.state.map(Int64.init), at: 2)
    try folding.updateSession.bind(change.last, at: 3)
    try folding.updateSession.bind(change.date, at: 4)
    try folding.updateSession.bind(change.rows, at: 5)
    if change.fields.isEmpty {
      try folding.updateSession.bindNull(at: 6)
    } else {
      try folding.updateSession.bind(blob: change.fields, at: 6)
    }
    try folding.updateSession.run()
    guard connection.changes == 1 else {
      throw SQLiteError(
        extendedCode: 11,
        message: "event \(change.last) belongs to session \(first), which is missing")
    }
  }

  private func owner(of first: Int64, _ change: Backlog.Change) throws(SQLiteError) -> Int64 {
    if let opening = change.opening { return Int64(opening.owner) }
    try folding.ownerOfSession.bind(first, at: 1)
    return try folding.ownerOfSession.first { (row) throws(SQLiteError) in row.integer(0) } ?? -1
  }

  /// Notes that a session follows the one that row `previous` belongs to.
  private func link(_ first: Int64, after previous: Int64) throws(SQLiteError) {
    try folding.linkSession.bind(first, at: 1)
    try folding.linkSession.bind(previous, at: 2)
    try folding.linkSession.run()
  }

  /// Adds to the number of an owner's events.
  func count(_ events: Int64, of owner: Int64) throws(SQLiteError) {
    try folding.countEvents.bind(owner, at: 1)
    try folding.countEvents.bind(events, at: 2)
    try folding.countEvents.run()
  }
}
