public import JSON

/// Messages on their way to a peer.
public struct VarlinkOutbox: Sendable {
  /// Where messages are written to, each with its NUL.
  public var writer = JSONWriter()
  private var sent = 0

  /// Empty.
  public init() {}

  /// Bytes that are not sent yet.
  public var waiting: Int { writer.bytes.count - sent }

  /// Offers what waits to `send`, which answers how many bytes it took.
  public mutating func flush<E: Error>(_ send: (Span<UInt8>) throws(E) -> Int) throws(E) {
    guard waiting > 0 else { return }
    let taken = try send(writer.bytes.span.extracting(sent...))
    sent += max(0, min(taken, waiting))
    // All gone at no cost, or half of it: each byte is moved at most once.
    if waiting == 0 || (sent > 1 << 16 && sent > waiting) {
      writer.discard(first: sent)
      sent = 0
    }
  }
}
