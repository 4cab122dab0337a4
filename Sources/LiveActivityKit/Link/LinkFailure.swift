internal import SchedulerAPI
internal import Varlink

/// Why a call to the daemon gave no reply of its type.
enum LinkFailure: Error, Sendable {
  /// There is no daemon.
  case unreachable(VarlinkError)
  /// The daemon at that path did not answer in time.
  case silent(String)
  /// What it sent is not what the interface says.
  case notUnderstood(String)
  /// It refused.
  case refused(SchedulerError)
  /// The link was closed by this program.
  case closed
}

extension LinkFailure: CustomStringConvertible {
  /// One line for a person.
  var description: String {
    switch self {
    case .unreachable(let error):
      "no daemon: \(error); start one with 'systemctl start lasched' or "
        + "'systemctl --user start lasched', or name its socket in $LASCHED_SOCKET"
    case .silent(let path): "the daemon at \(path) did not answer in time"
    case .notUnderstood(let what): "the daemon's reply is not understood: \(what)"
    case .refused(let error): error.description
    case .closed: "the connection to the daemon was closed by this program"
    }
  }
}
