/// What stands before or after an entry in its slot's list: another entry, or the slot itself, so
/// that unlinking the first or the last entry leads to its slot without a search.
struct Link: Equatable, BitwiseCopyable {
  private let raw: UInt32

  private static let slotBit: UInt32 = 1 << 31

  static func entry(_ index: UInt32) -> Link { Link(raw: index) }
  static func slot(_ reference: SlotReference) -> Link { Link(raw: slotBit | reference) }

  /// The mark of an entry in no list; no slot has this number.
  static let unlinked = Link(raw: .max)

  var isEntry: Bool { raw & Link.slotBit == 0 }
  /// The entry's index, or the slot's reference.
  var target: UInt32 { raw & ~Link.slotBit }
}

/// One timer: 24 bytes.
struct Entry: BitwiseCopyable {
  var deadline: Int64
  var previous: Link
  /// Of an entry not in use: the next such one.
  var next: Link
  var token: UInt32
  /// Goes up when the entry is given back, so that older handles no longer match.
  var generation: UInt32
}

/// A slot's number: its wheel's index times 64, plus its place in the wheel.
typealias SlotReference = UInt32

/// One slot of a wheel: a list of entries in order of arrival, or a finer wheel.
struct Slot: BitwiseCopyable {
  var head: Link
  var tail: Link
  /// At least the number of entries in the list, or the mark of a slot that holds a wheel. (An exact
  /// number would make every cancel look for its slot.)
  private var weightOrMark: UInt32

  private static let wheelMark = UInt32.max

  /// A slot with nothing in it: its ends are the slot itself.
  init(empty reference: SlotReference) {
    head = .slot(reference)
    tail = .slot(reference)
    weightOrMark = 0
  }

  init(wheel index: UInt32) {
    head = .entry(index)
    tail = .entry(index)
    weightOrMark = Slot.wheelMark
  }

  init(head: Link, tail: Link, weight: UInt32) {
    self.head = head
    self.tail = tail
    weightOrMark = weight
  }

  var isWheel: Bool { weightOrMark == Slot.wheelMark }
  /// The index of the wheel it holds; only meaningful if `isWheel`.
  var wheel: UInt32 { head.target }
  /// Only meaningful unless `isWheel`.
  var weight: UInt32 {
    get { weightOrMark }
    set { weightOrMark = newValue }
  }
}

/// A wheel of 64 slots: the slots of one level that share all higher digits of their deadlines.
struct Wheel: BitwiseCopyable {
  /// One bit for each slot that holds anything.
  private(set) var occupied: UInt64 = 0
  /// A key in the wheel's range; only the digits above its own level count.
  let prefix: Key
  /// Where the wheel hangs. Of a wheel not in use: the index of the next such one.
  var parent: SlotReference
  /// Six times the level: a slot is `1 << shift` milliseconds wide.
  let shift: UInt8

  init(prefix: Key, shift: UInt8, parent: SlotReference) {
    self.prefix = prefix
    self.parent = parent
    self.shift = shift
  }

  func covers(_ key: Key) -> Bool {
    // Two steps, as one shift by 66 is none.
    ((key.bits ^ prefix.bits) &>> UInt64(shift)) &>> 6 == 0
  }

  var firstOccupied: UInt32 { UInt32(truncatingIfNeeded: occupied.trailingZeroBitCount) }
  var isEmpty: Bool { occupied == 0 }
  var hasOneOccupied: Bool { occupied != 0 && occupied & (occupied &- 1) == 0 }

  func isOccupied(_ reference: SlotReference) -> Bool {
    occupied & (1 &<< UInt64(reference & 63)) != 0
  }
  mutating func occupy(_ reference: SlotReference) {
    occupied |= 1 &<< UInt64(reference & 63)
  }
  mutating func vacate(_ reference: SlotReference) {
    occupied &= ~(1 &<< UInt64(reference & 63))
  }
}

/// A deadline as an unsigned number in the same order, read as eleven digits of six bits.
struct Key: BitwiseCopyable {
  let bits: UInt64

  init(_ deadline: Int64) { bits = UInt64(bitPattern: deadline) ^ (1 << 63) }

  /// The digit at `shift`: a wheel's slot.
  func slot(shift: UInt8) -> UInt32 {
    UInt32(truncatingIfNeeded: bits &>> UInt64(shift)) & 63
  }

  /// The shift of the highest digit in `difference`; of none, the lowest level's.
  static func shift(ofHighestDigitIn difference: UInt64) -> UInt8 {
    let bit = 63 &- (difference | 1).leadingZeroBitCount
    return UInt8(truncatingIfNeeded: bit &- bit % 6)
  }
}
