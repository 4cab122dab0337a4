internal import JSON
internal import LiveActivity
internal import Systemd
internal import Varlink

/// One caller's stream: what has come in, what waits to go out, and what it is busy with.
final class Connection {
  /// Bytes waiting to go out, past which no more calls of this caller are carried out.
  static let busyBytes = 256 << 10
  /// How long after its last word a caller is expected to have another, in microseconds.
  static let pause: Int64 = 100_000
  /// Bytes waiting to go out, past which a watcher that does not read is given up.
  static let lostBytes = 1 << 20

  let number: Int
  let peer: Peer
  private let descriptor: FileDescriptor
  /// When it came or was last heard, on CLOCK_MONOTONIC.
  private var lastHeard = SystemClock.monotonic
  var source: EventSource?

  var inbox = VarlinkInbox()
  var outbox = VarlinkOutbox()

  /// The peer will send nothing more; what it sent is still answered.
  var hasEnded = false
  /// Nothing more can be read or written.
  private(set) var isClosed = false
  /// Whether it stands in the service's list of those with calls to carry out.
  var isReady = false
  /// A call that is not answered yet: later ones of this caller wait.
  var isBusy = false
  /// Watching fills a connection for good.
  var watcher: Watcher?
  /// A reply that comes in several parts.
  var stream: (any ReplyStream)?
  /// Sessions that end with this connection, by slot and first event.
  var bound: [(slot: UInt32, first: Int64)] = []

  /// Of the current batch: where its replies begin, how many calls want one, and how many sessions
  /// were bound before it.
  private var batchMark: Int?
  private var boundMark = 0
  private var batchReplies = 0

  init(number: Int, peer: Peer, descriptor: consuming FileDescriptor) {
    self.number = number
    self.peer = peer
    self.descriptor = descriptor
  }

  var descriptorNumber: Int32 { descriptor.number }

  /// Whether it came or asked only just now, and may be about to ask.
  func isTalking(at monotonic: Int64) -> Bool {
    watcher == nil && !hasEnded && monotonic - lastHeard < Self.pause
  }

  // MARK: Reading

  /// Takes in what the peer has sent, up to what is worth keeping; returns whether there may be a
  /// call to carry out.
  func receive(into buffer: inout [UInt8]) -> Bool {
    var total = 0
    while !isClosed, !hasEnded, total < Self.busyBytes {
      do throws(SystemError) {
        var span = buffer.mutableSpan
        switch try descriptor.receive(into: &span) {
        case .bytes(let count):
          lastHeard = SystemClock.monotonic
          // Nobody reads what comes after Monitor: it fills a connection for good.
          if watcher == nil { inbox.append(buffer.span.extracting(0..<count)) }
          total += count
          if count < buffer.count { return true }
        case .closed: hasEnded = true
        case .wouldBlock: return total > 0
        }
      } catch {
        close()
      }
    }
    return total > 0 || hasEnded
  }

  /// Whether reading on makes sense: the peer's calls are carried out as fast as they come. Of a
  /// long one all is read, up to where it is too long.
  var wantsInput: Bool {
    guard !isClosed, !hasEnded, outbox.waiting <= Self.busyBytes else { return false }
    if inbox.count <= Self.busyBytes { return true }
    return inbox.count <= VarlinkLimits.messageBytes && !inbox.hasMessage()
  }

  /// Whether the next call may be carried out now.
  var canCall: Bool {
    !isClosed && !isBusy && watcher == nil && stream == nil && outbox.waiting <= Self.busyBytes
  }

  // MARK: Writing

  /// Sends what waits, as far as the peer takes it.
  func flush() {
    guard !isClosed else { return }
    do throws(SystemError) {
      try outbox.flush { bytes throws(SystemError) in
        switch try descriptor.send(bytes) {
        case .sent(let count): return count
        case .wouldBlock: return 0
        }
      }
    } catch {
      close()
      return
    }
    if watcher != nil, outbox.waiting > Self.lostBytes { close() }
  }

  /// What the event loop is to wait for.
  var events: DescriptorEvents {
    var events: DescriptorEvents = []
    if wantsInput { events.insert(.readable) }
    if outbox.waiting > 0 { events.insert(.writable) }
    return events
  }

  func close() {
    isClosed = true
    source?.remove()
    source = nil
    stream = nil
    watcher = nil
  }

  // MARK: Batches

  /// A call of the current batch is carried out; its reply, if it wants one, comes after `mark`.
  func beginsCall(wantsReply: Bool) {
    if batchMark == nil {
      batchMark = outbox.writer.bytes.count
      boundMark = bound.count
    }
    if wantsReply { batchReplies += 1 }
  }

  /// The call that has just begun is answered with a later batch.
  func endsCallLater(wantsReply: Bool) {
    if wantsReply { batchReplies -= 1 }
  }

  /// The batch is durable.
  func keepBatch() {
    batchMark = nil
    batchReplies = 0
  }

  /// The batch did not become durable: every caller in it hears that instead.
  func refuseBatch(_ error: (inout JSONWriter) -> Void) {
    guard let mark = batchMark else { return }
    outbox.writer.truncate(to: mark)
    for _ in 0..<batchReplies { error(&outbox.writer) }
    // Their numbers may name others from now on.
    bound.removeLast(max(0, bound.count - boundMark))
    stream = nil
    watcher = nil
    keepBatch()
  }
}

/// A reply in several parts, written as fast as the caller reads.
protocol ReplyStream: AnyObject {
  /// Writes some more; returns whether that was all.
  func write(to connection: Connection) throws -> Bool
}
