extension JSONParser {
  /// The row of a key that an earlier key of the object repeats, if there is one.
  ///
  /// A few keys are compared each with each by their fingerprints. Many are sorted by a hash with a
  /// key of this process's own, so that no choice of keys makes it slow.
  func duplicateKey(_ input: Span<UInt8>, of object: Int) -> Int? {
    let end = entries.count
    var count = 0
    var row = object + 1
    while row < end {
      if count < 16 {
        let fingerprint = entries[row].next
        var earlier = object + 1
        while earlier < row {
          if entries[earlier].next == fingerprint, sameKey(input, earlier, row) { return row }
          earlier = Int(entries[earlier + 1].next)
        }
      }
      count += 1
      row = Int(entries[row + 1].next)
    }
    return count <= 16 ? nil : duplicateAmongMany(input, of: object, count: count)
  }

  private func duplicateAmongMany(_ input: Span<UInt8>, of object: Int, count: Int) -> Int? {
    var hashes: [(hash: Int, row: Int)] = []
    hashes.reserveCapacity(count)
    var row = object + 1
    while row < entries.count {
      var hasher = Hasher()
      hasher.combine(keyBytes(input, row))
      hashes.append((hasher.finalize(), row))
      row = Int(entries[row + 1].next)
    }
    hashes.sort { $0.hash != $1.hash ? $0.hash < $1.hash : $0.row < $1.row }
    for k in 1..<hashes.count where hashes[k].hash == hashes[k - 1].hash {
      if sameKey(input, hashes[k - 1].row, hashes[k].row) { return hashes[k].row }
    }
    return nil
  }

  private func sameKey(_ input: Span<UInt8>, _ a: Int, _ b: Int) -> Bool {
    if entries[a].isEscaped || entries[b].isEscaped {
      return keyBytes(input, a) == keyBytes(input, b)
    }
    let count = entries[a].end - entries[a].start
    guard count == entries[b].end - entries[b].start else { return false }
    for k in 0..<count
    where byte(input, entries[a].start + k) != byte(input, entries[b].start + k) { return false }
    return true
  }

  private func keyBytes(_ input: Span<UInt8>, _ row: Int) -> [UInt8] {
    var text: [UInt8] = []
    for k in (entries[row].start + 1)..<(entries[row].end - 1) { text.append(byte(input, k)) }
    return entries[row].isEscaped ? unescaped(text.span) : text
  }

  /// The byte that stands, or will stand, at `position` in `compact`.
  private func byte(_ input: Span<UInt8>, _ position: UInt32) -> UInt8 {
    let position = Int(position)
    return position < compact.count
      ? compact[position] : input[runStart + position - compact.count]
  }
}
