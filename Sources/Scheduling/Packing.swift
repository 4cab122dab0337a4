internal import LiveActivity

/// Writes integers as zigzag varints, seven bits a byte.
struct Packer {
  var bytes: [UInt8] = []

  mutating func put(_ value: Int64) {
    var rest = UInt64(bitPattern: (value << 1) ^ (value >> 63))
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  mutating func put(_ text: String) {
    put(Int64(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  /// A term: its kind, then its distance from the reading, which is short where it is near.
  mutating func put(_ term: Term, _ at: ClockReading) {
    switch term {
    case .none: bytes.append(0)
    case .date(let date):
      bytes.append(1)
      put(date.microseconds &- at.wall.microseconds)
    case .fromStart(let span):
      bytes.append(2)
      put(span.microseconds)
    case .elapsed(let instant):
      bytes.append(3)
      put(instant.microseconds &- at.boottime.microseconds)
    case .carried(let date):
      bytes.append(4)
      put(date.microseconds &- at.wall.microseconds)
    }
  }
}

/// Reads what `Packer` wrote; nil where the bytes end or are not such.
struct Unpacker {
  let bytes: [UInt8]
  private var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func byte() -> UInt8? {
    guard position < bytes.count else { return nil }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func int() -> Int64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while shift < 64 {
      guard let next = byte() else { return nil }
      value |= UInt64(next & 0x7f) << shift
      if next & 0x80 == 0 {
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
      }
      shift += 7
    }
    return nil
  }

  mutating func text() -> String? {
    guard let count = int(), count >= 0, count <= bytes.count - position else { return nil }
    defer { position += Int(count) }
    return String(validating: bytes[position..<position + Int(count)], as: UTF8.self)
  }

  mutating func term(_ at: ClockReading) -> Term? {
    switch byte() {
    case 0: return Term.none
    case 1:
      return int().map { .date(WallTime(microseconds: $0 &+ at.wall.microseconds)) }
    case 2: return int().map { .fromStart(TimeSpan(microseconds: $0)) }
    case 3:
      return int().map { .elapsed(BootTime(microseconds: $0 &+ at.boottime.microseconds)) }
    case 4:
      return int().map { .carried(WallTime(microseconds: $0 &+ at.wall.microseconds)) }
    default: return nil
    }
  }

  /// A date that may be absent; nil where the bytes are damaged.
  mutating func date(_ at: ClockReading) -> WallTime?? {
    switch byte() {
    case 0: return .some(nil)
    case 1: return int().map { .some(WallTime(microseconds: $0 &+ at.wall.microseconds)) }
    default: return nil
    }
  }
}
