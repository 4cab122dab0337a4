import SQLite

/// What need not be kept.
public struct RetentionRules {
  /// Sessions that are dismissed, and events about no session, go when the last of them is older
  /// than this date (microseconds since 1970); nil: nothing goes for its age.
  public var cutoff: Int64?
  /// Of an owner with more events than this the oldest past sessions go, then content updates of
  /// live ones that newer content has superseded.
  public var eventsPerOwner: Int64
  /// Which rows an event's `fields` name, beside its `alertRow` and `contentRow`: these stay.
  public var references: (_ fields: [UInt8]) -> [Int64]

  /// Rules by age and number.
  public init(
    cutoff: Int64?, eventsPerOwner: Int64,
    references: @escaping (_ fields: [UInt8]) -> [Int64] = { _ in [] }
  ) {
    self.cutoff = cutoff
    self.eventsPerOwner = max(0, eventsPerOwner)
    self.references = references
  }
}

/// What a step of retention did.
public struct RetentionStep: Hashable, Sendable {
  /// The sessions that are no longer kept, by their `scheduled` rows: forget them before the next
  /// event is made, so that none names a row of theirs as its previous one.
  public var removedSessions: [Int64] = []
  /// How many events went.
  public var removedEvents = 0
  /// Whether there is more to do; false ends a round over all owners.
  public var hasMore = false
}

/// Where the next step goes on. In memory only: a restart begins a round anew.
struct RetentionCursor {
  /// A place among the past sessions of one owner.
  struct Place {
    var owner: Int64
    var date = Int64.min
    var first = Int64.min
  }

  var byAge: Place?
  var ageIsDone = false
  var byCount: Place?
  var countIsDone = false
  /// The last live session looked at for superseded updates, of the owner of `byCount`.
  var liveAfter: Int64 = 0
  var sweep: Sweep?
}

extension ActivityStore {
  /// Removes at most some `limit` events that the rules let go, in a transaction of its own; call
  /// it again while it `hasMore`.
  ///
  /// Nothing that is not folded goes: a step folds first, and only that if there is much. An event
  /// whose alert is unsettled keeps its session. A removed row that another session's events use
  /// the text of stays until these go.
  public func retentionStep(
    _ rules: RetentionRules, limit: Int = 500
  ) throws(StoreError) -> RetentionStep {
    if try foldStep(limit: 4000) { return RetentionStep(hasMore: true) }
    let database = try opened()
    let before = retention
    do throws(SQLiteError) {
      var work = RetentionWork(database, rules, limit: max(1, limit), folded: highestSequence)
      let result = try database.connection.transaction { () throws(SQLiteError) in
        try work.run(&retention)
      }
      removedThrough = max(removedThrough, work.removedThrough)
      return result
    } catch {
      retention = before
      throw StoreError(error)
    }
  }
}

/// One step of retention.
struct RetentionWork {
  let database: Database
  let statements: RetentionStatements
  let rules: RetentionRules
  let folded: Int64
  /// How many more rows may be removed, and how many places looked at.
  var budget: Int
  var looks: Int
  var result = RetentionStep()
  /// Events removed by owner.
  var removed: [Int64: Int64] = [:]
  /// The highest number among them.
  var removedThrough: Int64 = 0

  init(_ database: Database, _ rules: RetentionRules, limit: Int, folded: Int64) {
    self.database = database
    statements = database.retaining
    self.rules = rules
    self.folded = folded
    budget = limit
    looks = max(64, limit)
  }

  mutating func run(_ cursor: inout RetentionCursor) throws(SQLiteError) -> RetentionStep {
    let chainsAreGone = try finishRemovals()
    if chainsAreGone, !cursor.ageIsDone {
      cursor.ageIsDone = try removeOld(&cursor)
    }
    if chainsAreGone, cursor.ageIsDone, !cursor.countIsDone {
      cursor.countIsDone = try removeBeyondCount(&cursor)
    }
    let finished = try finishRemovals()
    for (owner, events) in removed { try database.count(-events, of: owner) }
    if removedThrough > 0 {
      try statements.setRemoved.bind(removedThrough, at: 1)
      try statements.setRemoved.run()
    }
    result.hasMore = !(finished && cursor.ageIsDone && cursor.countIsDone)
    if !result.hasMore { cursor = RetentionCursor() }
    return result
  }

  /// Whether this step may go on.
  var mayGoOn: Bool { budget > 0 && looks > 0 }

  /// Removes what is past and older than the cutoff; whether all owners are done.
  private mutating func removeOld(_ cursor: inout RetentionCursor) throws(SQLiteError) -> Bool {
    guard let cutoff = rules.cutoff else { return true }
    while mayGoOn {
      looks -= 1
      guard var place = cursor.byAge else {
        guard let owner = try nextOwner(after: Int64.min) else { return true }
        cursor.byAge = RetentionCursor.Place(owner: owner)
        continue
      }
      if try removeNext(&place, before: cutoff) {
        cursor.byAge = place
      } else if let owner = try nextOwner(after: place.owner) {
        cursor.byAge = RetentionCursor.Place(owner: owner)
      } else {
        return true
      }
    }
    return false
  }

  /// Removes from owners that have too many events; whether none has, or all has been tried.
  private mutating func removeBeyondCount(
    _ cursor: inout RetentionCursor
  ) throws(SQLiteError) -> Bool {
    while mayGoOn {
      looks -= 1
      let from = cursor.byCount?.owner ?? Int64.min
      guard let (owner, events) = try crowdedOwner(from: from) else { return true }
      if owner != cursor.byCount?.owner || cursor.byCount == nil {
        cursor.byCount = RetentionCursor.Place(owner: owner)
        cursor.liveAfter = 0
        cursor.sweep = nil
      }
      guard var place = cursor.byCount else { return true }
      let excess = events - (removed[owner] ?? 0) - rules.eventsPerOwner
      if excess > 0, try removeNext(&place, before: .max) {
        cursor.byCount = place
        // Its chain goes first, so that no more sessions go than must.
        guard try finishRemovals() else { return false }
      } else if excess > 0, try !sweepLive(of: owner, excess: excess, &cursor) {
        return false
      } else {
        guard owner < .max else { return true }
        cursor.byCount = RetentionCursor.Place(owner: owner + 1)
        cursor.liveAfter = 0
      }
    }
    return false
  }

  private func nextOwner(after owner: Int64) throws(SQLiteError) -> Int64? {
    try statements.owners.bind(owner, at: 1)
    try statements.owners.bind(Int64(1), at: 2)
    return try statements.owners.first { (row) throws(SQLiteError) in row.integer(0) }
  }

  private func crowdedOwner(
    from owner: Int64
  ) throws(SQLiteError) -> (owner: Int64, events: Int64)? {
    try statements.crowdedOwners.bind(owner, at: 1)
    try statements.crowdedOwners.bind(rules.eventsPerOwner, at: 2)
    return try statements.crowdedOwners.first { (row) throws(SQLiteError) in
      (row.integer(0), row.integer(1))
    }
  }
}
