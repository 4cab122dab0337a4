import SQLite

/// The activities' database: events appended in transactions, sessions folded behind them.
///
/// Used by one thread at a time. No call waits for anything but the disk.
public final class ActivityStore {
  var database: Database?
  let directory: StateDirectory
  let options: StoreOptions
  let reserve: Reserve

  /// A random name of 128 bits, made with the file: numbers of events are unique within it.
  public private(set) var storeID = ""
  /// The number of the last event appended, in the open transaction if there is one.
  public private(set) var highestSequence: Int64 = 0

  /// The highest number among the events that retention has removed: all after it are kept; 0 if
  /// it removed none.
  public internal(set) var removedThrough: Int64 = 0

  private var committedSequence: Int64 = 0
  private var hasBegun = false
  private var failure: StoreError?
  private var commitsToFail = 0

  /// The WAL length at which the next checkpoint is tried.
  var nextCheckpoint = 0
  /// Where the next steps of retention go on.
  var retention = RetentionCursor()

  init(
    _ database: Database, _ directory: StateDirectory, _ options: StoreOptions
  ) throws(StoreError) {
    self.directory = directory
    self.options = options
    reserve = Reserve(directory: directory, bytes: options.reserveBytes)
    try adopt(database)
  }

  func adopt(_ database: Database) throws(StoreError) {
    let (store, highest, folded, removed) = try translating { () throws(SQLiteError) in
      (
        try database.connection.text("SELECT value FROM meta WHERE key = 'store'"),
        try database.highestSequence(), try database.foldedThrough(),
        try database.connection.integer("SELECT value FROM meta WHERE key = 'removedThrough'") ?? 0
      )
    }
    guard let store else {
      throw StoreError(.damaged, "\(directory.database) has no store id")
    }
    // No daemon lives to see half of these numbers; beyond them sums could overflow.
    guard folded >= 0, highest <= Int64.max / 2 else {
      throw StoreError(
        .damaged, "\(directory.database) has impossible event numbers: \(folded), \(highest)")
    }
    storeID = store
    removedThrough = removed
    committedSequence = highest
    highestSequence = committedSequence
    hasBegun = false
    failure = nil
    retention = RetentionCursor()
    self.database = database
  }

  /// The open file; it is closed only between a failed `reopen` and one that succeeds.
  func opened() throws(StoreError) -> Database {
    guard let database else {
      throw StoreError(.damaged, "\(directory.database) is not open: it must be reopened first")
    }
    return database
  }
}

// MARK: Transactions

extension ActivityStore {
  /// Begins a transaction. Reads within it see what was appended.
  public func begin() throws(StoreError) {
    let connection = try opened().connection
    guard !hasBegun else { throw StoreError(.misuse, "store: a transaction is open already") }
    failure = nil
    try translating { () throws(SQLiteError) in
      // Left open by a rollback that failed.
      try connection.rollBack()
      try connection.beginImmediate()
    }
    hasBegun = true
  }

  /// Appends one event to the open transaction; its number must be `highestSequence` + 1.
  ///
  /// After an error the transaction can only be rolled back; `commit` does so and throws it again.
  public func append(_ event: EventRow) throws(StoreError) {
    let database = try opened()
    try inTransaction()
    guard event.sequence == highestSequence + 1 else {
      throw failed(
        StoreError(
          .misuse,
          "store: event \(event.sequence) does not follow event \(highestSequence)"))
    }
    do throws(SQLiteError) {
      try EventColumns.bind(event, to: database.insertEvent)
      try database.insertEvent.run()
      highestSequence = event.sequence
    } catch { throw failed(StoreError(error)) }
  }

  /// Keeps `fields` of the alert that event `sequence` carries until it is removed.
  public func putOutbox(_ sequence: Int64, _ fields: [UInt8]) throws(StoreError) {
    let database = try opened()
    try inTransaction()
    do throws(SQLiteError) {
      try database.putOutbox.bind(sequence, at: 1)
      try database.putOutbox.bind(blob: fields, at: 2)
      try database.putOutbox.run()
    } catch { throw failed(StoreError(error)) }
  }

  /// Removes an alert that is settled; it need not be there.
  public func removeOutbox(_ sequence: Int64) throws(StoreError) {
    let database = try opened()
    try inTransaction()
    do throws(SQLiteError) {
      try database.removeOutbox.bind(sequence, at: 1)
      try database.removeOutbox.run()
    } catch { throw failed(StoreError(error)) }
  }

  /// Keeps a small fact under a key, in place of what was there.
  public func putEntry(_ key: String, _ value: [UInt8]) throws(StoreError) {
    let database = try opened()
    try inTransaction()
    do throws(SQLiteError) {
      try database.putEntry.bind(text: key, at: 1)
      try database.putEntry.bind(blob: value, at: 2)
      try database.putEntry.run()
    } catch { throw failed(StoreError(error)) }
  }

  /// Removes what is kept under a key; it need not be there.
  public func removeEntry(_ key: String) throws(StoreError) {
    let database = try opened()
    try inTransaction()
    do throws(SQLiteError) {
      try database.removeEntry.bind(text: key, at: 1)
      try database.removeEntry.run()
    } catch { throw failed(StoreError(error)) }
  }

  /// Makes the transaction durable. If it throws, nothing of the transaction is stored and none is
  /// open; after `io` a crash may still bring it back, since what reached the disk is unknown.
  public func commit() throws(StoreError) {
    let connection = try opened().connection
    if let failure {
      rollback()
      throw failure
    }
    guard hasBegun else { throw StoreError(.misuse, "store: no transaction is open") }
    if commitsToFail > 0 {
      commitsToFail -= 1
      rollback()
      throw StoreError(.io, "store: this commit was told to fail", sqliteCode: 10)
    }
    do throws(SQLiteError) {
      try connection.commitTransaction()
    } catch {
      let error = StoreError(error)
      rollback()
      throw error
    }
    hasBegun = false
    committedSequence = highestSequence
  }

  /// Undoes the open transaction; does nothing if none is open.
  public func rollback() {
    hasBegun = false
    failure = nil
    highestSequence = committedSequence
    // If it fails, `begin` tries again.
    try? database?.connection.rollBack()
  }

  /// Whether a transaction is open.
  public var isInTransaction: Bool { hasBegun }

  /// The next `count` commits of events fail as if the disk did, each after a true rollback.
  public func failNextCommits(_ count: Int) { commitsToFail = max(0, count) }

  private func inTransaction() throws(StoreError) {
    if let failure { throw failure }
    guard hasBegun else { throw StoreError(.misuse, "store: no transaction is open") }
  }

  @inline(never)
  private func failed(_ error: StoreError) -> StoreError {
    failure = error
    return error
  }
}

// MARK: The reserve

extension ActivityStore {
  /// Frees the reserve after `full`, so that a commit tried again has room; whether there was one.
  public func giveUpReserve() -> Bool { reserve.giveUp() }

  /// Makes the reserve again when there is room for twice its size; whether it is there. Where none
  /// is wanted: whether there is room at all.
  public func restoreReserve() -> Bool {
    if reserve.bytes <= 0 { return (directory.freeBytes ?? 0) > 1 << 20 }
    return (try? reserve.make()) ?? false
  }

  /// Whether the reserve is there.
  public var hasReserve: Bool { reserve.exists }
}
