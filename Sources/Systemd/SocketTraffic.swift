internal import Glibc

/// What came of reading from a socket.
public enum ReceiveOutcome: Hashable, Sendable {
  /// So many bytes, at least one.
  case bytes(Int)
  /// The peer will send nothing more.
  case closed
  /// Nothing is there yet.
  case wouldBlock
}

/// What came of writing to a socket.
public enum SendOutcome: Hashable, Sendable {
  /// So many bytes were taken, perhaps not all.
  case sent(Int)
  /// No room now.
  case wouldBlock
}

extension FileDescriptor {
  /// Reads into the front of `buffer`, which is not empty; recv(2). Waits only if asked to.
  ///
  /// `ECONNRESET`: the peer closed with unread data.
  public borrowing func receive(
    into buffer: inout MutableSpan<UInt8>, waiting: Bool = false
  ) throws(SystemError) -> ReceiveOutcome {
    let flags = Int32(waiting ? 0 : MSG_DONTWAIT)
    let number = number
    do throws(SystemError) {
      let count = try unsafe buffer.withUnsafeMutableBytes { bytes throws(SystemError) in
        try checked("recv") { unsafe recv(number, bytes.baseAddress, bytes.count, flags) }
      }
      return count == 0 ? .closed : .bytes(count)
    } catch {
      if error.number == EAGAIN { return .wouldBlock }
      throw error
    }
  }

  /// Writes from the front of `bytes`; send(2). Waits only if asked to; never raises SIGPIPE.
  ///
  /// `EPIPE`, `ECONNRESET`: the peer is gone.
  public borrowing func send(
    _ bytes: Span<UInt8>, waiting: Bool = false
  ) throws(SystemError) -> SendOutcome {
    let flags = Int32(MSG_NOSIGNAL | (waiting ? 0 : MSG_DONTWAIT))
    let number = number
    do throws(SystemError) {
      let count = try unsafe bytes.withUnsafeBytes { bytes throws(SystemError) in
        try checked("send") { unsafe Glibc.send(number, bytes.baseAddress, bytes.count, flags) }
      }
      return .sent(count)
    } catch {
      if error.number == EAGAIN { return .wouldBlock }
      throw error
    }
  }

  /// Sends no more; the peer reads `closed` after what was sent. shutdown(2)
  public borrowing func shutDownSending() throws(SystemError) {
    let number = number
    _ = try checked("shutdown") { shutdown(number, Int32(SHUT_WR)) }
  }
}
