public import LiveActivity
internal import TimingWheel

/// An alert that somebody has still to be told, or that was put off.
public struct OutboxEntry: Hashable, Sendable {
  /// The number of the event that carries it.
  public var sequence: Int64
  /// The alert that it repeats, where it was put off; else its own number.
  public var original: Int64
  /// The slot of its session.
  public var slot: UInt32
  /// The first event of its session; a slot may be used again.
  public var first: Int64
  /// The owner of its session.
  public var owner: UserID
  /// Where its text stands.
  public var source: AlertSource
  /// When it expires, or comes again.
  public var deadline: Term
  /// Whether more people than the owner are told.
  public var isShared: Bool
  /// The one person it is for, where it was put off by one.
  public var person: UserID?
  /// Whether it was put off: then nobody is offered it until its deadline.
  public var isSnoozed: Bool
  /// Who has settled it, of a wider audience.
  public var settledBy: [UserID]
  /// Whether it wakes the machine when it comes again.
  public var wakes = false

  /// Whether a person still has to be told, as far as the core knows who belongs to the audience.
  public func isOpen(for user: UserID) -> Bool {
    if isSnoozed || settledBy.contains(user) { return false }
    if let person { return person == user }
    return isShared || user == owner
  }
}

/// The alerts that nobody has settled, by number.
struct Outbox {
  private(set) var entries: [Int64: OutboxEntry] = [:]
  /// When alerts wake the machine, by number.
  private(set) var wakes = WakeDates()
  private var timers: [Int64: Timer] = [:]
  /// Places that the current batch gave up; dead timers may still name them.
  private var freed: [UInt32] = []
  private var places = Slab<Int64>(blank: 0)
  private var bySession: [Int64: Set<Int64>] = [:]
  private var byOwner: [UserID: Set<Int64>] = [:]

  /// Where an alert's timer stands, and under which token.
  struct Timer {
    var place: UInt32
    var clock: Timers.Clock
    var handle: TimerHandle
  }

  /// The number of alerts that wait, of one owner, those put off left out.
  func count(of owner: UserID) -> Int { byOwner[owner]?.count ?? 0 }

  /// The oldest alert of an owner that waits.
  func oldest(of owner: UserID) -> Int64? { byOwner[owner]?.min() }

  /// The alerts of a session, oldest first.
  func alerts(ofSession first: Int64) -> [Int64] { (bySession[first] ?? []).sorted() }

  /// Whether a session has alerts that wait.
  func hasAlerts(ofSession first: Int64) -> Bool { bySession[first] != nil }

  /// The alert behind a timer's token.
  func sequence(token: UInt32) -> Int64 { places[token] }

  /// Puts an entry in, or another in its place; nil takes it out. Its timer must be armed anew.
  mutating func put(_ sequence: Int64, _ entry: OutboxEntry?) {
    if let old = entries[sequence] {
      remove(sequence, from: &bySession, at: old.first)
      remove(sequence, from: &byOwner, at: old.owner)
    }
    if entry?.wakes ?? entries[sequence]?.wakes ?? false {
      wakes.set(sequence, to: entry?.wakeTerm ?? .none)
    }
    entries[sequence] = entry
    if let entry {
      bySession[entry.first, default: []].insert(sequence)
      if !entry.isSnoozed { byOwner[entry.owner, default: []].insert(sequence) }
    }
  }

  private func remove<Key>(
    _ sequence: Int64, from index: inout [Key: Set<Int64>], at key: Key
  ) {
    index[key]?.remove(sequence)
    if index[key]?.isEmpty == true { index[key] = nil }
  }

  // MARK: Timers

  /// Takes a token for an alert's timer; nil where there is no room for another.
  mutating func makeToken(for sequence: Int64) -> UInt32? {
    guard let place = places.allocate() else { return nil }
    places[place] = sequence
    return place
  }

  /// An alert's timer.
  func timer(of sequence: Int64) -> Timer? { timers[sequence] }

  /// Notes an alert's timer.
  mutating func setTimer(of sequence: Int64, _ timer: Timer) { timers[sequence] = timer }

  /// An alert has no timer any more; its token is free once the batch is kept, or at once.
  mutating func dropTimer(of sequence: Int64, forGood: Bool) {
    guard let timer = timers.removeValue(forKey: sequence) else { return }
    if forGood { places.release(timer.place) } else { freed.append(timer.place) }
  }

  /// The batch is durable.
  mutating func keep() {
    for place in freed { places.release(place) }
    freed.removeAll(keepingCapacity: true)
  }

  /// The batch did not happen: an alert's timer was that, or none.
  mutating func undoTimer(of sequence: Int64, to timer: Timer?) {
    if timer == nil, let made = timers[sequence] { places.release(made.place) }
    timers[sequence] = timer
  }

  /// The batch did not happen: what it gave up is in use.
  mutating func forgetFreed() { freed.removeAll(keepingCapacity: true) }
}
