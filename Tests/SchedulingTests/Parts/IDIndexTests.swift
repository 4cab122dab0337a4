import LiveActivity
import Testing

@testable import Scheduling

@Suite struct IDIndexes {
  @Test func findsWhatIsFiledAndNothingElse() {
    var index = IDIndex()
    let digest = KeyedHash.Digest(high: 1, low: 2)
    #expect(index.find(digest) { _ in true } == nil)
    index.insert(digest, slot: 7)
    #expect(index.find(digest) { $0 == 7 } == 7)
    #expect(index.find(digest) { _ in false } == nil)
    #expect(index.find(KeyedHash.Digest(high: 1, low: 3)) { _ in true } == nil)
    index.replace(digest, slot: 7, with: 8)
    #expect(index.find(digest) { _ in true } == 8)
    index.remove(digest, slot: 7)
    #expect(index.find(digest) { _ in true } == 8)
    index.remove(digest, slot: 8)
    #expect(index.find(digest) { _ in true } == nil)
  }

  /// Digests that all land in the same few places.
  @Test(arguments: 1...10)
  func crowdedPlacesLoseNothing(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var index = IDIndex()
    var model: [KeyedHash.Digest: UInt32] = [:]
    var digests: [UInt32: KeyedHash.Digest] = [:]
    var next: UInt32 = 0
    for step in 0..<2000 {
      let digest = KeyedHash.Digest(
        high: generator.next(upperBound: 2 as UInt64) << 56,
        low: generator.next(upperBound: 8 as UInt64) * (1 << 32)
          + generator.next(upperBound: 40 as UInt64) % 4)
      if let slot = model[digest] {
        index.remove(digest, slot: slot)
        model[digest] = nil
      } else {
        index.insert(digest, slot: next)
        model[digest] = next
        digests[next] = digest
        next += 1
      }
      for (digest, slot) in model where step % 8 == 0 {
        guard index.find(digest, matches: { digests[$0] == digest }) == slot else {
          Issue.record("seed \(seed): \(digest) is lost")
          return
        }
      }
      if model[digest] == nil {
        #expect(index.find(digest) { digests[$0] == digest } == nil, "seed \(seed)")
      }
    }
  }

  @Test func manyAreAllFound() {
    var index = IDIndex()
    let hash = KeyedHash(key: (1, 2))
    func digest(_ number: UInt32) -> KeyedHash.Digest { hash(owner: number, id: "tea".utf8) }
    for number in 0..<6000 as Range<UInt32> { index.insert(digest(number), slot: number) }
    for number in stride(from: 0, to: 6000 as UInt32, by: 2) {
      index.remove(digest(number), slot: number)
    }
    let found = (0..<6000 as Range<UInt32>).filter { number in
      index.find(digest(number)) { digest($0) == digest(number) } == number
    }
    #expect(found.count == 3000 && found.allSatisfy { $0 % 2 == 1 })
  }
}

@Suite struct KeyedHashes {
  /// SipHash-2-4-128 as its authors' paper tells it, byte by byte.
  static func reference(_ key: (UInt64, UInt64), _ message: [UInt8]) -> [UInt8] {
    var v: [UInt64] = [
      key.0 ^ 0x736f_6d65_7073_6575, key.1 ^ 0x646f_7261_6e64_6f6d,
      key.0 ^ 0x6c79_6765_6e65_7261, key.1 ^ 0x7465_6462_7974_6573,
    ]
    v[1] ^= 0xee
    func turn(_ word: UInt64, by count: UInt64) -> UInt64 {
      word << count | word >> (64 - count)
    }
    func rounds(_ count: Int) {
      for _ in 0..<count {
        for (a, b, left) in [(0, 1, 13), (2, 3, 16), (0, 3, 21), (2, 1, 17)] as [(Int, Int, UInt64)]
        {
          v[a] &+= v[b]
          v[b] = turn(v[b], by: left) ^ v[a]
          if left == 13 || left == 17 { v[a] = turn(v[a], by: 32) }
        }
      }
    }
    var padded = message
    while padded.count % 8 != 7 { padded.append(0) }
    padded.append(UInt8(truncatingIfNeeded: message.count))
    for start in stride(from: 0, to: padded.count, by: 8) {
      let word = padded[start..<start + 8].reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
      v[3] ^= word
      rounds(2)
      v[0] ^= word
    }
    var out: [UInt8] = []
    for (place, mark) in [(2, 0xee), (1, 0xdd)] as [(Int, UInt64)] {
      v[place] ^= mark
      rounds(4)
      let word = v[0] ^ v[1] ^ v[2] ^ v[3]
      for byte in 0..<8 as Range<UInt64> {
        out.append(UInt8(truncatingIfNeeded: word >> (8 * byte)))
      }
    }
    return out
  }

  static let key: (UInt64, UInt64) = (0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908)

  /// The first of the published vectors: the key 00 to 0f, messages 00, 00 01, …
  @Test func theReferenceGivesThePublishedVectors() {
    let vectors: [[UInt8]] = [
      [
        0xa3, 0x81, 0x7f, 0x04, 0xba, 0x25, 0xa8, 0xe6, 0x6d, 0xf6, 0x72, 0x14, 0xc7, 0x55, 0x02,
        0x93,
      ],
      [
        0xda, 0x87, 0xc1, 0xd8, 0x6b, 0x99, 0xaf, 0x44, 0x34, 0x76, 0x59, 0x11, 0x9b, 0x22, 0xfc,
        0x45,
      ],
      [
        0x81, 0x77, 0x22, 0x8d, 0xa4, 0xa4, 0x5d, 0xc7, 0xfc, 0xa3, 0x8b, 0xde, 0xf6, 0x0a, 0xff,
        0xe4,
      ],
      [
        0x9c, 0x70, 0xb6, 0x0c, 0x52, 0x67, 0xa9, 0x4e, 0x5f, 0x33, 0xb6, 0xb0, 0x29, 0x85, 0xed,
        0x51,
      ],
    ]
    for (count, vector) in vectors.enumerated() {
      #expect(Self.reference(Self.key, (0..<count).map { UInt8($0) }) == vector)
    }
  }

  @Test func anOwnersIDIsTheHashOfItsEightBytesAndTheID() {
    var generator = SeededGenerator(seed: 3)
    for count in [0, 1, 6, 7, 8, 9, 15, 16, 17, 63, 240, 247, 248, 255] {
      let owner = UInt32(truncatingIfNeeded: generator.next())
      let id = (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
      let digest = KeyedHash(key: Self.key)(owner: owner, id: id)
      let prefix = (0..<8 as Range<UInt64>).map {
        UInt8(truncatingIfNeeded: UInt64(owner) >> (8 * $0))
      }
      let bytes = [digest.high, digest.low].flatMap { word in
        (0..<8 as Range<UInt64>).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
      }
      #expect(bytes == Self.reference(Self.key, prefix + id), "\(count) bytes")
    }
  }

  @Test func keyOwnerAndIDAllCount() {
    let hash = KeyedHash(key: (1, 2))
    let digest = hash(owner: 1000, id: "tea".utf8)
    #expect(digest == hash(owner: 1000, id: "tea".utf8))
    #expect(digest != hash(owner: 1001, id: "tea".utf8))
    #expect(digest != hash(owner: 1000, id: "tea\0".utf8))
    #expect(digest != KeyedHash(key: (2, 2))(owner: 1000, id: "tea".utf8))
    #expect(digest != KeyedHash(key: (1, 3))(owner: 1000, id: "tea".utf8))
  }
}
