import JSON
import SchedulerAPI
import Varlink

/// A connection to the daemon, for calls with one reply or a bounded number of them.
final class Daemon {
  let choice: SocketChoice
  let connection: VarlinkConnection
  /// How many milliseconds `ask` and `call` wait for a reply; nil: without end, since a daemon that is
  /// restarted answers when it is up again.
  var patience: Int?

  /// Connects. Throws `unreachable`, or `notPermitted`.
  init(_ choice: SocketChoice) throws(Failure) {
    self.choice = choice
    do throws(VarlinkError) {
      connection = try VarlinkConnection(connectingTo: choice.path)
    } catch {
      throw Failure(error, choice)
    }
  }

  /// A reply as its type, and as it came: what this version does not know of is in the latter.
  struct Answer<Reply: SchedulerReply> {
    let reply: Reply
    let node: JSONNode
  }

  /// Calls a method.
  func call<Call: SchedulerCall>(_ call: Call) throws(Failure) -> Answer<Call.Reply> {
    try Daemon.answer(ask(call))
  }

  /// Calls a method, and gives the reply as it came, whether this version knows all of it or not.
  func ask<Call: SchedulerCall>(_ call: Call) throws(Failure) -> JSONNode {
    try send(call)
    guard let (node, _) = try next(milliseconds: patience) else { throw silent }
    return node
  }

  /// What `org.varlink.service.GetInfo` replies.
  func info() throws(Failure) -> JSONNode {
    try sendForInfo()
    guard let (node, _) = try next(milliseconds: patience) else { throw silent }
    return node
  }

  /// Calls `org.varlink.service.GetInfo`, whose reply `next` gives.
  func sendForInfo() throws(Failure) {
    do throws(VarlinkError) {
      try connection.send("org.varlink.service.GetInfo")
    } catch {
      throw Failure(error, choice)
    }
  }

  /// That no reply came in time.
  var silent: Failure {
    .unreachable("the daemon at \(choice.path) did not answer within \((patience ?? 0) / 1000) s")
  }

  /// Calls a method that replies an activity.
  func activity<Call: SchedulerCall>(_ call: Call) throws(Failure) -> ActivityView {
    let node = try ask(call)
    return ActivityView(node: node["activity"] ?? node)
  }

  /// Sends a call, whose replies `next` gives.
  func send<Call: SchedulerCall>(_ call: Call, more: Bool = false) throws(Failure) {
    do throws(VarlinkError) {
      try connection.send(Call.method, more: more, call.encode)
    } catch {
      throw Failure(error, choice)
    }
  }

  /// The parameters of the next reply, and whether more follow.
  func next(milliseconds: Int?) throws(Failure) -> (node: JSONNode, continues: Bool)? {
    let reply: VarlinkReply
    do throws(VarlinkError) {
      guard let next = try connection.receive(milliseconds: milliseconds) else { return nil }
      reply = next
    } catch {
      throw Failure(error, choice)
    }
    if let name = reply.error {
      throw Failure(SchedulerError(name: name, parameters: reply.parameters), reply.parameters)
    }
    return (reply.parameters, reply.continues)
  }

  /// Calls a method with `more`, and hands each reply to `take`.
  func stream<Call: SchedulerCall>(
    _ call: Call, _ take: (JSONNode) throws(Failure) -> Void
  ) throws(Failure) {
    try send(call, more: true)
    var continues = true
    while continues {
      guard let next = try next(milliseconds: patience) else { throw silent }
      try take(next.node)
      continues = next.continues
    }
  }

  /// Moves the clocks of a daemon with `--test-clock`.
  func clock(_ move: TestClockMove) throws(Failure) -> Answer<TestClockReply> {
    do throws(VarlinkError) {
      try connection.send(move.method.name, move.encode)
    } catch {
      throw Failure(error, choice)
    }
    guard let (node, _) = try next(milliseconds: nil) else {
      throw .unreachable("the daemon did not answer")
    }
    return try Daemon.answer(node)
  }

  private static func answer<Reply: SchedulerReply>(
    _ node: JSONNode
  ) throws(Failure) -> Answer<Reply> {
    do throws(SchedulerError) {
      return Answer(reply: try Reply(decoding: node), node: node)
    } catch {
      throw .notUnderstood(error)
    }
  }
}

extension Failure {
  /// The daemon's reply is not what the interface says.
  static func notUnderstood(_ error: SchedulerError) -> Failure {
    Failure(
      .refused, "laschedctl.NotUnderstood",
      "the daemon's reply is not understood (\(error)); is it of another version?")
  }

  /// Why there was no reply.
  init(_ error: VarlinkError, _ choice: SocketChoice) {
    switch error.code {
    case .absent, .refused: self = .unreachable("no daemon: \(error); \(choice.remedy)")
    case .notPermitted:
      self.init(.notPermitted, "laschedctl.NotPermitted", "no daemon: \(error)")
    case .closed: self = .unreachable("the daemon at \(choice.path) closed the connection")
    case .badPath: self = .usage("\(error)")
    default: self = .unreachable("no answer from \(choice.path): \(error)")
    }
  }

  /// What the daemon refused.
  init(_ error: SchedulerError, _ parameters: JSONNode) {
    let code: ExitCode =
      switch error {
      case .invalidDate, .invalidPayload, .service(.invalidParameter): .malformed
      case .noSuchActivity: .noSuchActivity
      case .notPermitted, .service(.permissionDenied): .notPermitted
      case .storeUnavailable, .tooManyRequests: .tryAgain
      default: .refused
      }
    self.init(code, error.name, "\(error)", parameters: parameters.text ?? .emptyObject)
  }
}
