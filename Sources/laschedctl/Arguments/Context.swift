import JSON
import LiveActivity
import SchedulerAPI

/// What a verb works with.
struct Context {
  let invocation: Invocation
  let console: Console

  /// Which daemon is meant.
  func socket() throws(Failure) -> SocketChoice { try SocketChoice(invocation) }

  /// A connection to it.
  func connect() throws(Failure) -> Daemon { try Daemon(socket()) }

  /// Writes a reply as it came where JSON is wanted, or lets `text` write it.
  func show(_ node: JSONNode, _ text: () -> Void) {
    if console.form == .text { text() } else { console.value(node) }
  }

  /// Runs `body` for each target, past those that fail. Throws the failure if there is one target;
  /// else the failures are told one by one, and their common code is the result, or 1.
  func each(
    _ targets: [Target], _ body: (Target) throws(Failure) -> Void
  ) throws(Failure) -> ExitCode {
    guard targets.count != 1 else {
      try body(targets[0])
      return .done
    }
    var codes: Set<ExitCode> = []
    for target in targets {
      do throws(Failure) {
        try body(target)
      } catch  where error.code != .unreachable {
        console.error(error)
        codes.insert(error.code)
      }
    }
    return codes.count > 1 ? .refused : codes.first ?? .done
  }
}

extension Daemon {
  /// The daemon's clock.
  func now() throws(Failure) -> WallTime { try call(GetStatusParameters()).reply.now }

  /// A reader of dates against the daemon's clock.
  func timeReader(_ invocation: Invocation) throws(Failure) -> TimeReader {
    let status = try call(GetStatusParameters()).reply
    let isFloating = invocation.value(.zone) == TimeReader.floating
    return TimeReader(
      now: status.now.microseconds, zone: try TimeReader.zone(invocation, machine: status.zone),
      isFloating: isFloating)
  }
}
