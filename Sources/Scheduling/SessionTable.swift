internal import LiveActivity
internal import TimingWheel

/// Where every session that is still kept lives: 64 bytes for one that only waits for its start,
/// the rest beside it for those that need more.
struct SessionTable: ~Copyable {
  private var records = Slab<Record>(blank: Record())
  private var details = Slab<Details?>(blank: nil)
  private var index = IDIndex()
  private let hash: KeyedHash

  /// The owners that have sessions, with their counts and their chain of sessions.
  private(set) var owners: [UserID: OwnerRecord] = [:]
  /// The same of all owners together.
  private(set) var totals = OwnerRecord()
  /// The sessions that are occurrences of series.
  private(set) var withSeries: Set<UInt32> = []
  /// When sessions wake the machine, by slot.
  private(set) var wakes = WakeDates()
  private var channels: [ChannelKey: Set<UInt32>] = [:]

  /// An empty table; the key is drawn per process.
  init(key: (UInt64, UInt64)) { hash = KeyedHash(key: key) }

  /// The number of sessions kept.
  var count: Int { records.count }

  /// Whether another session would find a place.
  var hasRoom: Bool { records.hasRoom }

  /// What an owner has.
  struct OwnerRecord {
    var pending = 0
    var running = 0
    var ended = 0
    var dismissed = 0
    fileprivate(set) var firstSlot = UInt32.max

    /// Sessions not dismissed.
    var present: Int { pending + running + ended }

    mutating func count(_ state: ActivityState, by change: Int) {
      switch state {
      case .pending: pending += change
      case .active, .stale: running += change
      case .ended: ended += change
      case .dismissed: dismissed += change
      }
    }
  }

  private struct ChannelKey: Hashable {
    var owner: UserID
    var channel: String
  }

  private struct Record {
    var key = KeyedHash.Digest(high: 0, low: 0)
    var owner: UInt32 = 0
    var number: UInt32 = 0
    var first: Int64 = 0
    /// While pending the start; of a dismissed session its sequence.
    var value: Int64 = 0
    var timer = TimerHandle.none
    var previousOfOwner = UInt32.max
    var nextOfOwner = UInt32.max
    var details = UInt32.max
    var state = ActivityState.dismissed
    var reason: Reason?
    var flags: UInt16 = 0
  }

  private struct Details {
    var session: Session
    var onBoottime = TimerHandle.none
  }

  private enum Flag {
    static let elapsedStart: UInt16 = 1
    static let carriedStart: UInt16 = 2
    static let alert: UInt16 = 4
    static let endAlert: UInt16 = 8
    static let remoteUpdates: UInt16 = 16
    static let bound: UInt16 = 32
    static let shared: UInt16 = 64
    static let changed: UInt16 = 128
    static let cancelled: UInt16 = 1024
    static let local: UInt16 = 2048
    static let wakes: UInt16 = 4096
    static let inIndex: UInt16 = 256
    static let timerOnBoottime: UInt16 = 512
    static let kept: UInt16 = inIndex | timerOnBoottime
  }

  // MARK: Finding

  /// The digest of an owner's ID.
  func digest(owner: UserID, id: ActivityID) -> KeyedHash.Digest {
    hash(owner: owner.rawValue, id: id.text.utf8)
  }

  /// The slot of an owner's ID: its current session, or the last one that is kept.
  func find(owner: UserID, id: ActivityID) -> UInt32? { find(digest(owner: owner, id: id)) }

  func find(_ digest: KeyedHash.Digest) -> UInt32? {
    index.find(digest) { records[$0].key == digest }
  }

  /// The digest that a slot is filed under.
  func digest(of slot: UInt32) -> KeyedHash.Digest { records[slot].key }

  /// The slots of an owner, newest first.
  func slots(of owner: UserID) -> [UInt32] {
    var slots: [UInt32] = []
    var slot = owners[owner]?.firstSlot ?? .max
    while slot != .max {
      slots.append(slot)
      slot = records[slot].nextOfOwner
    }
    return slots
  }

  /// The slots of an owner's sessions that listen to a channel.
  func slots(of owner: UserID, channel: String) -> Set<UInt32> {
    channels[ChannelKey(owner: owner, channel: channel)] ?? []
  }

  // MARK: One session

  /// The state alone.
  func state(_ slot: UInt32) -> ActivityState { records[slot].state }

  /// Which session a slot holds now; slots are used again.
  func first(_ slot: UInt32) -> Int64 { records[slot].first }

  func owner(_ slot: UInt32) -> UserID { UserID(records[slot].owner) }

  func number(_ slot: UInt32) -> UInt32 { records[slot].number }

  /// The slots of dismissed sessions by their first events.
  func dismissed(_ firsts: Set<Int64>) -> [UInt32] {
    var slots: [UInt32] = []
    for slot in 0..<records.extent
    where records[slot].state == .dismissed && firsts.contains(records[slot].first) {
      slots.append(slot)
    }
    return slots
  }

