/// Bytes from a peer on their way to messages. No byte is looked at twice while its message is
/// incomplete, and no more is kept than what has come and is not taken.
public struct VarlinkInbox: Sendable {
  private var bytes: [UInt8] = []
  /// Where the message begins that is next to be taken.
  private var start = 0
  /// Up to here there is no NUL in it.
  private var scanned = 0
  private var fault: VarlinkMessageError?

  /// Empty.
  public init() {}

  /// Bytes that have come and are not taken.
  public var count: Int { bytes.count - start }

  /// Adds what the peer sent.
  public mutating func append(_ received: Span<UInt8>) {
    reclaim()
    unsafe received.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
  }

  /// Takes the next call; nil until one is complete. Throws, then and ever after, where a message
  /// is too long or none: the connection is to be closed.
  public mutating func nextCall() throws(VarlinkMessageError) -> VarlinkCall? {
    guard let message = try nextRange() else { return nil }
    do throws(VarlinkMessageError) {
      return try VarlinkCall(bytes.span.extracting(message))
    } catch {
      throw fail(error)
    }
  }

  /// Takes the next reply; nil until one is complete. Throws as `nextCall` does.
  public mutating func nextReply() throws(VarlinkMessageError) -> VarlinkReply? {
    guard let message = try nextRange() else { return nil }
    do throws(VarlinkMessageError) {
      return try VarlinkReply(bytes.span.extracting(message))
    } catch {
      throw fail(error)
    }
  }

  /// Whether a message is complete, so that the next one can be taken without waiting.
  public mutating func hasMessage() -> Bool {
    scan()
    return fault == nil && scanned < bytes.count
  }

  private mutating func nextRange() throws(VarlinkMessageError) -> Range<Int>? {
    if let fault { throw fault }
    scan()
    guard scanned - start <= VarlinkLimits.messageBytes else {
      throw fail(
        VarlinkMessageError("a message is longer than \(VarlinkLimits.messageBytes) bytes"))
    }
    guard scanned < bytes.count else { return nil }
    let message = start..<scanned
    start = scanned + 1
    scanned = start
    return message
  }

  private mutating func scan() {
    scanned = bytes.span.firstZero(from: scanned)
  }

  private mutating func fail(_ error: VarlinkMessageError) -> VarlinkMessageError {
    fault = error
    bytes = []
    (start, scanned) = (0, 0)
    return error
  }

  /// Drops what is taken: at no cost where that is all, and else before it outweighs the rest.
  private mutating func reclaim() {
    if start == bytes.count {
      bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 16)
    } else if start > 1 << 12, start > bytes.count - start {
      bytes.removeSubrange(..<start)
    } else {
      return
    }
    scanned -= start
    start = 0
  }
}

extension Span<UInt8> {
  /// The index of the first 0 from `start` on, `count` if there is none. Eight bytes at a time.
  func firstZero(from start: Int) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    var i = start
    while i &+ 8 <= count {
      let word = UInt64(
        littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: i, as: UInt64.self))
      let hit = (word &- ones) & ~word & (ones << 7)
      if hit != 0 { return i &+ hit.trailingZeroBitCount / 8 }
      i &+= 8
    }
    while i < count, self[i] != 0 { i &+= 1 }
    return i
  }
}
