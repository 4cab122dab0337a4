extension TimingWheel {
  /// Everything that must always hold and does not, one line each; for tests.
  public func checkInvariants() -> [String] {
    var check = Check(wheels: Int(wheels.count))
    visit(TimingWheel.root, of: nil, &check)
    checkFree(&check)
    let reached = check.reached
    check.expect(reached == count, "\(reached) entries in the tree, count is \(count)")
    if let earliest = check.earliest {
      check.expect(firstDeadline == earliest, "earliest is \(earliest), not \(firstDeadline)")
      let isFirst = check.firstOfEarliest == first
      check.expect(isFirst, "entry \(first) is not the first")
    }
    return check.violations
  }

  private struct Check {
    var violations: [String] = []
    var reached = 0
    var earliest: Int64?
    var firstOfEarliest: UInt32?
    var seen: [Bool]

    init(wheels: Int) { seen = Array(repeating: false, count: wheels) }

    mutating func expect(_ holds: Bool, _ violation: @autoclosure () -> String) {
      if !holds { violations.append(violation()) }
    }
  }

  private func visit(_ reference: SlotReference, of owner: Wheel?, _ check: inout Check) {
    let slot = slots[reference]
    guard slot.isWheel else { return visitList(reference, of: owner, &check) }
    let (index, wheel) = (slot.wheel, wheels[slot.wheel])
    check.expect(wheel.parent == reference, "wheel \(index) hangs in \(reference)")
    check.expect(!check.seen[Int(index)], "wheel \(index) hangs twice")
    guard !check.seen[Int(index)] else { return }
    check.seen[Int(index)] = true
    check.expect(wheel.shift % 6 == 0 && wheel.shift <= 60, "shift \(wheel.shift)")
    check.expect(!wheel.isEmpty, "wheel \(index) is empty")
    check.expect(wheel.shift == 0 || !wheel.hasOneOccupied, "wheel \(index) has one slot")
    if let owner {
      check.expect(wheel.shift < owner.shift, "wheel \(index) is as coarse as its parent")
      check.expect(belongs(wheel.prefix, in: reference, of: owner), "wheel \(index) is misplaced")
    }
    for place in 0..<UInt32(64) {
      let inner = index &<< 6 | place
      let holdsAny = slots[inner].head != .slot(inner) || slots[inner].tail != .slot(inner)
      check.expect(wheel.isOccupied(place) == holdsAny, "bit \(place) of wheel \(index)")
      if holdsAny { visit(inner, of: wheel, &check) }
    }
  }

  private func visitList(_ reference: SlotReference, of owner: Wheel?, _ check: inout Check) {
    let slot = slots[reference]
    var (previous, link, length) = (Link.slot(reference), slot.head, 0)
    while link.isEntry {
      let entry = entries[link.target]
      length += 1
      check.expect(entry.previous == previous, "entry \(link.target) has a wrong neighbour")
      if let owner {
        check.expect(
          belongs(Key(entry.deadline), in: reference, of: owner),
          "entry \(link.target) of \(entry.deadline) is in slot \(reference)")
      }
      if check.earliest.map({ entry.deadline < $0 }) ?? true {
        check.earliest = entry.deadline
        check.firstOfEarliest = link.target
      }
      (previous, link) = (link, entry.next)
      if length > count { break }
    }
    check.reached += length
    check.expect(link == .slot(reference), "list of slot \(reference) does not end in it")
    check.expect(slot.tail == previous, "slot \(reference) has a wrong tail")
    if owner?.shift != 0 {
      check.expect(slot.weight >= length, "slot \(reference) holds \(length), not \(slot.weight)")
      check.expect(slot.weight <= crowd, "slot \(reference) is crowded: \(slot.weight)")
    }
  }

  private func belongs(_ key: Key, in reference: SlotReference, of wheel: Wheel) -> Bool {
    wheel.covers(key) && key.slot(shift: wheel.shift) == reference & 63
  }

  private func checkFree(_ check: inout Check) {
    var (link, free) = (freeEntries, 0)
    while link.isEntry, free <= Int(entries.count) {
      check.expect(entries[link.target].previous == .unlinked, "entry \(link.target) is free")
      free += 1
      link = entries[link.target].next
    }
    var unlinked = 0
    for index in 0..<entries.count where entries[index].previous == .unlinked {
      unlinked += entries[index].generation == .max ? 0 : 1
    }
    check.expect(free == unlinked, "\(free) free entries listed, \(unlinked) unlinked")
    var wheel = freeWheels
    while let index = wheel {
      check.expect(!check.seen[Int(index)], "wheel \(index) is in use and free")
      guard !check.seen[Int(index)] else { return }
      check.seen[Int(index)] = true
      wheel = wheels[index].parent == .max ? nil : wheels[index].parent
    }
    // Wheel 0 only lends its slot 0 to the root.
    let lost = check.seen.dropFirst().filter { !$0 }.count
    check.expect(lost == 0, "\(lost) wheels are neither in use nor free")
  }
}
