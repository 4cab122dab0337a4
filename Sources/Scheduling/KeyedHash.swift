/// SipHash-2-4 with 128 bits of output (Aumasson and Bernstein, 2012): callers choose IDs, so the
/// table that holds them must not be theirs to unbalance.
struct KeyedHash {
  private let key: (UInt64, UInt64)

  /// A hash under a 128-bit key.
  init(key: (UInt64, UInt64)) { self.key = key }

  /// The hash of an owner's ID; `owner` fills the first word.
  func callAsFunction(owner: UInt32, id: some Sequence<UInt8>) -> Digest {
    var v0 = key.0 ^ 0x736f_6d65_7073_6575
    var v1 = key.1 ^ 0x646f_7261_6e64_6f6d ^ 0xee
    var v2 = key.0 ^ 0x6c79_6765_6e65_7261
    var v3 = key.1 ^ 0x7465_6462_7974_6573

    func round() {
      v0 &+= v1
      v1 = v1 << 13 | v1 >> 51
      v1 ^= v0
      v0 = v0 << 32 | v0 >> 32
      v2 &+= v3
      v3 = v3 << 16 | v3 >> 48
      v3 ^= v2
      v0 &+= v3
      v3 = v3 << 21 | v3 >> 43
      v3 ^= v0
      v2 &+= v1
      v1 = v1 << 17 | v1 >> 47
      v1 ^= v2
      v2 = v2 << 32 | v2 >> 32
    }

    func take(_ word: UInt64) {
      v3 ^= word
      round()
      round()
      v0 ^= word
    }

    take(UInt64(owner))
    var word: UInt64 = 0
    var length: UInt64 = 8
    for byte in id {
      word |= UInt64(byte) << (8 * (length & 7))
      length &+= 1
      if length & 7 == 0 {
        take(word)
        word = 0
      }
    }
    take(word | (length & 0xff) << 56)
    v2 ^= 0xee
    for _ in 0..<4 { round() }
    let high = v0 ^ v1 ^ v2 ^ v3
    v1 ^= 0xdd
    for _ in 0..<4 { round() }
    return Digest(high: high, low: v0 ^ v1 ^ v2 ^ v3)
  }

  /// 128 bits that stand for an owner's ID.
  struct Digest: Hashable, BitwiseCopyable {
    var high: UInt64
    var low: UInt64
  }
}
