extension TimingWheel {
  /// Puts an entry in the slot where its deadline belongs.
  mutating func place(_ index: UInt32, deadline: Int64, atHead: Bool = false) {
    let key = Key(deadline)
    var reference = TimingWheel.root
    var isFinest = false
    while slots[reference].isWheel {
      let child = slots[reference].wheel
      guard wheels[child].covers(key) else {
        reference = insertWheel(above: child, for: key)
        isFinest = false
        break
      }
      isFinest = wheels[child].shift == 0
      reference = child &<< 6 | wheels[child].slot(for: key)
    }
    if atHead { linkFirst(index, in: reference) } else { linkLast(index, in: reference) }
    // The finest slots hold equal deadlines only: nothing to divide.
    guard !isFinest else { return }
    slots[reference].weight &+= 1
    if slots[reference].weight > TimingWheel.crowd { relieve(reference) }
  }

  /// Finds the earliest entry, after one was taken away that had been it. `follower` stood behind it.
  mutating func findFirst(after follower: Link) {
    guard count != 0 else { return }
    if follower.isEntry, entries[follower.target].deadline == firstDeadline {
      first = follower.target
      return
    }
    var reference = TimingWheel.root
    while true {
      if slots[reference].isWheel {
        let child = slots[reference].wheel
        reference = child &<< 6 | wheels[child].firstOccupied
      } else if let earliest = earliest(in: reference) {
        first = earliest
        firstDeadline = entries[earliest].deadline
        return
      } else {
        divide(reference)
      }
    }
  }

  /// The earliest entry of a slot; nil if the list is too long to look through.
  private func earliest(in reference: SlotReference) -> UInt32? {
    var best = slots[reference].head.target
    if wheels[reference &>> 6].shift == 0 { return best }
    var bestDeadline = entries[best].deadline
    var link = entries[best].next
    var length = 1
    while link.isEntry {
      length += 1
      if length > TimingWheel.handful { return nil }
      let deadline = entries[link.target].deadline
      if deadline < bestDeadline {
        best = link.target
        bestDeadline = deadline
      }
      link = entries[link.target].next
    }
    return best
  }

  /// Counts a slot's list, and divides it if many entries are really there.
  private mutating func relieve(_ reference: SlotReference) {
    var length: UInt32 = 0
    var link = slots[reference].head
    while link.isEntry {
      length += 1
      link = entries[link.target].next
    }
    if length > TimingWheel.crowd / 2 {
      divide(reference)
    } else {
      slots[reference].weight = length
    }
  }

  /// Puts a wheel in place of a slot's list: the coarsest that tells its entries apart, or a finest one
  /// if all deadlines are equal.
  private mutating func divide(_ reference: SlotReference) {
    let head = slots[reference].head
    let prefix = Key(entries[head.target].deadline)
    var difference: UInt64 = 0
    var link = head
    while link.isEntry {
      difference |= Key(entries[link.target].deadline).bits ^ prefix.bits
      link = entries[link.target].next
    }
    let child = makeWheel(
      prefix: prefix, shift: Key.shift(ofHighestDigitIn: difference), parent: reference)
    let wheel = wheels[child]
    link = head
    while link.isEntry {
      let index = link.target
      link = entries[index].next
      let slot = child &<< 6 | wheel.slot(for: Key(entries[index].deadline))
      linkLast(index, in: slot)
      if wheel.shift != 0 { slots[slot].weight &+= 1 }
    }
    slots[reference] = Slot(wheel: child)
  }

  /// Puts a coarser wheel between `child`, whose range does not reach `key`, and its parent. The answer
  /// is the new wheel's slot for the key.
  private mutating func insertWheel(above child: UInt32, for key: Key) -> SlotReference {
    let (prefix, parent) = (wheels[child].prefix, wheels[child].parent)
    let shift = Key.shift(ofHighestDigitIn: key.bits ^ prefix.bits)
    let between = makeWheel(prefix: prefix, shift: shift, parent: parent)
    let reference = between &<< 6 | wheels[between].slot(for: prefix)
    hang(child, in: reference)
    wheels[between].occupied = 1 &<< UInt64(reference & 63)
    slots[parent] = Slot(wheel: between)
    return between &<< 6 | wheels[between].slot(for: key)
  }

  private mutating func hang(_ wheel: UInt32, in reference: SlotReference) {
    slots[reference] = Slot(wheel: wheel)
    wheels[wheel].parent = reference
  }

  /// Says that a slot has become empty, and takes out the wheels that are of no more use.
  mutating func vacate(_ reference: SlotReference) {
    var wheel = reference &>> 6
    wheels[wheel].occupied &= ~(1 &<< UInt64(reference & 63))
    while wheel != 0, wheels[wheel].occupied == 0 {
      let parent = wheels[wheel].parent
      giveBackWheel(wheel)
      slots[parent] = Slot(empty: parent)
      wheel = parent &>> 6
      wheels[wheel].occupied &= ~(1 &<< UInt64(parent & 63))
    }
    // A finest wheel stays: its one list may be longer than any other slot can take.
    if wheel != 0, wheels[wheel].hasOneOccupied, wheels[wheel].shift != 0 { bypass(wheel) }
  }

  /// Moves the one slot of a wheel that holds anything to where the wheel hangs.
  private mutating func bypass(_ wheel: UInt32) {
    let parent = wheels[wheel].parent
    let slot = slots[wheel &<< 6 | wheels[wheel].firstOccupied]
    if slot.isWheel {
      hang(slot.wheel, in: parent)
    } else {
      slots[parent] = slot
      entries[slot.head.target].previous = .slot(parent)
      entries[slot.tail.target].next = .slot(parent)
    }
    giveBackWheel(wheel)
  }
}
