import Following
import Glibc

/// Why the program ends.
struct WallFailure: Error {
  let message: String
  let code: Int32
}

/// Ends the program.
func exitNow(_ code: Int32) -> Never { exit(code) }

/// The command line.
struct WallOptions {
  /// Where the daemon is.
  private(set) var socket = SocketPath.environment ?? SocketPath.system
  /// The one file of configuration, if one was named.
  private(set) var configuration: String?
  /// A terminal of the caller's own, instead of those of everybody who is logged in.
  private(set) var terminal: String?
  /// Whether only the exit status is wanted: 0 if anything is to be shown, 1 if not.
  private(set) var isCheck = false
  /// What --help and --version print.
  private(set) var textAlone: String?

  static let usage = """
    Usage: lasched-wall [--socket=PATH] [--config=FILE] [--terminal=PATH] [--check]

    Shows alerts on the terminals of those who are logged in, as [Terminals] Show= in lasched.conf says.

      --socket=PATH    the daemon's socket
      --config=FILE    read this file alone, not lasched.conf and its drop-ins
      --terminal=PATH  show the caller's alerts on this terminal only, whatever Show= says
      --check          do nothing; exit with 0 if alerts are to be shown, else with 1
      --version        print the version
      --help           print this
    """

  init(_ arguments: [String]) throws(WallFailure) {
    for argument in arguments {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = parts.count > 1 ? String(parts[1]) : nil
      switch (String(parts[0]), value) {
      case ("--socket", let path?) where !path.isEmpty: socket = SocketPath.plain(path)
      case ("--config", let path?) where !path.isEmpty: configuration = path
      case ("--terminal", let path?) where path.hasPrefix("/dev/"): terminal = path
      case ("--check", nil): isCheck = true
      case ("--version", nil): textAlone = "lasched-wall 0.1.0"
      case ("--help", nil), ("-h", nil): textAlone = WallOptions.usage
      case ("--terminal", _):
        throw WallFailure(
          message: "\(argument): the path of a terminal would be right, such as /dev/pts/3",
          code: 64)
      case ("--socket", _), ("--config", _):
        throw WallFailure(message: "\(argument): a path is missing", code: 64)
      default:
        throw WallFailure(
          message: "\(argument) is no option of lasched-wall; --help lists them", code: 64)
      }
    }
  }
}
