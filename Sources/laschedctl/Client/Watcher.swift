import Glibc
import JSON
import SchedulerAPI
import Varlink

/// A `Monitor` that outlives the daemon: where the connection breaks it comes back and resumes by
/// number.
final class Watcher {
  enum Item {
    /// A session as it is; after `began`, before `ready`.
    case snapshot(JSONNode)
    /// Something that happened.
    case event(JSONNode)
    /// All that was there is told. `resumed`: what was missed came as events; else what was known
    /// before is void, and the snapshots are all there is.
    case ready(sequence: Int64, store: String, resumed: Bool)
    /// The daemon went away; it is looked for again.
    case lost(String)
  }

  let choice: SocketChoice
  private var parameters: MonitorParameters
  private var daemon: Daemon?
  private var isReady = false
  /// When the next attempt is due, in milliseconds of CLOCK_MONOTONIC.
  private var nextAttempt = 0
  private var pause = 50

  /// Connects for the first time. Throws where that fails, or the daemon refuses.
  init(_ choice: SocketChoice, _ parameters: MonitorParameters) throws(Failure) {
    self.choice = choice
    self.parameters = parameters
    try connect()
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
        try watcher.connect()
      } catch  where error.code == .unreachable {
        watcher.postpone()
        failure = error
      }
    }
    if let failure, watchers.allSatisfy({ $0.daemon == nil }) { throw failure }
    return watchers
  }

  private init(waitingFor choice: SocketChoice, _ parameters: MonitorParameters) {
    self.choice = choice
    self.parameters = parameters
  }

  private func connect() throws(Failure) {
    let daemon = try Daemon(choice)
    try daemon.send(parameters, more: true)
    self.daemon = daemon
    isReady = false
  }

  /// To poll(2) for reading; nil while there is no connection.
  var descriptor: Int32? { daemon?.connection.fileDescriptor }

  /// Milliseconds until it wants to be called even if nothing can be read; nil for never.
  var patience: Int? { daemon == nil ? max(0, nextAttempt - monotonicMilliseconds()) : nil }

  /// What is there by now; nil if nothing is. Throws what the daemon refuses.
  func next() throws(Failure) -> Item? {
    guard let daemon else {
      guard monotonicMilliseconds() >= nextAttempt else { return nil }
      do throws(Failure) {
        try connect()
      } catch  where error.code == .unreachable {
        postpone()
        return nil
      }
      return try next()
    }
    do throws(Failure) {
      guard let (node, _) = try daemon.next(milliseconds: 0) else { return nil }
      return try item(node)
    } catch  where error.code == .unreachable {
      self.daemon = nil
      postpone()
      return .lost(error.message)
    }
  }

  private func postpone() {
    nextAttempt = monotonicMilliseconds() + pause
    pause = min(2000, pause * 2)
  }

  private func item(_ node: JSONNode) throws(Failure) -> Item {
    if let event = node["event"], !event.isNull {
      if let sequence = event["sequence"]?.int64 {
        // An alert offered again comes under its old number.
        parameters.since = max(sequence, parameters.since ?? sequence)
      }
      return .event(event)
    }
    if let snapshot = node["snapshot"], !snapshot.isNull { return .snapshot(snapshot) }
    let reply: MonitorReply
    do throws(SchedulerError) {
      reply = try MonitorReply(decoding: node)
    } catch {
      throw .notUnderstood(error)
    }
    guard case .ready(let sequence, let store, let resumed) = reply else {
      throw .notUnderstood(.other(name: "Monitor", parameters: .emptyObject))
    }
    parameters.since = sequence
    parameters.store = store
    isReady = true
    pause = 50
    return .ready(sequence: sequence, store: store, resumed: resumed)
  }
}

/// CLOCK_MONOTONIC in milliseconds.
func monotonicMilliseconds() -> Int {
  var time = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
}
