public import JSON

/// A client's connection to a service: calls go out, replies come back in their order.
///
/// It blocks, is used from one thread, and closes with its last reference.
public final class VarlinkConnection {
  private let socket: StreamSocket
  private var inbox = VarlinkInbox()
  private var outbox = VarlinkOutbox()

  /// Connects to a socket in the file system. Throws `absent`, `refused` or `notPermitted` where
  /// there is none, nobody listens, or this user may not.
  public init(connectingTo path: String) throws(VarlinkError) {
    socket = try StreamSocket(connectingTo: path)
  }

  /// Takes over a connected stream socket, and closes it in the end.
  public init(adopting descriptor: Int32) { socket = StreamSocket(adopting: descriptor) }

  /// The socket, for poll(2): readable where `receive(milliseconds: 0)` may have a reply. Check
  /// that first, as what has come may be kept here already.
  public var fileDescriptor: Int32 { socket.descriptor }

  /// Writes a call to memory only; `flush` sends it. `parameters` writes the members.
  public func enqueue(
    _ method: String, oneway: Bool = false, more: Bool = false,
    _ parameters: (inout JSONWriter) -> Void = { _ in }
  ) throws(VarlinkError) {
    let start = outbox.writer.bytes.count
    outbox.writer.varlinkCall(method, oneway: oneway, more: more, parameters)
    let size = outbox.writer.bytes.count - start - 1
    guard size <= VarlinkLimits.messageBytes else {
      outbox.writer.truncate(to: start)
      throw VarlinkError(
        .message, "the call has \(size) bytes; at most \(VarlinkLimits.messageBytes) are taken")
    }
  }

  /// Sends all that is enqueued. What comes meanwhile is kept, so that two full buffers never wait
  /// for each other.
  public func flush() throws(VarlinkError) {
    while true {
      try outbox.flush { (bytes) throws(VarlinkError) in try socket.send(bytes) }
      guard outbox.waiting > 0 else { return }
      _ = try socket.wait(orWritable: true, until: nil)
      _ = try socket.receive(into: &inbox)
    }
  }

  /// Sends a call and does not wait for its reply, which `receive` gives (none where `oneway`).
  public func send(
    _ method: String, oneway: Bool = false, more: Bool = false,
    _ parameters: (inout JSONWriter) -> Void = { _ in }
  ) throws(VarlinkError) {
    try enqueue(method, oneway: oneway, more: more, parameters)
    try flush()
  }

  /// The next reply, or nil if none comes within that many milliseconds; without end for nil.
  public func receive(milliseconds: Int?) throws(VarlinkError) -> VarlinkReply? {
    let deadline = milliseconds.map(StreamSocket.deadline(after:))
    while true {
      do throws(VarlinkMessageError) {
        if let reply = try inbox.nextReply() { return reply }
      } catch {
        throw VarlinkError(.message, "what the service sent is no reply: \(error)")
      }
      if try socket.receive(into: &inbox) { continue }
      guard try socket.wait(orWritable: false, until: deadline) else { return nil }
    }
  }

  /// The next reply.
  public func receive() throws(VarlinkError) -> VarlinkReply {
    while true {
      if let reply = try receive(milliseconds: nil) { return reply }
    }
  }

  /// Calls a method and gives its reply, which may be an error of the service's.
  public func call(
    _ method: String, _ parameters: (inout JSONWriter) -> Void = { _ in }
  ) throws(VarlinkError) -> VarlinkReply {
    try send(method, parameters)
    return try receive()
  }

  /// Calls a method with `more` and gives its replies one by one.
  public func replies(
    _ method: String, _ parameters: (inout JSONWriter) -> Void = { _ in }
  ) throws(VarlinkError) -> VarlinkReplies {
    try send(method, more: true, parameters)
    return VarlinkReplies(connection: self)
  }
}

/// The replies to one call with `more`, in order.
public struct VarlinkReplies {
  private let connection: VarlinkConnection
  private var isDone = false

  init(connection: VarlinkConnection) { self.connection = connection }

  /// Waits for the next reply; nil after the last one.
  public mutating func next() throws(VarlinkError) -> VarlinkReply? {
    guard !isDone else { return nil }
    let reply = try connection.receive()
    isDone = !reply.continues
    return reply
  }
}
