internal import Following
internal import Glibc
internal import Synchronization

/// Which daemon a program's activities live in, and under which name the program goes there.
///
/// A program says nothing, as a rule: the socket is what `$LASCHED_SOCKET` says, else the system
/// service's if it is there, else the user service's; the application is `$LASCHED_APPLICATION`, else
/// the name of the program's file.
public struct LiveActivityDaemon: Hashable, Sendable {
  /// The path of the daemon's socket.
  public var socket: String
  /// The application: a desktop file's ID or a reverse-DNS name. `Activity.activities` holds this
  /// application's only.
  public var application: String

  /// A daemon by its socket; what is left out is found as described above.
  public init(socket: String? = nil, application: String? = nil) {
    self.socket = socket.map(SocketPath.plain) ?? LiveActivityDaemon.foundSocket
    self.application = application ?? LiveActivityDaemon.foundApplication
  }

  /// The daemon of the code that runs in this task, where another than the program's is wanted, as in
  /// tests that run side by side: `LiveActivityDaemon.$local.withValue(daemon) { … }`.
  @TaskLocal public static var local: LiveActivityDaemon?

  /// The program's daemon. Set it before the first activity.
  public static var standard: LiveActivityDaemon {
    get { chosen.withLock { $0 } ?? LiveActivityDaemon() }
    set { chosen.withLock { $0 = newValue } }
  }

  private static let chosen = Mutex<LiveActivityDaemon?>(nil)

  static var effective: LiveActivityDaemon { local ?? standard }

  private static var foundSocket: String {
    if let path = SocketPath.environment { return path }
    return SocketPath.exists(SocketPath.system) ? SocketPath.system : SocketPath.user
  }

  private static var foundApplication: String {
    if let name = unsafe getenv("LASCHED_APPLICATION") {
      let text = unsafe String(cString: name)
      if !text.isEmpty { return text }
    }
    return programName
  }

  /// The name of the program's file (proc(5)).
  private static let programName: String = {
    guard let path = unsafe realpath("/proc/self/exe", nil) else { return "unknown" }
    defer { unsafe free(path) }
    let text = unsafe String(cString: path)
    return text.split(separator: "/").last.map(String.init) ?? "unknown"
  }()
}
