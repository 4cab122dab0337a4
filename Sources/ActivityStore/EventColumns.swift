import SQLite

/// The order of an event's columns in the statements that read and write it.
enum EventColumns {
  private static let names = """
    sequence, previous, first, id, owner, number, kind, date, due, by_user, from_state, to_state,
    reason, lateness, alert_row, alert_field, alert_sequence, outcome, step, content_row, fields,
    body
    """
  static let select = "SELECT \(names) FROM events"
  static let insert =
    "INSERT INTO events (\(names)) VALUES "
    + "(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,?18,?19,?20,?21,?22)"

  /// Binds all of an event's columns to `insert`.
  static func bind(_ event: EventRow, to statement: Statement) throws(SQLiteError) {
    try statement.bind(event.sequence, at: 1)
    try bind(event.previous, to: statement, at: 2)
    try bind(event.first, to: statement, at: 3)
    if event.id.isEmpty {
      try statement.bindNull(at: 4)
    } else {
      try statement.bind(text: event.id, at: 4)
    }
    try statement.bind(event.owner.map(Int64.init), at: 5)
    try bind(event.number, to: statement, at: 6)
    try statement.bind(Int64(event.kind), at: 7)
    try statement.bind(event.date, at: 8)
    try statement.bind(event.due, at: 9)
    try statement.bind(event.by.map(Int64.init), at: 10)
    try statement.bind(event.from.map(Int64.init), at: 11)
    try statement.bind(event.to.map(Int64.init), at: 12)
    try statement.bind(event.reason.map(Int64.init), at: 13)
    try statement.bind(event.lateness, at: 14)
    try statement.bind(event.alertRow, at: 15)
    try statement.bind(event.alertField.map(Int64.init), at: 16)
    try statement.bind(event.alertSequence, at: 17)
    try statement.bind(event.outcome.map(Int64.init), at: 18)
    try statement.bind(event.step, at: 19)
    try statement.bind(event.contentRow, at: 20)
    if event.fields.isEmpty {
      try statement.bindNull(at: 21)
    } else {
      try statement.bind(blob: event.fields, at: 21)
    }
    if event.body.isEmpty {
      try statement.bindNull(at: 22)
    } else {
      try statement.bind(text: event.body, at: 22)
    }
  }

  /// The event of a row of `select`. A number that does not fit its column, which only damage puts
  /// there, reads as absent.
  static func event(_ row: borrowing Row) -> EventRow {
    var event = EventRow(
      sequence: row.integer(0), kind: UInt8(truncatingIfNeeded: row.integer(6)),
      date: row.integer(7))
    event.previous = row.integer(1)
    event.first = row.integer(2)
    event.id = row.bytes(3)
    event.owner = narrow(row.integerOrNil(4))
    event.number = row.integer(5)
    event.due = row.integerOrNil(8)
    event.by = narrow(row.integerOrNil(9))
    event.from = narrow(row.integerOrNil(10))
    event.to = narrow(row.integerOrNil(11))
    event.reason = narrow(row.integerOrNil(12))
    event.lateness = row.integerOrNil(13)
    event.alertRow = row.integerOrNil(14)
    event.alertField = narrow(row.integerOrNil(15))
    event.alertSequence = row.integerOrNil(16)
    event.outcome = narrow(row.integerOrNil(17))
    event.step = row.integerOrNil(18)
    event.contentRow = row.integerOrNil(19)
    event.fields = row.bytes(20)
    event.body = row.bytes(21)
    return event
  }

  static func narrow<Number: FixedWidthInteger>(_ value: Int64?) -> Number? {
    value.flatMap(Number.init(exactly:))
  }

  // 0 stands for none, and none is NULL in the file.
  private static func bind(
    _ value: Int64, to statement: Statement, at parameter: Int32
  ) throws(SQLiteError) {
    if value == 0 {
      try statement.bindNull(at: parameter)
    } else {
      try statement.bind(value, at: parameter)
    }
  }
}
