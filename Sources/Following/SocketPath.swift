internal import Glibc

/// Where the daemon's socket is: the system service's, and that of a person's own service.
public enum SocketPath {
  /// The system service's.
  public static let system = "/run/lasched/io.lasched.LiveActivities"

  /// The user service's, below `$XDG_RUNTIME_DIR`, or where systemd has that (pam_systemd(8)).
  public static var user: String {
    let directory = setting("XDG_RUNTIME_DIR") ?? "/run/user/\(getuid())"
    return directory + "/lasched/io.lasched.LiveActivities"
  }

  /// What `$LASCHED_SOCKET` says, if it says anything.
  public static var environment: String? { setting("LASCHED_SOCKET").map(plain) }

  /// A path as it is written for a person; varlinkctl's spelling `unix:PATH` is understood too.
  public static func plain(_ path: String) -> String {
    path.hasPrefix("unix:") ? String(path.dropFirst(5)) : path
  }

  /// Whether something is there.
  public static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }
}

/// A variable of the environment (environ(7)); nil if it is not set or empty.
private func setting(_ name: String) -> String? {
  guard let value = unsafe getenv(name) else { return nil }
  let text = unsafe String(cString: value)
  return text.isEmpty ? nil : text
}
