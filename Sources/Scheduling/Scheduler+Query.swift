public import LiveActivity

extension Scheduler {
  /// How many sessions are where.
  public struct Counts: Hashable, Sendable {
    /// Sessions whose start is ahead.
    public var pending = 0
    /// Sessions that run, stale ones too.
    public var active = 0
    /// Sessions that are over and still shown.
    public var ended = 0

    /// None.
    public init() {}
  }

  /// The counts of one owner.
  public func counts(of owner: UserID) -> Counts {
    var counts = Counts()
    if let record = sessions.owners[owner] { counts.add(record) }
    return counts
  }

  /// The counts of all owners.
  public var counts: Counts {
    var counts = Counts()
    counts.add(sessions.totals)
    return counts
  }

  /// The number of sessions kept, dismissed ones too.
  public var sessionCount: Int { sessions.count }

  /// Who owns sessions, in order of uid.
  public var owners: [UserID] { sessions.owners.keys.sorted() }

  /// The slots of an owner, oldest session first.
  public func slots(of owner: UserID) -> [UInt32] { sessions.slots(of: owner).reversed() }

  /// The slots of an owner's sessions in a channel that are not dismissed, oldest first.
  public func slots(of owner: UserID, channel: String) -> [UInt32] {
    sessions.slots(of: owner, channel: channel).sorted {
      sessions.first($0) < sessions.first($1)
    }
  }

  /// Which session a slot holds: its first event. Slots are used again once a session is forgotten.
  public func first(_ slot: UInt32) -> Int64 { sessions.first(slot) }

  /// The state of a slot's session.
  public func state(_ slot: UInt32) -> ActivityState { sessions.state(slot) }

  /// The next date at which time itself changes something of an owner's.
  public func nextDate(of owner: UserID) -> WallTime? {
    sessions.slots(of: owner).compactMap { sessions.load($0).nextDate(at: now) }.min()
  }

  /// The next date at which time itself changes any session.
  public var nextDate: WallTime? {
    let next = timers.next
    let boottime = next.boottime.map {
      WallTime(microseconds: $0.microseconds.addingClamped(now.offset))
    }
    return Self.earlier(next.wall, boottime)
  }
}

extension Scheduler.Counts {
  mutating func add(_ record: SessionTable.OwnerRecord) {
    pending += record.pending
    active += record.running
    ended += record.ended
  }
}

extension Scheduler {
  /// The owner of a slot's session.
  public func owner(_ slot: UInt32) -> UserID { sessions.owner(slot) }

  /// The slot of another session of the ID that a slot's session has, by its number.
  public func slot(ofSession number: Int64, sameIDAs slot: UInt32) -> UInt32? {
    let digest = sessions.digest(of: slot)
    return sessions.slots(of: sessions.owner(slot)).first {
      sessions.digest(of: $0) == digest && Int64(sessions.number($0)) == number
    }
  }

  /// The slots of all sessions of the ID that a slot's session has, oldest first.
  public func slots(sameIDAs slot: UInt32) -> [UInt32] {
    let digest = sessions.digest(of: slot)
    return slots(of: sessions.owner(slot)).filter { sessions.digest(of: $0) == digest }
  }

  /// The slots of dismissed sessions by their first events; looks at all there are.
  public func dismissedSlots(of firsts: Set<Int64>) -> [UInt32] { sessions.dismissed(firsts) }
}
