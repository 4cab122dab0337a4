import Glibc

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
      self.init(SocketChoice.plain(path), .option)
    } else if invocation.has(.system) {
      self.init(SocketChoice.systemPath, .system)
    } else if invocation.has(.user) {
      self.init(SocketChoice.userPath, .user)
    } else if let path = setting("LASCHED_SOCKET") {
      self.init(SocketChoice.plain(path), .environment)
    } else if unsafe access(SocketChoice.systemPath, F_OK) == 0 {
      self.init(SocketChoice.systemPath, .system)
    } else {
      self.init(SocketChoice.userPath, .user)
    }
  }

  /// Whom a watcher follows where nobody chooses: the system's daemon and the user's, as far as
  /// they are there.
  static func all(_ invocation: Invocation) throws(Failure) -> [SocketChoice] {
    let one = try SocketChoice(invocation)
    guard !invocation.has(.system), one.origin == .system,
      unsafe access(userPath, F_OK) == 0
    else { return [one] }
    return [one, SocketChoice(userPath, .user)]
  }

  /// Which one it is, where there are two.
  var name: String { origin == .user ? "user" : "system" }

  init(_ path: String, _ origin: Origin) {
    self.path = path
    self.origin = origin
  }

  static let systemPath = "/run/lasched/io.lasched.LiveActivities"

  /// The user service's, below `$XDG_RUNTIME_DIR`, or where systemd has that.
  static var userPath: String {
    let directory = setting("XDG_RUNTIME_DIR") ?? "/run/user/\(getuid())"
    return directory + "/lasched/io.lasched.LiveActivities"
  }

  /// varlinkctl's spelling is understood too.
  private static func plain(_ path: String) -> String {
    path.hasPrefix("unix:") ? String(path.dropFirst(5)) : path
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
