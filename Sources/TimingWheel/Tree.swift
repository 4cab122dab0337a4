extension TimingWheel {
  /// Puts an entry in the slot where its deadline belongs.
  mutating func place(_ index: UInt32, deadline: Int64, atHead: Bool = false) {
    let key = Key(deadline)
    var reference = TimingWheel.root
    var slot = slots[reference]
    var isFinest = false
    while slot.isWheel {
      let child = slot.wheel
      let wheel = wheels[child]
      guard wheel.covers(key) else {
        reference = insertWheel(above: child, for: key)
        isFinest = false
        break
      }
      reference = child &<< 6 | key.slot(shift: wheel.shift)
      slot = slots[reference]
      isFinest = wheel.shift == 0
    }
    if atHead { linkFirst(index, in: reference) } else { linkLast(index, in: reference) }
    // The finest slots hold equal deadlines only: nothing to divide.
    guard !isFinest else { return }
    slots[reference].weight &+= 1
    if slots[reference].weight > crowd {
      divide(reference, ifOver: crowd / 2)
    }
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
      let slot = slots[reference]
      if slot.isWheel {
        let child = slot.wheel
        reference = child &<< 6 | wheels[child].firstOccupied
      } else if let earliest = earliest(in: reference) {
        first = earliest
        firstDeadline = entries[earliest].deadline
        return
      } else {
        divide(reference, ifOver: 0)
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
      if length > handful { return nil }
      let deadline = entries[link.target].deadline
      if deadline < bestDeadline {
        best = link.target
        bestDeadline = deadline
      }
      link = entries[link.target].next
    }
    return best
  }

  /// Counts a slot's list, and puts a wheel in its place if it has more than `limit` entries: the
  /// coarsest that tells them apart, or a finest one if all deadlines are equal.
  private mutating func divide(_ reference: SlotReference, ifOver limit: UInt32) {
    let head = slots[reference].head
    let prefix = Key(entries[head.target].deadline)
    var difference: UInt64 = 0
    var length: UInt32 = 0
    // From both ends at once: the memory is likely cold, and so two reads are under way, not one.
    var (front, back) = (head.target, slots[reference].tail.target)
    while true {
      let (first, last) = (entries[front], entries[back])
      difference |= Key(first.deadline).bits ^ prefix.bits
      difference |= Key(last.deadline).bits ^ prefix.bits
      length &+= front == back ? 1 : 2
      if front == back || first.next.target == back { break }
      (front, back) = (first.next.target, last.previous.target)
    }
    guard length > limit else {
      slots[reference].weight = length
      return
    }
    let shift = Key.shift(ofHighestDigitIn: difference)
    let child = makeWheel(prefix: prefix, shift: shift, parent: reference)
    var link = head
    while link.isEntry {
      let index = link.target
      let entry = entries[index]
      link = entry.next
      let slot = child &<< 6 | Key(entry.deadline).slot(shift: shift)
      linkLast(index, in: slot)
      if shift != 0 { slots[slot].weight &+= 1 }
    }
    slots[reference] = Slot(wheel: child)
  }

  /// Puts a coarser wheel between `child`, whose range does not reach `key`, and its parent. The answer
  /// is the new wheel's slot for the key.
  private mutating func insertWheel(above child: UInt32, for key: Key) -> SlotReference {
    let (prefix, parent) = (wheels[child].prefix, wheels[child].parent)
    let shift = Key.shift(ofHighestDigitIn: key.bits ^ prefix.bits)
    let between = makeWheel(prefix: prefix, shift: shift, parent: parent)
    let reference = between &<< 6 | prefix.slot(shift: shift)
    hang(child, in: reference)
    wheels[between].occupy(reference)
    slots[parent] = Slot(wheel: between)
    return between &<< 6 | key.slot(shift: shift)
  }

  private mutating func hang(_ wheel: UInt32, in reference: SlotReference) {
    slots[reference] = Slot(wheel: wheel)
    wheels[wheel].parent = reference
  }

  /// Says that a slot has become empty, and takes out the wheels that are of no more use.
  mutating func vacate(_ reference: SlotReference) {
    var wheel = reference &>> 6
    wheels[wheel].vacate(reference)
    while wheel != 0, wheels[wheel].isEmpty {
      let parent = wheels[wheel].parent
      giveBackWheel(wheel)
      slots[parent] = Slot(empty: parent)
      wheel = parent &>> 6
      wheels[wheel].vacate(parent)
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
