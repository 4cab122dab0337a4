internal import CSQLite

/// The row a statement stands on: a look at its columns, numbered from 0.
///
/// Reading a column as another type converts by SQLite's rules; a column that is not there reads as
/// NULL. <https://sqlite.org/c3ref/column_blob.html>
public struct Row {
  private let statement: Statement

  init(_ statement: Statement) { self.statement = statement }

  /// How many columns it has.
  public var count: Int32 { unsafe sqlite3_data_count(statement.handle) }

  /// Whether the column is NULL.
  public func isNull(_ column: Int32) -> Bool {
    unsafe sqlite3_column_type(statement.handle, column) == SQLITE_NULL
  }

  /// The column as an integer; NULL is 0.
  public func integer(_ column: Int32) -> Int64 {
    unsafe sqlite3_column_int64(statement.handle, column)
  }

  /// The column as an integer; nil for NULL.
  public func integerOrNil(_ column: Int32) -> Int64? {
    isNull(column) ? nil : integer(column)
  }

  /// The column as a real number; NULL is 0.
  public func real(_ column: Int32) -> Double {
    unsafe sqlite3_column_double(statement.handle, column)
  }

  /// The column as a real number; nil for NULL.
  public func realOrNil(_ column: Int32) -> Double? {
    isNull(column) ? nil : real(column)
  }

  /// Looks at the bytes of a blob or of text as UTF-8 where they lie; NULL is empty.
  public func withBytes<Result, Failure: Error>(
    _ column: Int32, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // The pointer first: asking for it may convert, and then the length changes.
    let start = unsafe sqlite3_column_blob(statement.handle, column)
    let count = unsafe start == nil ? 0 : Int(sqlite3_column_bytes(statement.handle, column))
    let bytes = unsafe UnsafeBufferPointer(
      start: start?.assumingMemoryBound(to: UInt8.self), count: count)
    return try unsafe body(bytes.span)
  }

  /// The bytes of a blob or of text as UTF-8; NULL is empty.
  public func bytes(_ column: Int32) -> [UInt8] {
    withBytes(column) { bytes in unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) } }
  }

  /// The column as text, broken UTF-8 repaired; NULL is empty.
  public func string(_ column: Int32) -> String {
    withBytes(column) { bytes in
      unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
  }
}
