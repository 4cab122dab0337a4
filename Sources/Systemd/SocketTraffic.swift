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
  /// Reads into the front of `buffer`; recv(2). Waits only if asked to.
  ///
  /// `ECONNRESET`: the peer closed with unread data. `EINVAL`: the buffer has no room.
  public borrowing func receive(
    into buffer: inout MutableSpan<UInt8>, waiting: Bool = false
  ) throws(SystemError) -> ReceiveOutcome {
    let number = number
    return try unsafe buffer.withUnsafeMutableBytes { bytes throws(SystemError) in
      try unsafe receiveBytes(number, bytes, waiting)
    }
  }

  /// Reads over the elements of `buffer` from `start` on; otherwise as above.
  public borrowing func receive(
    into buffer: inout [UInt8], from start: Int = 0, waiting: Bool = false
  ) throws(SystemError) -> ReceiveOutcome {
    let number = number
    return try unsafe buffer.withUnsafeMutableBufferPointer { elements throws(SystemError) in
      let room = unsafe UnsafeMutableRawBufferPointer(elements).dropFirst(max(0, start))
      return try unsafe receiveBytes(number, UnsafeMutableRawBufferPointer(rebasing: room), waiting)
    }
  }

  /// Writes from the front of `bytes`; send(2). Waits only if asked to; never raises SIGPIPE.
  ///
  /// `EPIPE`, `ECONNRESET`: the peer is gone.
  public borrowing func send(
    _ bytes: Span<UInt8>, waiting: Bool = false
  ) throws(SystemError) -> SendOutcome {
    let number = number
    return try unsafe bytes.withUnsafeBytes { bytes throws(SystemError) in
      try unsafe sendBytes(number, bytes, waiting)
    }
  }

  /// Writes the elements of `bytes` from `start` on; otherwise as above.
  public borrowing func send(
    _ bytes: [UInt8], from start: Int = 0, waiting: Bool = false
  ) throws(SystemError) -> SendOutcome {
    try send(bytes.span.extracting(droppingFirst: max(0, start)), waiting: waiting)
  }

  /// Sends no more; the peer reads `closed` after what was sent. shutdown(2)
  public borrowing func shutDownSending() throws(SystemError) {
    let number = number
    _ = try checked("shutdown") { shutdown(number, Int32(SHUT_WR)) }
  }
}

private func receiveBytes(
  _ number: Int32, _ room: UnsafeMutableRawBufferPointer, _ waiting: Bool
) throws(SystemError) -> ReceiveOutcome {
  // Nothing read would look like the end of the stream.
  if unsafe room.isEmpty { throw SystemError("recv", EINVAL) }
  let flags = Int32(waiting ? 0 : MSG_DONTWAIT)
  do throws(SystemError) {
    let count = try checked("recv") {
      unsafe recv(number, room.baseAddress, room.count, flags)
    }
    return count == 0 ? .closed : .bytes(count)
  } catch {
    if error.number == EAGAIN { return .wouldBlock }
    throw error
  }
}

private func sendBytes(
  _ number: Int32, _ bytes: UnsafeRawBufferPointer, _ waiting: Bool
) throws(SystemError) -> SendOutcome {
  let flags = Int32(MSG_NOSIGNAL | (waiting ? 0 : MSG_DONTWAIT))
  do throws(SystemError) {
    return .sent(
      try checked("send") { unsafe send(number, bytes.baseAddress, bytes.count, flags) })
  } catch {
    if error.number == EAGAIN { return .wouldBlock }
    throw error
  }
}
