internal import ActivityStore
public import LiveActivity
public import Systemd

/// How the daemon is started; `lasched(8)`.
public struct ServiceOptions: Sendable {
  /// Whether it serves one user, as their own service.
  public var isUserService: Bool
  /// Where `activities.sqlite` is.
  public var stateDirectory: String
  /// Where it listens, if no socket is passed.
  public var socketPath: String
  /// A configuration file in place of the usual ones.
  public var configurationFile: String?
  /// The directories of `lasched.conf` and its drop-ins, the one of highest priority first.
  public var configurationDirectories: [String]
  /// What is below is not logged.
  public var logLevel = LogLevel.info
  /// Where a clock that stands still begins; nil is the machine's clock.
  public var testClock: WallTime?
  /// The sockets that the service manager passed.
  public var passed: [PassedDescriptor] = []

  /// Options.
  public init(
    isUserService: Bool, stateDirectory: String, socketPath: String,
    configurationDirectories: [String]
  ) {
    self.isUserService = isUserService
    self.stateDirectory = stateDirectory
    self.socketPath = socketPath
    self.configurationDirectories = configurationDirectories
  }
}

/// Why the daemon cannot run, with its exit code (sysexits(3)).
public struct ServiceFailure: Error, Sendable, CustomStringConvertible {
  /// An exit code.
  public enum Code: UInt8, Sendable {
    /// Something failed.
    case failure = 1
    /// The command line.
    case usage = 64
    /// State or socket cannot be made.
    case cannotCreate = 73
    /// The store is damaged, and is to be left so.
    case damaged = 74
    /// Another daemon has the state directory.
    case inUse = 75
    /// The configuration, or a store newer than the program.
    case configuration = 78
  }

  /// What to exit with.
  public let code: Code
  /// One line: what was wrong, with which value, what would be right.
  public let description: String

  /// A failure.
  public init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  init(_ error: StoreError) {
    let code: Code =
      switch error.code {
      case .inUse: .inUse
      case .cannotCreate, .unsuitable, .readOnly, .full: .cannotCreate
      case .damaged: .damaged
      case .newerSchema: .configuration
      default: .failure
      }
    self.init(code, error.description)
  }
}
