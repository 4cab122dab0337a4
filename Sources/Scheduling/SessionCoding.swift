public import LiveActivity

/// A session packed into bytes for the store, with the reading of the clocks and the boot that its
/// elapsed terms belong to.
public struct PackedSession: Hashable, Sendable {
  /// The boot's index in the store's history of boots.
  public var boot: Int
  /// The clocks when it was packed.
  public var at: ClockReading
  /// The session.
  public var session: Session

  /// A session of now.
  public init(boot: Int, at: ClockReading, session: Session) {
    self.boot = boot
    self.at = at
    self.session = session
  }

  private static let format: UInt8 = 1
  /// The same, followed by what few sessions have.
  private static let formatWithAside: UInt8 = 2

  /// The bytes; `first`, `last` and `sequence` are in them, so that each row tells the whole.
  public var bytes: [UInt8] {
    var out = Packer()
    out.bytes.reserveCapacity(64)
    out.bytes.append(session.hasAside ? Self.formatWithAside : Self.format)
    out.put(Int64(boot))
    out.put(at.wall.microseconds)
    out.put(at.boottime.microseconds)
    let s = session
    out.put(Int64(s.owner.rawValue))
    out.put(Int64(s.number))
    out.bytes.append(s.state.rawValue)
    out.bytes.append(s.reason?.rawValue ?? 255)
    var flags: UInt8 = s.remoteUpdates ? 1 : 0
    if s.isBound { flags |= 2 }
    if s.isShared { flags |= 4 }
    if s.isChanged { flags |= 8 }
    if s.isCancelled { flags |= 16 }
    if s.localRow != 0 { flags |= 32 }
    if s.wakes { flags |= 64 }
    out.bytes.append(flags)
    out.put(s.first)
    // The rest is near the first event, or none.
    for row in [s.sequence, s.last, s.requestRow, s.contentRow] { out.put(row &- s.first) }
    for row in [s.alertRow, s.endAlertRow, s.timestampRow] {
      out.put(row == 0 ? -1 : row &- s.first)
    }
    for term in [s.start, s.startBy, s.stale, s.end, s.origin, s.dismissal, s.limit] {
      out.put(term, at)
    }
    let wall = at.wall.microseconds
    for date in [s.startedDate, s.endedDate, s.timestamp] {
      out.bytes.append(date == nil ? 0 : 1)
      if let date { out.put(date.microseconds &- wall) }
    }
    out.bytes.append(s.lateness == nil ? 0 : 1)
    if let lateness = s.lateness { out.put(lateness) }
    out.put(s.channel ?? "")
    if s.localRow != 0 { out.put(s.localRow &- s.first) }
    if s.hasAside { out.put(s.aside, at, first: s.first) }
    return out.bytes
  }

