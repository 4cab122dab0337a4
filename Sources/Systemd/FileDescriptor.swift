internal import Glibc

/// An open file descriptor with one owner, closed when the owner lets it go.
public struct FileDescriptor: ~Copyable, Sendable {
  /// The descriptor's number; valid as long as this value lives.
  public let number: Int32

  /// Takes over a descriptor that nobody else closes.
  public init(owning number: Int32) { self.number = number }

  deinit {
    // Linux closes even when it answers EINTR: never twice.
    close(number)
  }

  /// Gives the descriptor to somebody else to close.
  public consuming func release() -> Int32 {
    let number = number
    discard self
    return number
  }
}
