/// Why a client got no reply.
public struct VarlinkError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of a failure.
  public struct Code: Hashable, Sendable {
    enum Value: UInt8 { case absent, refused, notPermitted, badPath, closed, message, system }
    let value: Value

    /// There is no socket at the path (ENOENT, ENOTDIR).
    public static let absent = Code(value: .absent)
    /// There is a socket, and nobody listens (ECONNREFUSED).
    public static let refused = Code(value: .refused)
    /// The socket may not be used by this user (EACCES, EPERM).
    public static let notPermitted = Code(value: .notPermitted)
    /// The path does not fit into a socket's address (unix(7)).
    public static let badPath = Code(value: .badPath)
    /// The service closed the connection.
    public static let closed = Code(value: .closed)
    /// What the service sent is no reply, or what was to be sent is too long.
    public static let message = Code(value: .message)
    /// Another system call failed.
    public static let system = Code(value: .system)
  }

  /// The kind of the failure.
  public let code: Code
  /// The system's error number, where there is one (errno(3)).
  public let errno: Int32?
  /// One line for a person.
  public let description: String

  init(_ code: Code.Value, errno: Int32? = nil, _ description: String) {
    self.code = Code(value: code)
    self.errno = errno
    self.description = description
  }
}
