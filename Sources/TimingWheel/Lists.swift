// The doubly linked lists of the slots, and the places not in use.
extension TimingWheel {
  mutating func linkLast(_ index: UInt32, in reference: SlotReference) {
    let tail = slots[reference].tail
    entries[index].previous = tail
    entries[index].next = .slot(reference)
    slots[reference].tail = .entry(index)
    if tail.isEntry {
      entries[tail.target].next = .entry(index)
    } else {
      slots[reference].head = .entry(index)
      wheels[reference &>> 6].occupy(reference)
    }
  }

  mutating func linkFirst(_ index: UInt32, in reference: SlotReference) {
    let head = slots[reference].head
    entries[index].previous = .slot(reference)
    entries[index].next = head
    slots[reference].head = .entry(index)
    if head.isEntry {
      entries[head.target].previous = .entry(index)
    } else {
      slots[reference].tail = .entry(index)
      wheels[reference &>> 6].occupy(reference)
    }
  }

  /// Takes an entry out of its list; the answer is what stood behind it.
  mutating func unlink(_ index: UInt32) -> Link {
    let (previous, next) = (entries[index].previous, entries[index].next)
    if previous.isEntry {
      entries[previous.target].next = next
    } else {
      slots[previous.target].head = next
    }
    if next.isEntry {
      entries[next.target].previous = previous
    } else {
      slots[next.target].tail = previous
      if !previous.isEntry {
        slots[next.target].weight = 0
        vacate(next.target)
      }
    }
    return next
  }

  mutating func takeEntry(deadline: Int64, token: UInt32) -> UInt32 {
    guard freeEntries.isEntry else {
      let index = entries.count
      entries.append(
        Entry(
          deadline: deadline, previous: .unlinked, next: .unlinked, token: token, generation: 0))
      return index
    }
    let index = freeEntries.target
    freeEntries = entries[index].next
    entries[index].deadline = deadline
    entries[index].token = token
    return index
  }

  mutating func giveBackEntry(_ index: UInt32) {
    entries[index].previous = .unlinked
    entries[index].generation &+= 1
    // After the last generation the place is left unused, as old handles would match again.
    guard entries[index].generation != .max else { return }
    entries[index].next = freeEntries
    freeEntries = .entry(index)
  }

  mutating func makeWheel(prefix: Key, shift: UInt8, parent: SlotReference) -> UInt32 {
    let wheel = Wheel(prefix: prefix, shift: shift, parent: parent)
    guard let index = freeWheels else {
      let index = wheels.count
      wheels.append(wheel)
      for place in 0..<UInt32(64) { slots.append(Slot(empty: index &<< 6 | place)) }
      return index
    }
    let next = wheels[index].parent
    freeWheels = next == .max ? nil : next
    wheels[index] = wheel
    for place in 0..<UInt32(64) { slots[index &<< 6 | place] = Slot(empty: index &<< 6 | place) }
    return index
  }

  mutating func giveBackWheel(_ index: UInt32) {
    wheels[index].parent = freeWheels ?? .max
    freeWheels = index
  }
}
