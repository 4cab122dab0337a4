import SQLite

/// The order of a session's columns in the statements that read it.
enum SessionColumns {
  static let select =
    "SELECT first, id, owner, number, state, last, date, fields FROM sessions"

  /// The session of a row of `select`.
  static func session(_ row: borrowing Row) -> SessionRow {
    SessionRow(
      first: row.integer(0), id: row.bytes(1),
      owner: UInt32(truncatingIfNeeded: row.integer(2)), number: row.integer(3),
      state: UInt8(truncatingIfNeeded: row.integer(4)), last: row.integer(5),
      date: row.integer(6), fields: row.bytes(7))
  }
}