  /// Reads the bytes; nil where they are damaged.
  public init?(bytes: [UInt8]) {
    var input = Unpacker(bytes: bytes)
    let format = input.byte()
    guard format == Self.format || format == Self.formatWithAside, let boot = input.int(),
      let wall = input.int(),
      let boottime = input.int(), let owner = input.int().flatMap(UInt32.init(exactly:)),
      let number = input.int().flatMap(UInt32.init(exactly:)),
      let state = input.byte().flatMap(ActivityState.init(rawValue:)),
      let reason = input.byte(), let flags = input.byte(), let first = input.int()
    else { return nil }
    self.boot = Int(boot)
    at = ClockReading(
      wall: WallTime(microseconds: wall), boottime: BootTime(microseconds: boottime))
    var s = Session(owner: UserID(owner), number: number, first: first, start: .none)
    s.state = state
    s.reason = Reason(rawValue: reason)
    s.remoteUpdates = flags & 1 != 0
    s.isBound = flags & 2 != 0
    s.isShared = flags & 4 != 0
    s.isChanged = flags & 8 != 0
    s.isCancelled = flags & 16 != 0
    s.wakes = flags & 64 != 0
    guard let sequence = input.int(), let last = input.int(), let request = input.int(),
      let content = input.int(), let alert = input.int(), let endAlert = input.int(),
      let timestamped = input.int()
    else { return nil }
    s.sequence = first &+ sequence
    s.last = first &+ last
    s.requestRow = first &+ request
    s.contentRow = first &+ content
    s.alertRow = alert < 0 ? 0 : first &+ alert
    s.endAlertRow = endAlert < 0 ? 0 : first &+ endAlert
    s.timestampRow = timestamped < 0 ? 0 : first &+ timestamped
    guard let start = input.term(at), let startBy = input.term(at), let stale = input.term(at),
      let end = input.term(at), let origin = input.term(at), let dismissal = input.term(at),
      let limit = input.term(at)
    else { return nil }
    s.start = start
    s.startBy = startBy
    s.stale = stale
    s.end = end
    s.origin = origin
    s.dismissal = dismissal
    s.limit = limit
    guard let started = input.date(at), let ended = input.date(at),
      let timestamp = input.date(at), let hasLateness = input.byte()
    else { return nil }
    s.startedDate = started
    s.endedDate = ended
    s.timestamp = timestamp
    if hasLateness != 0 {
      guard let lateness = input.int() else { return nil }
      s.lateness = lateness
    }
    guard let channel = input.text() else { return nil }
    s.channel = channel.isEmpty ? nil : channel
    if flags & 32 != 0 {
      guard let local = input.int() else { return nil }
      s.localRow = first &+ local
    }
    if format == Self.formatWithAside {
      guard let aside = input.aside(at, first: first) else { return nil }
      s.aside = aside
    }
    session = s
  }
}

/// An alert that waits, packed into bytes for the store.
extension OutboxEntry {
  /// The bytes, with the boot that its deadline belongs to.
  public func bytes(boot: Int, at reading: ClockReading) -> [UInt8] {
    var out = Packer()
    out.bytes.append(1)
    out.put(Int64(boot))
    out.put(reading.wall.microseconds)
    out.put(reading.boottime.microseconds)
    out.put(sequence)
    out.put(original)
    out.put(first)
    out.put(Int64(owner.rawValue))
    out.put(source.row)
    out.bytes.append(source.field.rawValue)
    out.put(deadline, reading)
    var flags: UInt8 = isShared ? 1 : 0
    if isSnoozed { flags |= 2 }
    if person != nil { flags |= 4 }
    if wakes { flags |= 8 }
    out.bytes.append(flags)
    out.put(Int64(person?.rawValue ?? 0))
    out.put(Int64(settledBy.count))
    for user in settledBy { out.put(Int64(user.rawValue)) }
    return out.bytes
  }

  /// Reads the bytes: the entry, its slot left open, and the boot of its deadline; nil where they
  /// are damaged.
  public static func unpack(_ bytes: [UInt8]) -> (entry: OutboxEntry, boot: Int)? {
    var input = Unpacker(bytes: bytes)
    guard input.byte() == 1, let boot = input.int(), let wall = input.int(),
      let boottime = input.int(), let sequence = input.int(), let original = input.int(),
      let first = input.int(), let owner = input.int().flatMap(UInt32.init(exactly:)),
      let row = input.int(), let field = input.byte().flatMap(AlertSource.Field.init(rawValue:))
    else { return nil }
    let at = ClockReading(
      wall: WallTime(microseconds: wall), boottime: BootTime(microseconds: boottime))
    guard let deadline = input.term(at), let flags = input.byte(),
      let person = input.int().flatMap(UInt32.init(exactly:)), let count = input.int(),
      count >= 0, count <= bytes.count
    else { return nil }
    var settledBy: [UserID] = []
    for _ in 0..<count {
      guard let user = input.int().flatMap(UInt32.init(exactly:)) else { return nil }
      settledBy.append(UserID(user))
    }
    var entry = OutboxEntry(
      sequence: sequence, original: original, slot: 0, first: first, owner: UserID(owner),
      source: AlertSource(row: row, field: field), deadline: deadline, isShared: flags & 1 != 0,
      person: flags & 4 != 0 ? UserID(person) : nil, isSnoozed: flags & 2 != 0,
      settledBy: settledBy)
    entry.wakes = flags & 8 != 0
    return (entry, Int(boot))
  }
}
