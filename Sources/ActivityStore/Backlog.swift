import LiveActivity
import SQLite

/// A run of events that are not folded yet, gathered by session: what they come to.
struct Backlog {
  /// What the events of one session come to.
  struct Change {
    /// Set if its `scheduled` event is among them.
    var opening: Opening?
    var state: UInt8?
    /// The date at which it was dismissed, if it was.
    var dismissed: Int64?
    var last: Int64 = 0
    var date: Int64 = 0
    var rows: Int64 = 0
    var fields: [UInt8] = []

    struct Opening {
      var id: [UInt8]
      var owner: UInt32
      var number: Int64
      /// The last row of the ID's previous session; 0 if there is none.
      var previous: Int64
    }

    /// The session after the change.
    func applied(to row: SessionRow) -> SessionRow {
      var row = row
      if let state { row.state = state }
      if !fields.isEmpty { row.fields = fields }
      row.last = last
      row.date = date
      return row
    }

    /// The session that begins with the change.
    func session(_ first: Int64) -> SessionRow? {
      guard let opening else { return nil }
      return SessionRow(
        first: first, id: opening.id, owner: opening.owner, number: opening.number,
        state: state ?? 0, last: last, date: date, fields: fields)
    }
  }

  /// By session.
  var changes: [Int64: Change] = [:]
  /// Events about no session.
  var lone: [(owner: Int64, date: Int64, sequence: Int64)] = []
  /// Rows whose text sessions other than their own use.
  var shared: [(row: Int64, first: Int64)] = []
  /// How many events there are of each owner, -1 for none.
  var owners: [Int64: Int64] = [:]
  /// The last event in it; where it began if there is none.
  var through: Int64
  var count = 0

  /// At most `limit` events after number `sequence`.
  init(after sequence: Int64, limit: Int, of database: Database) throws(SQLiteError) {
    through = sequence
    let statement = database.folding.events
    try statement.bind(sequence, at: 1)
    try statement.bind(Int64(limit), at: 2)
    try statement.eachRow { (row) throws(SQLiteError) in
      add(row)
      return true
    }
  }

  /// The columns that folding needs; the body stays where it is.
  static let select = """
    SELECT sequence, previous, first, id, owner, number, date, to_state, alert_row, content_row,
    fields, kind FROM events WHERE sequence > ?1 ORDER BY sequence LIMIT ?2
    """

  private mutating func add(_ row: borrowing Row) {
    let sequence = row.integer(0)
    let first = row.integer(2)
    let owner = row.integerOrNil(4) ?? -1
    let date = row.integer(6)
    through = sequence
    count += 1
    owners[owner, default: 0] += 1
    guard first != 0 else {
      lone.append((owner, date, sequence))
      return
    }
    for column in [8, 9] as [Int32] {
      // A row of the same session lies between its first one and this one, but so do others':
      // only what is certainly its own is left out here, the rest when it is folded.
      let used = row.integer(column)
      if used != 0, used != sequence, used != first { shared.append((used, first)) }
    }
    // One look-up a row; the optionals avoid copying the fields twice.
    changes[first, default: Change()].add(row, opens: first == sequence)
  }
}

extension Backlog.Change {
  fileprivate mutating func add(_ row: borrowing Row, opens: Bool) {
    if opens {
      opening = Opening(
        id: row.bytes(3), owner: UInt32(truncatingIfNeeded: row.integer(4)),
        number: row.integer(5), previous: row.integer(1))
    }
    last = row.integer(0)
    date = row.integer(6)
    rows += 1
    let to: UInt8? = EventColumns.narrow(row.integerOrNil(7))
    if let to { state = to }
    // Later events of a dismissed session may give its state again; one that a person dismissed for
    // themselves alone goes on.
    if row.integer(11) == Int64(EventKind.dismissed.rawValue), to == dismissedState {
      dismissed = date
    }
    let packed = row.bytes(10)
    if !packed.isEmpty { fields = packed }
  }
}
