import Following

/// Which daemon's socket is used, and why.
struct SocketChoice: Sendable {
  enum Origin: Sendable {
    case option, environment, system, user
  }

  let path: String
  let origin: Origin

  /// The option, then `$LASCHED_SOCKET`, then the system's if it is there, then the user's.
  init(_ invocation: Invocation) throws(Failure) {
    try invocation.exclude(.socket, .user, .system)
    if let path = invocation.value(.socket) {
      guard !path.isEmpty else { throw .usage("--socket is empty; it needs a path") }
      self.init(SocketPath.plain(path), .option)
    } else if invocation.has(.system) {
      self.init(SocketPath.system, .system)
    } else if invocation.has(.user) {
      self.init(SocketPath.user, .user)
    } else if let path = SocketPath.environment {
      self.init(path, .environment)
    } else if SocketPath.exists(SocketPath.system) {
      self.init(SocketPath.system, .system)
    } else {
      self.init(SocketPath.user, .user)
    }
  }

  /// Whom a watcher follows where nobody chooses: the system's daemon and the user's, as far as
  /// they are there.
  static func all(_ invocation: Invocation) throws(Failure) -> [SocketChoice] {
    let one = try SocketChoice(invocation)
    guard !invocation.has(.system), one.origin == .system,
      SocketPath.exists(SocketPath.user)
    else { return [one] }
    return [one, SocketChoice(SocketPath.user, .user)]
  }

  /// Whom one follows that waits for what is not there yet: as `all`, there or not.
  static func both(_ invocation: Invocation) throws(Failure) -> [SocketChoice] {
    let one = try SocketChoice(invocation)
    guard !invocation.has(.system), !invocation.has(.user), one.origin != .option,
      one.origin != .environment
    else { return [one] }
    return [
      SocketChoice(SocketPath.system, .system), SocketChoice(SocketPath.user, .user),
    ]
  }

  /// Which one it is, where there are two.
  var name: String { origin == .user ? "user" : "system" }

  init(_ path: String, _ origin: Origin) {
    self.path = path
    self.origin = origin
  }

  /// What a person can do where nobody answers.
  var remedy: String {
    switch origin {
    case .option: "is the path right, and the daemon running?"
    case .environment: "that is what $LASCHED_SOCKET says"
    case .system: "start it with 'systemctl start lasched', or try 'laschedctl demo'"
    case .user:
      "start a daemon with 'systemctl start lasched' or 'systemctl --user start lasched', "
        + "or try 'laschedctl demo'"
    }
  }
}
