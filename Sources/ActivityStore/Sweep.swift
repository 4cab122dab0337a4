import LiveActivity
import SQLite

/// A walk along the chain of a live session, from its last event back, that removes content
/// updates which newer content has superseded. It goes on over several steps.
struct Sweep {
  let first: Int64
  /// The session's last row when the walk began, or was taken up again.
  var top: Int64
  /// The row to look at next; 0 at the end.
  var at: Int64
  /// The row before it on the walk that stays.
  var newer: Int64 = 0
  /// Whether a row that stays has set the content already.
  var hasContent = false
  /// Rows that those which stay refer to.
  var referenced: Set<Int64> = []

  init(first: Int64, last: Int64) {
    self.first = first
    top = last
    at = last
  }
}

extension RetentionWork {
  /// Removes superseded updates of an owner's live sessions until `excess` events are gone;
  /// whether all its sessions have been tried or enough is gone.
  mutating func sweepLive(
    of owner: Int64, excess: Int64, _ cursor: inout RetentionCursor
  ) throws(SQLiteError) -> Bool {
    var excess = excess
    // One window a step bounds the search for sessions as well.
    let end = cursor.liveAfter.addingClamped(10_000)
    while mayGoOn {
      looks -= 1
      if cursor.sweep == nil {
        guard let next = try liveSession(of: owner, after: cursor.liveAfter, through: end) else {
          cursor.liveAfter = end
          return end >= folded
        }
        cursor.sweep = Sweep(first: next.first, last: next.last)
        cursor.liveAfter = next.first
      }
      guard var sweep = cursor.sweep else { return true }
      excess -= try walk(&sweep, atMost: excess)
      cursor.sweep = sweep.at == 0 ? nil : sweep
      if excess <= 0 { return true }
    }
    return false
  }

  private func liveSession(
    of owner: Int64, after first: Int64, through end: Int64
  ) throws(SQLiteError) -> (first: Int64, last: Int64)? {
    try statements.liveSessions.bind(owner, at: 1)
    try statements.liveSessions.bind(first, at: 2)
    try statements.liveSessions.bind(end, at: 3)
    return try statements.liveSessions.first { (row) throws(SQLiteError) in
      (row.integer(0), row.integer(1))
    }
  }

  /// Walks on; returns how many rows it removed. The chain is whole again when it returns.
  private mutating func walk(
    _ sweep: inout Sweep, atMost excess: Int64
  ) throws(SQLiteError) -> Int64 {
    guard try takeUp(&sweep) else { return 0 }
    var gone: Int64 = 0
    var isBroken = false
    while sweep.at != 0, mayGoOn, gone < excess {
      looks -= 1
      guard let row = try swept(sweep.at), row.links.first == sweep.first else {
        sweep.at = 0
        break
      }
      let isSuperseded =
        row.kind == EventKind.updated.rawValue && sweep.hasContent
        && !sweep.referenced.contains(sweep.at) && !row.isUnsettled
      if isSuperseded, sweep.newer != 0, try !isShared(sweep.at) {
        try delete(sweep.at, of: row.links.owner)
        gone += 1
        isBroken = true
      } else {
        if isBroken { try link(sweep.newer, to: sweep.at) }
        isBroken = false
        keep(row, &sweep)
        sweep.newer = sweep.at
      }
      sweep.at =
        sweep.at == sweep.first || row.links.previous >= sweep.at ? 0 : row.links.previous
    }
    if isBroken { try link(sweep.newer, to: sweep.at) }
    if gone > 0 {
      try statements.shorten.bind(sweep.first, at: 1)
      try statements.shorten.bind(gone, at: 2)
      try statements.shorten.run()
    }
    return gone
  }

  /// What was appended since the last step may refer to rows further down; false if the session is
  /// over meanwhile.
  private func takeUp(_ sweep: inout Sweep) throws(SQLiteError) -> Bool {
    try statements.session.bind(sweep.first, at: 1)
    let last = try statements.session.first { (row) throws(SQLiteError) in row.integer(0) }
    guard let last else {
      sweep.at = 0
      return false
    }
    var at = last
    while at > sweep.top, let row = try swept(at) {
      keep(row, &sweep)
      at = row.links.previous
    }
    sweep.top = last
    return true
  }

  private func keep(_ row: SweptRow, _ sweep: inout Sweep) {
    if row.links.contentRow != 0 { sweep.hasContent = true }
    sweep.referenced.insert(row.links.contentRow)
    sweep.referenced.insert(row.links.alertRow)
    sweep.referenced.formUnion(rules.references(row.fields))
  }

  private func link(_ row: Int64, to previous: Int64) throws(SQLiteError) {
    try statements.relink.bind(row, at: 1)
    try statements.relink.bind(previous == 0 ? nil : previous, at: 2)
    try statements.relink.run()
  }

  private struct SweptRow {
    var links: Links
    var kind: UInt8
    var fields: [UInt8]
    var isUnsettled: Bool
  }

  private func swept(_ sequence: Int64) throws(SQLiteError) -> SweptRow? {
    try statements.swept.bind(sequence, at: 1)
    return try statements.swept.first { (row) throws(SQLiteError) in
      SweptRow(
        links: Links(
          previous: row.integer(0), first: row.integer(1), owner: row.integerOrNil(2) ?? -1,
          alertRow: row.integer(3), contentRow: row.integer(4)),
        kind: UInt8(truncatingIfNeeded: row.integer(5)), fields: row.bytes(6),
        isUnsettled: row.integer(7) != 0)
    }
  }
}
