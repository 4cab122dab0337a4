import Glibc
import LiveActivity
import SchedulerService
import Systemd

/// What the command line asks for.
enum CommandLineOptions {
  /// To print a text and end.
  case tell(String)
  /// To serve.
  case run(ServiceOptions)

  static let usage = """
    lasched: the daemon of scheduled live activities, which laschedctl controls

    Usage: lasched [--system | --user] [--state-directory=DIR] [--socket=PATH] [--config=FILE] \
    [--log-level=debug|info|notice|warning|err] [--test-clock=RFC3339] [--version] [--help]

      --system                 serve all users (as root, the default)
      --user                   serve the user who starts it (otherwise the default)
      --state-directory=DIR    where activities.sqlite is kept
      --socket=PATH            where to listen, if no socket is passed
      --config=FILE            read FILE alone, not lasched.conf and its drop-ins
      --log-level=LEVEL        debug, info (the default), notice, warning or err
      --test-clock=RFC3339     let time stand still there; io.lasched.TestClock moves it
      --version                print the version
      --help                   print this
    """

  private static let names = [
    "state-directory", "socket", "config", "log-level", "test-clock",
  ]

  /// Reads the arguments; throws a usage failure that names the one that is wrong.
  static func read(_ arguments: [String]) throws(ServiceFailure) -> CommandLineOptions {
    var isUser: Bool?
    var values: [String: String] = [:]
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--help", "-h": return .tell(usage)
      case "--version": return .tell("lasched \(Service.version)")
      case "--system": isUser = false
      case "--user": isUser = true
      default:
        let (name, value) = try option(argument, &rest)
        values[name] = value
      }
    }
    return .run(try options(isUser: isUser ?? (Surroundings.userID != 0), values))
  }

  private static func option(
    _ argument: String, _ rest: inout ArraySlice<String>
  ) throws(ServiceFailure) -> (String, String) {
    guard argument.hasPrefix("--") else {
      throw ServiceFailure(.usage, "'\(argument)' is no option; see lasched --help")
    }
    let parts = argument.dropFirst(2).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard names.contains(name) else {
      throw ServiceFailure(.usage, "there is no option '--\(name)'; see lasched --help")
    }
    if parts.count == 2 { return (name, String(parts[1])) }
    guard let value = rest.popFirst() else {
      throw ServiceFailure(.usage, "'--\(name)' needs a value, as in --\(name)=VALUE")
    }
    return (name, value)
  }

  private static func options(
    isUser: Bool, _ values: [String: String]
  ) throws(ServiceFailure) -> ServiceOptions {
    func directory(_ variable: String) -> String? {
      // systemd sets a list where a unit names several; the first one is ours.
      Surroundings.variable(variable).flatMap {
        $0.split(separator: ":").first.map { String($0) }
      }
    }
    let home = Surroundings.variable("HOME") ?? ""
    func userDirectory(_ variable: String, _ fallback: String) -> String {
      Surroundings.variable(variable).flatMap { $0.hasPrefix("/") ? $0 : nil }
        ?? "\(home)/\(fallback)"
    }
    let state =
      values["state-directory"] ?? directory("STATE_DIRECTORY")
      ?? (isUser
        ? userDirectory("XDG_STATE_HOME", ".local/state") + "/lasched" : "/var/lib/lasched")
    let runtime =
      directory("RUNTIME_DIRECTORY")
      ?? (isUser
        ? (Surroundings.variable("XDG_RUNTIME_DIR") ?? "/run/user/\(Surroundings.userID)")
          + "/lasched"
        : "/run/lasched")
    let usual = ["/etc/lasched", "/usr/lib/lasched"]
    var options = ServiceOptions(
      isUserService: isUser, stateDirectory: state,
      socketPath: values["socket"] ?? runtime + "/io.lasched.LiveActivities",
      configurationDirectories: isUser
        ? [userDirectory("XDG_CONFIG_HOME", ".config") + "/lasched"] + usual : usual)
    options.configurationFile = values["config"]
    if let name = values["log-level"] {
      guard let level = LogLevel(name: name) else {
        throw ServiceFailure(
          .usage, "'\(name)' is no level; debug, info, notice, warning or err would be right")
      }
      options.logLevel = level
    }
    if let text = values["test-clock"] {
      do throws(WallTime.ParseError) {
        options.testClock = try WallTime(rfc3339: text)
      } catch {
        throw ServiceFailure(.usage, "--test-clock '\(text)': \(error.why)")
      }
    }
    return options
  }
}

/// Ends the process with an exit code.
func exitProcess(_ code: UInt8) -> Never { exit(Int32(code)) }
