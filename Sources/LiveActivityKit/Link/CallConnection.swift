internal import Dispatch
internal import Following
internal import Glibc
internal import JSON
internal import LiveActivity
internal import SchedulerAPI
internal import Synchronization
internal import Varlink

/// The connection that a process makes its calls on, one after the other.
///
/// A daemon that is restarted between two calls, or in the middle of one, is waited for, and the
/// call is made again: the daemon knows a request that it has carried out.
final class CallConnection: Sendable {
  let path: String
  /// For how many milliseconds a reply is waited for.
  static let patience = 20_000
  /// For how many milliseconds a daemon that was there is waited for.
  private static let restartPatience = 5_000

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "io.lasched.calls")

  private struct State {
    var connection: VarlinkConnection?
    var hasConnected = false
    var isClosed = false
  }

  init(_ path: String) { self.path = path }

  /// Makes a call and waits for its reply. Throws where there is no daemon, or it refuses.
  func call<Call: SchedulerCall>(_ call: Call) throws(LinkFailure) -> Call.Reply {
    try decode(perform(Call.method) { call.encode(&$0) })
  }

  /// Moves the clocks of a daemon with `--test-clock`.
  func call(_ move: TestClockMove) throws(LinkFailure) -> TestClockReply {
    try decode(perform(move.method.name) { move.encode(&$0) })
  }

  private func decode<Reply: SchedulerReply>(_ reply: VarlinkReply) throws(LinkFailure) -> Reply {
    do throws(SchedulerError) { return try Reply(decoding: reply.parameters) } catch {
      throw .notUnderstood("\(error)")
    }
  }

  /// The same, on a thread of its own, so that nobody is held up; then `afterwards`.
  func answer<Call: SchedulerCall>(
    to call: Call, _ afterwards: @escaping @Sendable () -> Void
  ) async throws(LinkFailure) -> Call.Reply {
    let result: Result<Call.Reply, LinkFailure> = await withCheckedContinuation { continuation in
      queue.async {
        let result = self.result(of: call)
        if case .success = result { afterwards() }
        continuation.resume(returning: result)
      }
    }
    return try result.get()
  }

  private func result<Call: SchedulerCall>(of call: Call) -> Result<Call.Reply, LinkFailure> {
    do throws(LinkFailure) { return .success(try self.call(call)) } catch {
      return .failure(error)
    }
  }

  /// No more calls: the next one fails.
  func close() {
    state.withLock { state in
      state.connection = nil
      state.isClosed = true
    }
  }

  /// Makes a call; the parameters' members are what `encode` writes.
  func perform(
    _ method: String, _ encode: @escaping @Sendable (inout JSONWriter) -> Void
  ) throws(LinkFailure) -> VarlinkReply {
    let path = path
    let outcome: Result<VarlinkReply, LinkFailure> = state.withLock { state in
      do throws(LinkFailure) {
        return .success(try CallConnection.exchange(method, encode, &state, path))
      } catch {
        return .failure(error)
      }
    }
    let reply = try outcome.get()
    if let name = reply.error {
      throw .refused(SchedulerError(name: name, parameters: reply.parameters))
    }
    return reply
  }

  private static func exchange(
    _ method: String, _ encode: @Sendable (inout JSONWriter) -> Void, _ state: inout State,
    _ path: String
  ) throws(LinkFailure) -> VarlinkReply {
    let deadline = monotonicMilliseconds() + restartPatience
    while true {
      guard !state.isClosed else { throw .closed }
      let failure: VarlinkError?
      do throws(VarlinkError) {
        if let reply = try attempt(method, encode, &state, path) { return reply }
        failure = nil
      } catch {
        failure = error
      }
      // After silence its reply may still come, and would be taken for another call's.
      state.connection = nil
      guard let failure else { throw .silent(path) }
      guard state.hasConnected, failure.isPassing, monotonicMilliseconds() < deadline else {
        throw .unreachable(failure)
      }
      poll(nil, 0, 20)
    }
  }

  /// One attempt; nil where no reply comes in time.
  private static func attempt(
    _ method: String, _ encode: @Sendable (inout JSONWriter) -> Void, _ state: inout State,
    _ path: String
  ) throws(VarlinkError) -> VarlinkReply? {
    let connection: VarlinkConnection
    if let known = state.connection {
      connection = known
    } else {
      connection = try VarlinkConnection(connectingTo: path)
      state.connection = connection
      state.hasConnected = true
    }
    try connection.send(method, encode)
    return try connection.receive(milliseconds: patience)
  }
}

extension VarlinkError {
  /// Whether a daemon that is being restarted can be the reason.
  fileprivate var isPassing: Bool { [.absent, .refused, .closed].contains(code) }
}