  /// Pending sessions whose start was asked for as a wall time, among so many slots from one on; and
  /// the slot to go on from, nil at the end.
  func pendingLocal(from slot: UInt32, among count: UInt32) -> (slots: [UInt32], next: UInt32?) {
    let end = min(records.extent, slot.addingReportingOverflow(count).partialValue)
    guard slot < end else { return ([], nil) }
    let slots = (slot..<end).filter { slot in
      records[slot].state == .pending && records[slot].flags & Flag.local != 0
    }
    return (slots, end < records.extent ? end : nil)
  }

  /// A session. Of a dismissed one only what still matters is here: who, which, why, and where its
  /// rows are.
  func load(_ slot: UInt32) -> Session {
    let record = records[slot]
    if record.details != .max, let kept = details[record.details] { return kept.session }
    var session = Session(
      owner: UserID(record.owner), number: record.number, first: record.first, start: .none)
    session.state = record.state
    session.reason = record.reason
    session.remoteUpdates = record.flags & Flag.remoteUpdates != 0
    session.isBound = record.flags & Flag.bound != 0
    session.isShared = record.flags & Flag.shared != 0
    session.isChanged = record.flags & Flag.changed != 0
    session.isCancelled = record.flags & Flag.cancelled != 0
    session.wakes = record.flags & Flag.wakes != 0
    if record.state == .dismissed {
      session.sequence = record.value
      session.last = record.value
      return session
    }
    session.alertRow = record.flags & Flag.alert != 0 ? record.first : 0
    session.endAlertRow = record.flags & Flag.endAlert != 0 ? record.first : 0
    session.localRow = record.flags & Flag.local != 0 ? record.first : 0
    session.start =
      if record.flags & Flag.elapsedStart != 0 {
        .elapsed(BootTime(microseconds: record.value))
      } else if record.flags & Flag.carriedStart != 0 {
        .carried(WallTime(microseconds: record.value))
      } else {
        .date(WallTime(microseconds: record.value))
      }
    return session
  }

  /// Whether all of a slot's session is here.
  func isWhole(_ slot: UInt32) -> Bool {
    records[slot].details != .max || records[slot].state != .dismissed
  }

  /// Puts a session back; its counts, channel and what it needs beside the record follow. Of a
  /// dismissed one little is kept, unless `isWhole` says that more is to come.
  mutating func save(_ slot: UInt32, _ session: Session, isWhole: Bool = false) {
    let old = records[slot]
    let oldChannel = channel(of: old)
    if old.state != session.state {
      count(session.owner, old.state, by: -1)
      count(session.owner, session.state, by: 1)
    }
    records[slot].state = session.state
    records[slot].reason = session.reason
    records[slot].flags = Self.flags(of: session) | (old.flags & Flag.kept)
    switch session.start {
    case .date(let date), .carried(let date): records[slot].value = date.microseconds
    case .elapsed(let instant): records[slot].value = instant.microseconds
    case .none, .fromStart: records[slot].value = 0
    }
    if session.state == .dismissed { records[slot].value = session.sequence }
    if Self.fitsRecord(session), !isWhole || session.state != .dismissed {
      dropDetails(slot)
    } else if old.details != .max {
      details[old.details]?.session = session
    } else if let place = details.allocate() {
      details[place] = Details(session: session)
      records[slot].details = place
    }
    if session.hasAside, session.aside.series != nil {
      withSeries.insert(slot)
    } else if !withSeries.isEmpty {
      withSeries.remove(slot)
    }
    if session.wakes || old.flags & Flag.wakes != 0 {
      wakes.set(Int64(slot), to: session.wakeTerm)
    }
    let newChannel = session.state == .dismissed ? nil : session.channel
    if oldChannel != newChannel {
      leave(slot, owner: session.owner, channel: oldChannel)
      if let newChannel {
        channels[ChannelKey(owner: session.owner, channel: newChannel), default: []].insert(slot)
      }
    }
  }

  private mutating func count(_ owner: UserID, _ state: ActivityState, by change: Int) {
    owners[owner]?.count(state, by: change)
    totals.count(state, by: change)
  }

  private mutating func dropDetails(_ slot: UInt32) {
    let place = records[slot].details
    guard place != .max else { return }
    details.release(place)
    records[slot].details = .max
  }

  private func channel(of record: Record) -> String? {
    guard record.details != .max, record.state != .dismissed else { return nil }
    return details[record.details]?.session.channel
  }

  private mutating func leave(_ slot: UInt32, owner: UserID, channel: String?) {
    guard let channel else { return }
    let key = ChannelKey(owner: owner, channel: channel)
    channels[key]?.remove(slot)
    if channels[key]?.isEmpty == true { channels[key] = nil }
  }

