/// The exit codes of laschedctl(1); those from 64 on are those of sysexits(3), 124 is timeout(1)'s.
struct ExitCode: Hashable, Sendable {
  let rawValue: Int32

  init(_ rawValue: Int32) { self.rawValue = rawValue }

  /// Done.
  static let done = ExitCode(0)
  /// Refused; the error's name is on stderr.
  static let refused = ExitCode(1)
  /// Not active (`is-active`).
  static let notActive = ExitCode(3)
  /// The command line is not one.
  static let usage = ExitCode(64)
  /// A value on the command line is not what it must be.
  static let malformed = ExitCode(65)
  /// There is no such activity.
  static let noSuchActivity = ExitCode(66)
  /// The daemon cannot be reached.
  static let unreachable = ExitCode(69)
  /// Try again.
  static let tryAgain = ExitCode(75)
  /// This user may not.
  static let notPermitted = ExitCode(77)
  /// Timed out.
  static let timedOut = ExitCode(124)
  /// The command was found and cannot be run (as in a shell).
  static let notExecutable = ExitCode(126)
  /// There is no such command (as in a shell).
  static let notFound = ExitCode(127)
}
