import Glibc
import LiveActivity
import SchedulerAPI
import TimeExpressions

extension Verb {
  static let test = Verb(
    "test", "[--clock RFC3339] [--zone ZONE] -- COMMAND…",
    "a command beside a private daemon in mocked time",
    options: [.clock, .zone], takesCommand: true,
    notes: [
      "The command finds the daemon by $LASCHED_SOCKET, and moves its time with laschedctl clock. "
        + "The exit status is the command's. The daemon and all that it stored are gone afterwards.",
      "Without --clock the daemon's time stands at the present second. --zone is $TZ for both. The "
        + "daemon is $LASCHED_DAEMON, the lasched beside laschedctl, or the one in $PATH.",
    ]
  ) { context throws(Failure) in
    let command = try CommandLineTail(context.invocation)
    let clock = try clock(context.invocation)
    let signals = try SignalPipe(CommandLineTail.signals)
    let zone = context.invocation.value(.zone)
    let daemon = try PrivateDaemon(clock: clock, zone: zone, signals: signals)
    defer { daemon.end() }
    var changes: [String: String?] = ["LASCHED_SOCKET": daemon.choice.path]
    if let zone { changes["TZ"] = zone }
    let end = try command.run(changes, signals)
    if !daemon.isRunning {
      context.console.warn(
        "the private lasched ended before the command: \(harmless(daemon.lastWords))")
    }
    return end.code
  }

  private static func clock(_ invocation: Invocation) throws(Failure) -> WallTime {
    let now = machineMicroseconds() / 1_000_000 * 1_000_000
    let zone = try TimeReader.zone(invocation)
    guard let given = invocation.last(.clock) else { return WallTime(microseconds: now) }
    var time = TimeReader(now: now, zone: zone)
    let moment = try time.moment(given.value, given.spelling)
    guard case .at(let date) = moment else {
      throw .malformed("\(given.spelling) '\(given.value)' is a span; a date would be right")
    }
    return date
  }
}