  private static func flags(of session: Session) -> UInt16 {
    var flags: UInt16 = 0
    if case .elapsed = session.start { flags |= Flag.elapsedStart }
    if case .carried = session.start { flags |= Flag.carriedStart }
    if session.alertRow != 0 { flags |= Flag.alert }
    if session.endAlertRow != 0 { flags |= Flag.endAlert }
    if session.remoteUpdates { flags |= Flag.remoteUpdates }
    if session.isBound { flags |= Flag.bound }
    if session.isShared { flags |= Flag.shared }
    if session.isChanged { flags |= Flag.changed }
    if session.isCancelled { flags |= Flag.cancelled }
    if session.wakes { flags |= Flag.wakes }
    if session.localRow != 0, session.state == .pending { flags |= Flag.local }
    return flags
  }

  /// Whether 64 bytes say all that the core must know of it.
  private static func fitsRecord(_ s: Session) -> Bool {
    // Its timestamp tells an end that is sent again.
    if s.state == .dismissed { return s.last == s.sequence && s.timestamp == nil }
    let hasPlainRows =
      s.last == s.first && s.requestRow == s.first && s.contentRow == s.first
      && (s.alertRow == 0 || s.alertRow == s.first)
      && (s.endAlertRow == 0 || s.endAlertRow == s.first)
      && (s.localRow == 0 || s.localRow == s.first)
    return s.state == .pending && hasPlainRows && s.startBy.isNone && s.stale.isNone
      && s.end.isNone && s.channel == nil && s.timestamp == nil && !s.hasAside
  }

  // MARK: Coming and going

  /// Makes room for a new session; it is not the current one of its ID until `makeCurrent`.
  mutating func insert(
    _ session: Session, digest: KeyedHash.Digest, isWhole: Bool = false
  ) -> UInt32? {
    guard let slot = records.allocate() else { return nil }
    records[slot].key = digest
    records[slot].owner = session.owner.rawValue
    records[slot].number = session.number
    records[slot].first = session.first
    records[slot].state = session.state
    var owner = owners[session.owner] ?? OwnerRecord()
    owner.count(session.state, by: 1)
    totals.count(session.state, by: 1)
    records[slot].nextOfOwner = owner.firstSlot
    if owner.firstSlot != .max { records[owner.firstSlot].previousOfOwner = slot }
    owner.firstSlot = slot
    owners[session.owner] = owner
    save(slot, session, isWhole: isWhole)
    return slot
  }

  /// Files a slot as the current session of its ID.
  mutating func makeCurrent(_ slot: UInt32) {
    guard records[slot].flags & Flag.inIndex == 0 else { return }
    index.insert(records[slot].key, slot: slot)
    records[slot].flags |= Flag.inIndex
  }

  /// Another session of its ID takes its place.
  mutating func retire(_ slot: UInt32) {
    guard records[slot].flags & Flag.inIndex != 0 else { return }
    index.remove(records[slot].key, slot: slot)
    records[slot].flags &= ~Flag.inIndex
  }

  /// Forgets a session.
  mutating func remove(_ slot: UInt32) {
    let owner = UserID(records[slot].owner)
    leave(slot, owner: owner, channel: channel(of: records[slot]))
    dropDetails(slot)
    retire(slot)
    withSeries.remove(slot)
    let record = records[slot]
    if record.flags & Flag.wakes != 0 { wakes.set(Int64(slot), to: .none) }
    if record.previousOfOwner != .max {
      records[record.previousOfOwner].nextOfOwner = record.nextOfOwner
    } else {
      owners[owner]?.firstSlot = record.nextOfOwner
    }
    if record.nextOfOwner != .max {
      records[record.nextOfOwner].previousOfOwner = record.previousOfOwner
    }
    count(owner, record.state, by: -1)
    if owners[owner]?.firstSlot == .max { owners[owner] = nil }
    records.release(slot)
  }

  // MARK: Timers

  /// The handles of a session's entries in the two wheels.
  struct Timers {
    var wall = TimerHandle.none
    var boottime = TimerHandle.none
  }

  /// The handles of its entries in the two wheels.
  func timers(_ slot: UInt32) -> Timers {
    let record = records[slot]
    if record.flags & Flag.timerOnBoottime != 0 { return Timers(boottime: record.timer) }
    if record.details != .max, let kept = details[record.details] {
      return Timers(wall: record.timer, boottime: kept.onBoottime)
    }
    return Timers(wall: record.timer)
  }

  /// Notes the handles of its entries in the two wheels.
  mutating func setTimers(_ slot: UInt32, _ timers: Timers) {
    let place = records[slot].details
    if place != .max {
      records[slot].flags &= ~Flag.timerOnBoottime
      records[slot].timer = timers.wall
      details[place]?.onBoottime = timers.boottime
    } else if timers.boottime != .none {
      records[slot].flags |= Flag.timerOnBoottime
      records[slot].timer = timers.boottime
    } else {
      records[slot].flags &= ~Flag.timerOnBoottime
      records[slot].timer = timers.wall
    }
  }
}
