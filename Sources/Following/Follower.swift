internal import Glibc
public import JSON
public import SchedulerAPI
public import Varlink

/// Why a follower has nothing to give.
public enum FollowerError: Error, Sendable {
  /// There is no daemon, or none any more.
  case connection(VarlinkError)
  /// The daemon refused the call; with the error's parameters as they came.
  case refused(SchedulerError, JSONNode)
  /// What the daemon sent is not what the interface says.
  case notUnderstood(SchedulerError)
}

/// A `Monitor` that outlives the daemon: where the connection breaks it comes back and resumes by
/// number. It never waits: poll `descriptor` and call `next` until that is nil.
public final class Follower {
  /// What it gives, as it came: what this version does not know of is in it too.
  public enum Item {
    /// A session as it is; before `ready`.
    case snapshot(JSONNode)
    /// Something that happened.
    case event(JSONNode)
    /// All that was there is told. `resumed`: what was missed came as events; else what was known
    /// before is void, and the snapshots are all there is.
    case ready(sequence: Int64, store: String, resumed: Bool)
    /// The daemon went away; it is looked for again.
    case lost(VarlinkError)
  }

  /// Where the daemon is.
  public let path: String
  private var parameters: MonitorParameters
  private var connection: VarlinkConnection?
  /// Why the last attempt to connect failed; nil while connected.
  public private(set) var failure: VarlinkError?
  private let longestPause: Int
  /// When the next attempt is due, in milliseconds of CLOCK_MONOTONIC.
  private var nextAttempt = 0
  private var pause = Follower.shortestPause
  private static let shortestPause = 50

  /// Does not connect yet: `connect` does, or `next`. Between attempts it waits 50 ms at first, and
  /// at most `longestPause` milliseconds.
  public init(_ path: String, _ parameters: MonitorParameters, longestPause: Int = 2000) {
    self.path = path
    self.parameters = parameters
    self.longestPause = max(Follower.shortestPause, longestPause)
  }

  /// Whether there is a connection.
  public var isConnected: Bool { connection != nil }

  /// To poll(2) for reading; nil while there is no connection.
  public var descriptor: Int32? { connection?.fileDescriptor }

  /// Milliseconds until it wants to be called even if nothing can be read; nil for never.
  public var patience: Int? {
    connection == nil ? max(0, nextAttempt - monotonicMilliseconds()) : nil
  }

  /// Connects at once. Throws where that fails; `next` tries again later.
  public func connect() throws(FollowerError) {
    do throws(VarlinkError) {
      let connection = try VarlinkConnection(connectingTo: path)
      try connection.send(MonitorParameters.method, more: true, parameters.encode)
      self.connection = connection
      failure = nil
    } catch {
      failure = error
      postpone()
      throw .connection(error)
    }
  }

  /// Lets the next attempt be due now: something was seen to have changed.
  public func hurry() { nextAttempt = 0 }

  /// What is there by now; nil if nothing is. Throws what the daemon refuses.
  public func next() throws(FollowerError) -> Item? {
    guard let connection else {
      guard monotonicMilliseconds() >= nextAttempt else { return nil }
      do throws(FollowerError) {
        try connect()
      } catch {
        guard case .connection(let reason) = error, !Follower.isFinal(reason) else { throw error }
        return nil
      }
      return try next()
    }
    let reply: VarlinkReply
    do throws(VarlinkError) {
      guard let next = try connection.receive(milliseconds: 0) else { return nil }
      reply = next
    } catch {
      self.connection = nil
      postpone()
      return .lost(error)
    }
    if let name = reply.error {
      throw .refused(SchedulerError(name: name, parameters: reply.parameters), reply.parameters)
    }
    return try item(reply.parameters)
  }

  /// Whether no attempt at this path can ever succeed.
  private static func isFinal(_ error: VarlinkError) -> Bool {
    error.code == .notPermitted || error.code == .badPath
  }

  private func postpone() {
    nextAttempt = monotonicMilliseconds() + pause
    pause = min(longestPause, pause * 2)
  }

  private func item(_ node: JSONNode) throws(FollowerError) -> Item {
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
    pause = Follower.shortestPause
    return .ready(sequence: sequence, store: store, resumed: resumed)
  }
}

/// CLOCK_MONOTONIC in milliseconds.
public func monotonicMilliseconds() -> Int {
  var time = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
}
