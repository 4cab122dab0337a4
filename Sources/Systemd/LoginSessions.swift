internal import CSystemd
internal import Glibc

/// Somebody who is logged in on a terminal.
public struct LoginSession: Hashable, Sendable {
  /// The user.
  public let userID: UInt32
  /// The terminal below /dev: `tty1`, `pts/3`.
  public let terminal: String
}

/// The sessions that systemd-logind keeps; sd-login(3).
public enum LoginSessions {
  /// Those of people on a text terminal. One that ends meanwhile is left out; where no logind has
  /// run there are none.
  public static func onTerminals() throws(SystemError) -> [LoginSession] {
    var list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = unsafe sd_get_sessions(&list)
    if count == -ENOENT || count == -ENXIO { return [] }
    _ = try checkedResult("sd_get_sessions", count)
    defer { unsafe free(list) }
    var sessions: [LoginSession] = []
    for place in 0..<Int(count) {
      guard let name = unsafe list?[place] else { break }
      defer { unsafe free(name) }
      if let session = unsafe session(name) { sessions.append(session) }
    }
    return sessions
  }

  private static func session(_ name: UnsafePointer<CChar>) -> LoginSession? {
    var user = uid_t()
    guard unsafe sd_session_get_uid(name, &user) >= 0,
      unsafe text({ unsafe sd_session_get_class(name, $0) }) == "user",
      unsafe text({ unsafe sd_session_get_type(name, $0) }) == "tty",
      unsafe text({ unsafe sd_session_get_state(name, $0) }) != "closing",
      let terminal = unsafe text({ unsafe sd_session_get_tty(name, $0) }),
      !terminal.isEmpty, !terminal.hasPrefix("/"), !terminal.split(separator: "/").contains("..")
    else { return nil }
    return LoginSession(userID: user, terminal: terminal)
  }

  private static func text(
    _ ask: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32
  ) -> String? {
    var found: UnsafeMutablePointer<CChar>?
    guard unsafe ask(&found) >= 0, let found = unsafe found else { return nil }
    defer { unsafe free(found) }
    return unsafe String(cString: found)
  }
}
