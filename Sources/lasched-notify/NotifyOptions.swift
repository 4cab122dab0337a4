import Following
import Glibc
import Notifications
import Systemd

/// Why the agent does not run.
struct NotifyFailure: Error {
  /// What the process exits with; sysexits(3).
  let code: UInt8
  let message: String

  init(_ code: UInt8, _ message: String) {
    self.code = code
    self.message = message
  }

  init(_ error: SystemError) { self.init(1, "\(error)") }
}

/// What the command line asks for.
struct NotifyOptions {
  enum Request {
    case tell(String)
    case run(NotifyOptions)
  }

  /// The daemons to follow.
  var daemons: [(source: Source, path: String)] = []
  /// Where it is written down which alerts were shown.
  var stateDirectory = ""
  /// The one file to read instead of notify.conf and its drop-ins.
  var configuration: String?
  var logLevel = LogLevel.info

  static let version = "0.1.0"

  static let usage = """
    lasched-notify: shows the alerts and live content of activities on the desktop

    Usage: lasched-notify [--system | --user | --socket=PATH] [--state-directory=DIR] \
    [--config=FILE] [--log-level=debug|info|notice|warning|err] [--version] [--help]

      --system                 follow the system's daemon alone
      --user                   follow the user's own daemon alone (otherwise both)
      --socket=PATH            follow the daemon at PATH alone
      --state-directory=DIR    where it notes which alerts were shown
      --config=FILE            read FILE alone, not notify.conf and its drop-ins
      --log-level=LEVEL        debug, info (the default), notice, warning or err
      --version                print the version
      --help                   print this
    """

  /// Reads the arguments.
  static func read(_ arguments: [String]) throws(NotifyFailure) -> Request {
    var options = NotifyOptions()
    var chosen: [Source] = []
    var socket = SocketPath.environment
    var rest = arguments[...]
    func value(_ name: String, _ inline: Substring?) throws(NotifyFailure) -> String {
      guard let value = inline.map(String.init) ?? rest.popFirst(), !value.isEmpty else {
        throw NotifyFailure(64, "'\(name)' needs a value, as in \(name)=VALUE")
      }
      return value
    }
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let (name, inline) = (String(parts[0]), parts.count > 1 ? parts[1] : nil)
      switch name {
      case "--help" where inline == nil, "-h" where inline == nil: return .tell(usage)
      case "--version" where inline == nil: return .tell("lasched-notify \(version)")
      case "--system" where inline == nil: chosen.append(.system)
      case "--user" where inline == nil: chosen.append(.user)
      case "--socket": socket = SocketPath.plain(try value(name, inline))
      case "--state-directory": options.stateDirectory = try value(name, inline)
      case "--config": options.configuration = try value(name, inline)
      case "--log-level":
        let text = try value(name, inline)
        guard let level = LogLevel(name: text) else {
          throw NotifyFailure(
            64, "'\(text)' is no level; debug, info, notice, warning or err would be right")
        }
        options.logLevel = level
      default:
        throw NotifyFailure(64, "'\(argument)' is no option; see lasched-notify --help")
      }
    }
    if Set(chosen).count > 1 {
      throw NotifyFailure(64, "--system and --user: without either both are followed")
    }
    if let source = chosen.first {
      options.daemons = [(source, source == .system ? SocketPath.system : SocketPath.user)]
    } else if let socket {
      options.daemons = [(.system, socket)]
    } else {
      options.daemons = [(.system, SocketPath.system), (.user, SocketPath.user)]
    }
    if options.stateDirectory.isEmpty { options.stateDirectory = stateDirectory }
    return .run(options)
  }

  /// systemd's, else one of the XDG Base Directory Specification.
  private static var stateDirectory: String {
    if let list = Surroundings.variable("STATE_DIRECTORY"),
      let first = list.split(separator: ":").first
    {
      return String(first)
    }
    return home("XDG_STATE_HOME", ".local/state") + "/lasched-notify"
  }

  /// Where its configuration may be, the first that has a file wins.
  static var configurationDirectories: [String] {
    [home("XDG_CONFIG_HOME", ".config") + "/lasched", "/etc/lasched", "/usr/lib/lasched"]
  }

  private static func home(_ variable: String, _ fallback: String) -> String {
    if let path = Surroundings.variable(variable), path.hasPrefix("/") { return path }
    return (Surroundings.variable("HOME") ?? "") + "/" + fallback
  }
}

/// Ends the process with an exit code.
func exitProcess(_ code: UInt8) -> Never { exit(Int32(code)) }
