/// Appends JSON to bytes. It sets the commas; that braces and brackets match is up to the caller.
public struct JSONWriter: Sendable {
  /// What is written so far.
  public private(set) var bytes: [UInt8]
  /// Whether a comma is due before the next value or key.
  private var comma = false

  /// Begins with `bytes`, to which it appends.
  public init(appendingTo bytes: consuming [UInt8] = []) { self.bytes = bytes }

  /// Makes room for that many bytes more.
  public mutating func reserve(_ count: Int) { bytes.reserveCapacity(bytes.count + count) }

  /// `{`.
  public mutating func beginObject() { begin(0x7B) }
  /// `}`.
  public mutating func endObject() { end(0x7D) }
  /// `[`.
  public mutating func beginArray() { begin(0x5B) }
  /// `]`.
  public mutating func endArray() { end(0x5D) }

  /// A key that needs no escapes.
  public mutating func key(_ name: StaticString) {
    let count = name.utf8CodeUnitCount
    let text = unsafe UnsafeBufferPointer(start: name.utf8Start, count: count)
    unsafe append(quoted: text.span, andColon: true)
    comma = false
  }

  /// Any key.
  public mutating func key(escaping name: String) {
    string(name)
    bytes.append(0x3A)
    comma = false
  }

  /// A key out of a document, with the escapes that it has there.
  mutating func key(of key: JSONNode) {
    node(key)
    bytes.append(0x3A)
    comma = false
  }

  /// `null`.
  public mutating func null() { raw("null") }
  /// `true` or `false`.
  public mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }

  /// A whole number.
  public mutating func int(_ value: Int64) {
    separate()
    appendDecimal(value)
    comma = true
  }

  /// A number: the shortest text that reads back as the same double, whole ones without a fraction.
  /// One that is not finite, which JSON cannot say, is written as `null`.
  public mutating func double(_ value: Double) {
    guard value.isFinite else { return null() }
    // Within 2^53 the conversion neither overflows nor rounds a whole number.
    if value.magnitude < 9_007_199_254_740_992 {
      let whole = Int64(value)
      if Double(whole) == value, whole != 0 || value.sign == .plus { return int(whole) }
    }
    separate()
    bytes.append(contentsOf: value.description.utf8)
    comma = true
  }

  /// A value that is JSON already.
  public mutating func text(_ value: JSONText) {
    separate()
    bytes.append(contentsOf: value.bytes)
    comma = true
  }

  /// A value out of a document.
  public mutating func node(_ value: JSONNode) {
    separate()
    bytes.append(contentsOf: value.document.bytes[value.range])
    comma = true
  }

  /// A byte that is no JSON, such as the NUL that ends a message. A value may follow.
  public mutating func byte(_ value: UInt8) {
    bytes.append(value)
    comma = false
  }

  /// Takes back what was written after the first `count` bytes. A value may follow.
  public mutating func truncate(to count: Int) {
    guard count < bytes.count else { return }
    bytes.removeSubrange(max(0, count)...)
    comma = false
  }

  /// Forgets the first `count` bytes, and gives much memory back where nothing is left.
  public mutating func discard(first count: Int) {
    if count >= bytes.count {
      bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 16)
    } else {
      bytes.removeFirst(max(0, count))
    }
  }

  /// Gives the bytes away and begins anew.
  public mutating func take() -> [UInt8] {
    let taken = bytes
    bytes = []
    comma = false
    return taken
  }

  private mutating func raw(_ word: StaticString) {
    separate()
    let count = word.utf8CodeUnitCount
    unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: word.utf8Start, count: count))
    comma = true
  }

  /// Text that needs no escapes, in quotes, after a comma if one is due: one growth for all of it.
  private mutating func append(quoted text: Span<UInt8>, andColon: Bool) {
    let separator = comma
    bytes.append(addingCapacity: text.count + 4) { output in
      if separator { output.append(0x2C) }
      output.append(0x22)
      output.append(copying: text)
      output.append(0x22)
      if andColon { output.append(0x3A) }
    }
    comma = !andColon
  }

  private mutating func begin(_ byte: UInt8) {
    separate()
    bytes.append(byte)
    comma = false
  }

  private mutating func end(_ byte: UInt8) {
    bytes.append(byte)
    comma = true
  }

  @inline(__always)
  private mutating func separate() {
    if comma { bytes.append(0x2C) }
  }

  private mutating func appendDecimal(_ value: Int64) {
    var rest = value.magnitude
    // Digits from the last one on, at the end of room for the longest.
    var digits = InlineArray<20, UInt8>(repeating: 0)
    var first = 20
    repeat {
      first -= 1
      digits[first] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    } while rest > 0
    bytes.append(addingCapacity: 21) { output in
      if value < 0 { output.append(0x2D) }
      for i in first..<20 { output.append(digits[i]) }
    }
  }
}

extension JSONWriter {
  /// A string of printable ASCII without quotes and backslashes, which needs no escapes.
  public mutating func string(plain text: Span<UInt8>) {
    append(quoted: text, andColon: false)
  }

  /// A string, escaped as RFC 8259 asks and no further.
  public mutating func string(_ value: String) {
    let text = value.utf8Span.span
    var end = text.plainEnd(from: 0)
    guard end < text.count else { return append(quoted: text, andColon: false) }
    separate()
    bytes.append(0x22)
    var start = 0
    while end < text.count {
      append(text.extracting(start..<end))
      appendEscape(text[end])
      start = end + 1
      end = text.plainEnd(from: start)
    }
    append(text.extracting(start..<end))
    bytes.append(0x22)
    comma = true
  }

  private mutating func append(_ text: Span<UInt8>) {
    bytes.append(addingCapacity: text.count) { $0.append(copying: text) }
  }

  private mutating func appendEscape(_ byte: UInt8) {
    bytes.append(0x5C)
    switch byte {
    case 0x22, 0x5C: bytes.append(byte)
    case 0x08: bytes.append(0x62)
    case 0x0C: bytes.append(0x66)
    case 0x0A: bytes.append(0x6E)
    case 0x0D: bytes.append(0x72)
    case 0x09: bytes.append(0x74)
    default:
      let digits: [UInt8] = Array("0123456789abcdef".utf8)
      bytes.append(contentsOf: [0x75, 0x30, 0x30, digits[Int(byte >> 4)], digits[Int(byte & 15)]])
    }
  }
}

extension OutputSpan<UInt8> {
  /// Copies bytes for which there is room.
  @inline(__always)
  mutating func append(copying text: Span<UInt8>) {
    guard text.count > 0, text.count <= freeCapacity else { return }
    unsafe withUnsafeMutableBufferPointer { room, used in
      unsafe text.withUnsafeBufferPointer { text in
        if let from = text.baseAddress, let to = room.baseAddress {
          unsafe (to + used).update(from: from, count: text.count)
        }
      }
      used += text.count
    }
  }
}

extension Span<UInt8> {
  /// The first byte from `start` on that must be escaped in a string. Eight at a time.
  fileprivate func plainEnd(from start: Int) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    var i = start
    while i &+ 8 <= count {
      let word = UInt64(
        littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: i, as: UInt64.self))
      let quote = word ^ (ones &* 0x22)
      let backslash = word ^ (ones &* 0x5C)
      let control = (word &- ones &* 0x20) & ~word
      let hit =
        (control | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash) & (ones << 7)
      if hit != 0 { return i &+ hit.trailingZeroBitCount / 8 }
      i &+= 8
    }
    while i < count {
      let byte = self[i]
      if byte < 0x20 || byte == 0x22 || byte == 0x5C { return i }
      i &+= 1
    }
    return i
  }
}
