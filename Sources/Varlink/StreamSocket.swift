import Glibc

/// A connected stream socket: the one place that makes system calls here and knows EINTR.
///
/// It closes its descriptor when it goes away.
final class StreamSocket {
  let descriptor: Int32

  init(adopting descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Connects to a socket in the file system (unix(7)).
  init(connectingTo path: String) throws(VarlinkError) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let capacity = MemoryLayout.size(ofValue: address.sun_path)
    guard !bytes.isEmpty, bytes.count < capacity, !bytes.contains(0) else {
      throw VarlinkError(
        .badPath, "the socket's path has \(bytes.count) bytes; 1 to \(capacity - 1) would be right")
    }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
    guard descriptor >= 0 else { throw StreamSocket.failure("socket", errno) }
    self.descriptor = descriptor
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = retryingOnInterrupt {
      unsafe withUnsafePointer(to: &address) { address in
        unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe connect(descriptor, $0, size)
        }
      }
    }
    guard result < 0 else { return }
    switch errno {
    // An interrupted connect goes on by itself; a second one finds it done.
    case EISCONN: return
    case ENOENT, ENOTDIR:
      throw VarlinkError(.absent, errno: errno, "there is no socket at \(path)")
    case ECONNREFUSED:
      throw VarlinkError(.refused, errno: errno, "nobody listens at \(path)")
    case EACCES, EPERM:
      throw VarlinkError(.notPermitted, errno: errno, "this user may not use \(path)")
    case let number: throw StreamSocket.failure("connect to \(path)", number)
    }
  }

  /// Sends what the socket takes without waiting; 0 if nothing. Never raises SIGPIPE.
  func send(_ bytes: Span<UInt8>) throws(VarlinkError) -> Int {
    let count = unsafe bytes.withUnsafeBufferPointer { bytes in
      retryingOnInterrupt {
        unsafe Glibc.send(
          descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
      }
    }
    if count >= 0 { return count }
    switch errno {
    case EAGAIN: return 0
    case EPIPE, ECONNRESET: throw StreamSocket.closed
    case let number: throw StreamSocket.failure("send", number)
    }
  }

  /// Adds what has come to `inbox`, without waiting. Returns whether anything had.
  func receive(into inbox: inout VarlinkInbox) throws(VarlinkError) -> Bool {
    let size = 1 << 16
    let result = unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { buffer in
      let count = retryingOnInterrupt {
        unsafe recv(descriptor, buffer.baseAddress, size, Int32(MSG_DONTWAIT))
      }
      let number = errno
      if count > 0 {
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: buffer.prefix(count))
          .assumingMemoryBound(to: UInt8.self)
        inbox.append(unsafe bytes.span)
      }
      return (count, number)
    }
    if result.0 > 0 { return true }
    if result.0 == 0 { throw StreamSocket.closed }
    switch result.1 {
    case EAGAIN: return false
    case ECONNRESET: throw StreamSocket.closed
    case let number: throw StreamSocket.failure("receive", number)
    }
  }

  /// Waits until the socket can be read from (or written to, if asked for), or until that many
  /// milliseconds on CLOCK_MONOTONIC; without end for nil. Returns whether it can.
  func wait(orWritable: Bool, until deadline: Int?) throws(VarlinkError) -> Bool {
    var entry = pollfd(
      fd: descriptor, events: Int16(orWritable ? POLLIN | POLLOUT : POLLIN), revents: 0)
    while true {
      let left = deadline.map { max(0, min($0 - StreamSocket.milliseconds(), Int(Int32.max))) }
      let count = unsafe poll(&entry, 1, Int32(left ?? -1))
      if count > 0 { return true }
      if count == 0 {
        if let deadline, StreamSocket.milliseconds() < deadline { continue }
        return false
      }
      guard errno == EINTR else { throw StreamSocket.failure("poll", errno) }
    }
  }

  /// CLOCK_MONOTONIC that many milliseconds from now.
  static func deadline(after span: Int) -> Int {
    let (sum, overflow) = milliseconds().addingReportingOverflow(max(0, span))
    return overflow ? .max : sum
  }

  private static func milliseconds() -> Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }

  static var closed: VarlinkError { VarlinkError(.closed, "the service closed the connection") }

  static func failure(_ call: String, _ number: Int32) -> VarlinkError {
    let text = unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
    return VarlinkError(.system, errno: number, "\(call): \(text)")
  }
}

/// Calls again as long as a signal interrupts it (signal(7)).
private func retryingOnInterrupt<Value: SignedInteger>(_ call: () -> Value) -> Value {
  while true {
    let value = call()
    if value != -1 || errno != EINTR { return value }
  }
}
