internal import CSystemd
internal import Glibc

/// AF_UNIX stream sockets with a name in the file system; unix(7). All are close-on-exec.
public enum UnixSocket {
  /// The longest path a socket can have: 107 bytes.
  public static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  /// Binds `path` with exactly `mode`, whatever the umask, and listens without blocking.
  ///
  /// A socket that nobody listens on is replaced. `EADDRINUSE`: somebody does. `ENOTSOCK`: `path`
  /// is something else. `ENAMETOOLONG`: the path has more than `longestPath` bytes.
  public static func listen(
    at path: String, mode: UInt32, backlog: Int32 = 4096
  ) throws(SystemError) -> FileDescriptor {
    let socket = try make(blocking: false)
    // Bound with this mode less the umask, so at no moment with more than is asked.
    _ = try checked("fchmod", path) { fchmod(socket.number, mode) }
    do throws(SystemError) {
      try bind(socket, path)
    } catch {
      guard error.number == EADDRINUSE else { throw error }
      try removeStale(path)
      try bind(socket, path)
    }
    _ = try checked("chmod", path) { unsafe chmod(path, mode) }
    _ = try checked("listen", path) { Glibc.listen(socket.number, backlog) }
    return socket
  }

  /// Connects to `path`. `EAGAIN` without `blocking`: the listener's queue is full.
  ///
  /// The socket itself does not block later either, unless `blocking`.
  public static func connect(
    to path: String, blocking: Bool = false
  ) throws(SystemError) -> FileDescriptor {
    let socket = try make(blocking: blocking)
    try unsafe withAddress(path) { address, length throws(SystemError) in
      _ = try checked("connect", path) { unsafe Glibc.connect(socket.number, address, length) }
    }
    return socket
  }

  /// Takes the next waiting connection, non-blocking; nil if none waits.
  ///
  /// `EMFILE`, `ENFILE`, `ENOBUFS`, `ENOMEM`: it keeps waiting, so the listener stays readable.
  public static func accept(from listener: Int32) throws(SystemError) -> FileDescriptor? {
    let flags = Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    while true {
      do throws(SystemError) {
        let number = try checked("accept4") { accept4(listener, nil, nil, flags) }
        return FileDescriptor(owning: number)
      } catch {
        if error.number == EAGAIN { return nil }
        // The caller hung up while it waited: the next one.
        if error.number != ECONNABORTED { throw error }
      }
    }
  }

  private static func make(blocking: Bool) throws(SystemError) -> FileDescriptor {
    let nonBlocking = blocking ? 0 : SOCK_NONBLOCK.rawValue
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | nonBlocking)
    return FileDescriptor(owning: try checked("socket") { socket(AF_UNIX, kind, 0) })
  }

  private static func bind(_ socket: borrowing FileDescriptor, _ path: String) throws(SystemError) {
    let number = socket.number
    try unsafe withAddress(path) { address, length throws(SystemError) in
      _ = try checked("bind", path) { unsafe Glibc.bind(number, address, length) }
    }
  }

  /// Removes what a daemon that died left at `path`.
  private static func removeStale(_ path: String) throws(SystemError) {
    guard try FileKind.of(path, followingLinks: false) == .socket else {
      throw SystemError("bind", ENOTSOCK, path)
    }
    do throws(SystemError) {
      _ = try connect(to: path)
      throw SystemError("bind", EADDRINUSE, path)
    } catch {
      // A full queue has a listener behind it too.
      if error.number == EAGAIN { throw SystemError("bind", EADDRINUSE, path) }
      guard error.number == ECONNREFUSED || error.number == ENOENT else { throw error }
    }
    try Files.remove(path)
  }

  private static func withAddress(
    _ path: String,
    _ body: (UnsafePointer<sockaddr>, socklen_t) throws(SystemError) -> Void
  ) throws(SystemError) {
    let bytes = Array(path.utf8)
    // An empty or zero-led name would be another kind of address.
    if bytes.isEmpty || bytes.contains(0) { throw SystemError("socket", EINVAL, path) }
    if bytes.count > longestPath { throw SystemError("socket", ENAMETOOLONG, path) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    try unsafe withUnsafePointer(to: &address) { pointer throws(SystemError) in
      try unsafe body(
        UnsafeRawPointer(pointer).assumingMemoryBound(to: sockaddr.self), length)
    }
  }
}
