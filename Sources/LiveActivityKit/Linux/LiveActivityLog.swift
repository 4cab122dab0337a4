internal import Glibc
internal import Synchronization

/// What ActivityKit swallows is told here: an update that the daemon refused, a session whose
/// attributes do not decode. One line each, to stderr unless the program takes it.
public enum LiveActivityLog {
  /// Takes the lines; nil for stderr.
  public static var handler: (@Sendable (String) -> Void)? {
    get { chosen.withLock { $0 } }
    set { chosen.withLock { $0 = newValue } }
  }

  private static let chosen = Mutex<(@Sendable (String) -> Void)?>(nil)

  static func write(_ line: String) {
    if let handler { return handler(line) }
    let text = Array("LiveActivityKit: \(line)\n".utf8)
    _ = unsafe text.withUnsafeBytes { unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
