/// A hierarchical timing wheel: timers in order of (deadline, arrival), found again by handle.
///
/// Deadlines are milliseconds of whatever clock the owner reads; every `Int64` is allowed. The wheel
/// has no clock of its own and no position: what is due is said by the reading given to `popNext`.
/// So a clock that jumps ahead by years costs nothing but the entries that fire, one that goes back
/// costs nothing at all, and a deadline already past is an ordinary one.
///
/// It is a tree of wheels of 64 slots, a slot of the finest being 1 ms wide, each coarser one 64
/// times as wide. A slot keeps its entries as a list until it is crowded, or until the earliest entry
/// lies in it; then a finer wheel takes its place. Wheels in which only one slot is left, and levels
/// that tell no entries apart, are left out. No call therefore moves more than
/// `crowd` entries a level: there is no cascade of a whole slot, and no entry is looked at
/// again because the earliest one was cancelled.
public struct TimingWheel: ~Copyable, Sendable {
  /// A list longer than this is divided when an entry is added. Larger: less moving, but longer calls;
  /// the bench says where inserting at 1 M and at 10 M entries costs least.
  let crowd: UInt32
  /// A list longer than this is divided when the earliest entry lies in it.
  let handful: Int

  var entries = Slab<Entry>()
  var wheels = Slab<Wheel>()
  var slots = Slab<Slot>()
  var freeEntries = Link.unlinked
  var freeWheels: UInt32?

  /// The number of entries.
  public internal(set) var count = 0

  /// The earliest entry, and its deadline; meaningless without entries.
  var first: UInt32 = 0
  var firstDeadline = Int64.max

  /// The slot that holds the whole tree.
  static let root: SlotReference = 0

  /// An empty wheel.
  public init() { self.init(crowd: 512, handful: 16) }

  /// Tests divide sooner, to see more wheels.
  init(crowd: UInt32, handful: Int) {
    self.crowd = crowd
    self.handful = handful
    // Wheel 0 only lends its slot 0 to the root.
    _ = makeWheel(prefix: Key(0), shift: 60, parent: TimingWheel.root)
  }

  /// Whether there are no entries.
  public var isEmpty: Bool { count == 0 }

  /// The earliest deadline of all entries; nil without entries. Costs nothing.
  public var nextDeadline: Int64? { count == 0 ? nil : firstDeadline }

  /// Adds an entry, after all others of the same deadline.
  public mutating func insert(deadline: Int64, token: UInt32) -> TimerHandle {
    let index = takeEntry(deadline: deadline, token: token)
    place(index, deadline: deadline)
    if count == 0 || deadline < firstDeadline {
      first = index
      firstDeadline = deadline
    }
    count += 1
    return TimerHandle(index: index, generation: entries[index].generation)
  }

  /// Adds an entry, before all others of the same deadline: puts back what `popNext` took, if what was
  /// taken last is put back first.
  public mutating func insertFirst(deadline: Int64, token: UInt32) -> TimerHandle {
    let index = takeEntry(deadline: deadline, token: token)
    place(index, deadline: deadline, atHead: true)
    if count == 0 || deadline <= firstDeadline {
      first = index
      firstDeadline = deadline
    }
    count += 1
    return TimerHandle(index: index, generation: entries[index].generation)
  }

  /// Removes an entry. False, and nothing happens, if it has fired or been cancelled before.
  @discardableResult
  public mutating func cancel(_ handle: TimerHandle) -> Bool {
    guard contains(handle) else { return false }
    remove(handle.index)
    return true
  }

  /// Gives an entry another deadline, as if it were cancelled and arrived anew; its handle stays.
  /// False, and nothing happens, if it has fired or been cancelled before.
  @discardableResult
  public mutating func move(_ handle: TimerHandle, deadline: Int64) -> Bool {
    guard contains(handle) else { return false }
    let index = handle.index
    let wasFirst = index == first
    let follower = unlink(index)
    entries[index].deadline = deadline
    place(index, deadline: deadline)
    if deadline < firstDeadline {
      first = index
      firstDeadline = deadline
    } else if wasFirst {
      findFirst(after: follower)
    }
    return true
  }

  /// Removes the earliest entry if its deadline is at or before `now`, never an earlier one.
  public mutating func popNext(upTo now: Int64) -> (token: UInt32, deadline: Int64)? {
    guard count != 0, firstDeadline <= now else { return nil }
    let popped = (token: entries[first].token, deadline: firstDeadline)
    remove(first)
    return popped
  }

  /// Whether the handle's entry has neither fired nor been cancelled.
  public func contains(_ handle: TimerHandle) -> Bool {
    handle.index < entries.count && entries[handle.index].generation == handle.generation
  }

  /// The entry's deadline; nil if it has fired or been cancelled.
  public func deadline(of handle: TimerHandle) -> Int64? {
    contains(handle) ? entries[handle.index].deadline : nil
  }

  /// Shows each entry once, in no particular order; for debugging.
  public func visitAll(_ body: (_ handle: TimerHandle, _ deadline: Int64, _ token: UInt32) -> Void)
  {
    for index in 0..<entries.count where entries[index].previous != .unlinked {
      let entry = entries[index]
      body(
        TimerHandle(index: index, generation: entry.generation), entry.deadline, entry.token)
    }
  }

  private mutating func remove(_ index: UInt32) {
    let wasFirst = index == first
    let follower = unlink(index)
    giveBackEntry(index)
    count -= 1
    if wasFirst { findFirst(after: follower) }
  }
}
