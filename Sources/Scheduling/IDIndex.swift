/// Finds the slot of an owner's ID: open addressing over the sessions' own digests, in 256 parts
/// that grow one by one, so that no insertion waits for a rehash of everything.
struct IDIndex {
  private var parts: [Part]

  /// An empty index.
  init() { parts = Array(repeating: Part(), count: 256) }

  private static func part(_ digest: KeyedHash.Digest) -> Int { Int(digest.high >> 56) }

  /// The slot filed under the digest; `matches` confirms it against the session itself.
  func find(_ digest: KeyedHash.Digest, matches: (UInt32) -> Bool) -> UInt32? {
    parts[Self.part(digest)].find(UInt32(truncatingIfNeeded: digest.low), matches: matches)
  }

  /// Files a slot under a digest that is not there yet.
  mutating func insert(_ digest: KeyedHash.Digest, slot: UInt32) {
    parts[Self.part(digest)].insert(UInt32(truncatingIfNeeded: digest.low), slot: slot)
  }

  /// Removes that slot from under its digest.
  mutating func remove(_ digest: KeyedHash.Digest, slot: UInt32) {
    parts[Self.part(digest)].remove(UInt32(truncatingIfNeeded: digest.low), slot: slot)
  }

  /// Files another slot in the place of one.
  mutating func replace(_ digest: KeyedHash.Digest, slot: UInt32, with newSlot: UInt32) {
    remove(digest, slot: slot)
    insert(digest, slot: newSlot)
  }

  /// One 256th: entries of tag and slot + 1; 0 is free. Linear probing, at most 3/4 full, removal
  /// by moving back what follows.
  private struct Part {
    var entries: [UInt64] = []
    var count = 0

    func find(_ tag: UInt32, matches: (UInt32) -> Bool) -> UInt32? {
      guard !entries.isEmpty else { return nil }
      let mask = entries.count - 1
      var index = Int(tag) & mask
      while entries[index] != 0 {
        if UInt32(truncatingIfNeeded: entries[index] >> 32) == tag {
          let slot = UInt32(truncatingIfNeeded: entries[index]) - 1
          if matches(slot) { return slot }
        }
        index = (index + 1) & mask
      }
      return nil
    }

    mutating func insert(_ tag: UInt32, slot: UInt32) {
      if (count + 1) * 4 > entries.count * 3 { grow() }
      place(UInt64(tag) << 32 | UInt64(slot + 1))
      count += 1
    }

    mutating func place(_ entry: UInt64) {
      let mask = entries.count - 1
      var index = Int(entry >> 32) & mask
      while entries[index] != 0 { index = (index + 1) & mask }
      entries[index] = entry
    }

    mutating func grow() {
      let old = entries
      entries = Array(repeating: 0, count: max(4, old.count * 2))
      for entry in old where entry != 0 { place(entry) }
    }

    mutating func remove(_ tag: UInt32, slot: UInt32) {
      guard !entries.isEmpty else { return }
      let mask = entries.count - 1
      let wanted = UInt64(tag) << 32 | UInt64(slot + 1)
      var hole = Int(tag) & mask
      while entries[hole] != wanted {
        if entries[hole] == 0 { return }
        hole = (hole + 1) & mask
      }
      var index = hole
      while true {
        index = (index + 1) & mask
        let entry = entries[index]
        if entry == 0 { break }
        let home = Int(entry >> 32) & mask
        let distance = (index - home) & mask
        if distance >= (index - hole) & mask {
          entries[hole] = entry
          hole = index
        }
      }
      entries[hole] = 0
      count -= 1
    }
  }
}
