internal import CSQLite

// SQLITE_TRANSIENT: SQLite copies the bytes before the call returns.
private var transient: sqlite3_destructor_type {
  unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}

private let utf8 = UInt8(SQLITE_UTF8)

/// Values for parameters, numbered from 1. All throw `range` for a number the statement does not
/// have, `misuse` between a `step` and its `reset`, `tooBig` above the connection's limit.
/// <https://sqlite.org/c3ref/bind_blob.html>
extension Statement {
  /// Binds an integer.
  public func bind(_ value: Int64, at parameter: Int32) throws(SQLiteError) {
    try unsafe check(sqlite3_bind_int64(handle, parameter, value), parameter)
  }

  /// Binds an integer or NULL.
  public func bind(_ value: Int64?, at parameter: Int32) throws(SQLiteError) {
    if let value { try bind(value, at: parameter) } else { try bindNull(at: parameter) }
  }

  /// Binds a real number or NULL; SQLite stores a NaN as NULL.
  public func bind(_ value: Double?, at parameter: Int32) throws(SQLiteError) {
    guard let value else { return try bindNull(at: parameter) }
    try unsafe check(sqlite3_bind_double(handle, parameter, value), parameter)
  }

  /// Binds NULL.
  public func bindNull(at parameter: Int32) throws(SQLiteError) {
    try unsafe check(sqlite3_bind_null(handle, parameter), parameter)
  }

  /// Binds a copy of `bytes` as a blob.
  public func bind(blob bytes: Span<UInt8>, at parameter: Int32) throws(SQLiteError) {
    try unsafe bind(bytes, at: parameter, asText: false, transient)
  }

  /// Binds a copy of `bytes` as a blob.
  public func bind(blob bytes: [UInt8], at parameter: Int32) throws(SQLiteError) {
    try bind(blob: bytes.span, at: parameter)
  }

  /// Binds a copy of `bytes`, which are UTF-8, as text.
  public func bind(text bytes: Span<UInt8>, at parameter: Int32) throws(SQLiteError) {
    try unsafe bind(bytes, at: parameter, asText: true, transient)
  }

  /// Binds a copy of `bytes`, which are UTF-8, as text.
  public func bind(text bytes: [UInt8], at parameter: Int32) throws(SQLiteError) {
    try bind(text: bytes.span, at: parameter)
  }

  /// Binds a copy of `string` as text.
  public func bind(text string: String, at parameter: Int32) throws(SQLiteError) {
    try bind(text: string.utf8Span.span, at: parameter)
  }

  /// Runs `body` with `bytes` bound as a blob without a copy; then resets and binds NULL there.
  public func with<Result>(
    blob bytes: Span<UInt8>, at parameter: Int32, _ body: () throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    try unsafe bind(bytes, at: parameter, asText: false, nil)
    defer { release(parameter) }
    return try body()
  }

  /// Runs `body` with `bytes` bound as text without a copy; then resets and binds NULL there.
  public func with<Result>(
    text bytes: Span<UInt8>, at parameter: Int32, _ body: () throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    try unsafe bind(bytes, at: parameter, asText: true, nil)
    defer { release(parameter) }
    return try body()
  }

  /// Binds NULL everywhere.
  public func clearBindings() {
    unsafe sqlite3_clear_bindings(handle)
  }

  private func release(_ parameter: Int32) {
    reset()
    unsafe sqlite3_bind_null(handle, parameter)
  }

  private func bind(
    _ bytes: Span<UInt8>, at parameter: Int32, asText: Bool,
    _ destructor: sqlite3_destructor_type?
  ) throws(SQLiteError) {
    let code: Int32 = unsafe bytes.withUnsafeBytes { buffer in
      let count = UInt64(buffer.count)
      // A null pointer would bind NULL; nothing is read through this one.
      let start = unsafe buffer.baseAddress ?? UnsafeRawPointer(bitPattern: 1)
      guard asText else {
        return unsafe sqlite3_bind_blob64(handle, parameter, start, count, destructor)
      }
      let text = unsafe start?.assumingMemoryBound(to: CChar.self)
      return unsafe sqlite3_bind_text64(handle, parameter, text, count, destructor, utf8)
    }
    try check(code, parameter)
  }
}
