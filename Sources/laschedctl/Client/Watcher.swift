import Following
import JSON
import SchedulerAPI
import Varlink

/// A `Follower` of the daemon that was chosen, whose failures are for people.
final class Watcher {
  typealias Item = Follower.Item

  let choice: SocketChoice
  private let follower: Follower

  /// Connects for the first time. Throws where that fails, or the daemon refuses.
  init(_ choice: SocketChoice, _ parameters: MonitorParameters) throws(Failure) {
    self.choice = choice
    follower = Follower(choice.path, parameters)
    try telling { () throws(FollowerError) in try follower.connect() }
  }

  /// One for each of some daemons. Those that are not there yet are waited for, as long as one is.
  static func all(
    _ choices: [SocketChoice], _ parameters: MonitorParameters
  ) throws(Failure) -> [Watcher] {
    guard choices.count > 1 else {
      return try choices.map { choice throws(Failure) in try Watcher(choice, parameters) }
    }
    let watchers = choices.map { Watcher(waitingFor: $0, parameters) }
    var failure: Failure?
    for watcher in watchers {
      do throws(Failure) {
        try watcher.telling { () throws(FollowerError) in try watcher.follower.connect() }
      } catch  where error.code == .unreachable {
        failure = error
      }
    }
    if let failure, watchers.allSatisfy({ !$0.follower.isConnected }) { throw failure }
    return watchers
  }

  /// Connects later, as soon as a daemon is there.
  init(
    waitingFor choice: SocketChoice, _ parameters: MonitorParameters, longestPause: Int = 2000
  ) {
    self.choice = choice
    follower = Follower(choice.path, parameters, longestPause: longestPause)
  }

  /// Lets the next attempt to connect be due now: something was seen to have changed.
  func hurry() { follower.hurry() }

  /// Whether there is a socket to connect to.
  var isSocketThere: Bool { follower.isConnected || SocketPath.exists(choice.path) }

  /// To poll(2) for reading; nil while there is no connection.
  var descriptor: Int32? { follower.descriptor }

  /// Milliseconds until it wants to be called even if nothing can be read; nil for never.
  var patience: Int? { follower.patience }

  /// What is there by now; nil if nothing is. Throws what the daemon refuses.
  func next() throws(Failure) -> Item? {
    try telling { () throws(FollowerError) in try follower.next() }
  }

  private func telling<Value>(
    _ body: () throws(FollowerError) -> Value
  ) throws(Failure) -> Value {
    do throws(FollowerError) {
      return try body()
    } catch {
      switch error {
      case .connection(let error): throw Failure(error, choice)
      case .refused(let error, let parameters): throw Failure(error, parameters)
      case .notUnderstood(let error): throw .notUnderstood(error)
      }
    }
  }
}
