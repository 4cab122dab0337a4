internal import CSystemd
internal import Glibc

/// A descriptor that the service manager opened for us; sd_listen_fds_with_names(3).
public struct PassedDescriptor: Hashable, Sendable {
  /// The descriptor; close-on-exec is set. Whoever takes it owns it.
  public let number: Int32
  /// `FileDescriptorName=` of the socket unit, else the unit's name or `unknown`.
  public let name: String

  /// Takes all that were passed, once: the environment variables are removed, so that no child
  /// process believes them. Call before other threads read the environment.
  public static func takeAll() throws(SystemError) -> [PassedDescriptor] {
    var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = try unsafe checkedResult(
      "sd_listen_fds", sd_listen_fds_with_names(1, &names))
    defer { unsafe free(names) }
    var passed: [PassedDescriptor] = []
    for index in 0..<Int(count) {
      var name = "unknown"
      if let text = unsafe names?[index] {
        unsafe name = String(cString: text)
        unsafe free(text)
      }
      passed.append(PassedDescriptor(number: 3 + Int32(index), name: name))
    }
    return passed
  }

  /// Whether it is a listening AF_UNIX stream socket; sd_is_socket_unix(3).
  public var isUnixListener: Bool {
    sd_is_socket_unix(number, Int32(SOCK_STREAM.rawValue), 1, nil, 0) > 0
  }

  /// Makes accepting from it not wait, as `UnixSocket.accept` needs.
  public func setNonBlocking() throws(SystemError) {
    let flags = try checked("fcntl", name) { fcntl(number, F_GETFL) }
    _ = try checked("fcntl", name) { fcntl(number, F_SETFL, flags | O_NONBLOCK) }
  }
}
