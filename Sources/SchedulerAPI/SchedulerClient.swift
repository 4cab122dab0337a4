import JSON
public import Varlink

/// Why a call gave no reply of its type.
public enum SchedulerCallError: Error, Hashable, Sendable {
  /// The daemon refused it.
  case refused(SchedulerError)
  /// There is no daemon to talk to, or it went away.
  case connection(VarlinkError)
  /// The daemon's reply is not what the interface says, at that path.
  case malformedReply(path: String)
}

extension SchedulerCallError: CustomStringConvertible {
  /// One line for a person.
  public var description: String {
    switch self {
    case .refused(let error): error.description
    case .connection(let error): error.description
    case .malformedReply(let path): "the daemon's reply is not understood: '\(path)'"
    }
  }
}

extension VarlinkConnection {
  /// Calls a method and waits for its reply.
  public func call<Call: SchedulerCall>(
    _ parameters: Call
  ) throws(SchedulerCallError) -> Call.Reply {
    do throws(VarlinkError) {
      try send(Call.method, parameters.encode)
    } catch {
      throw .connection(error)
    }
    return try receive(replyTo: Call.self)
  }

  /// Moves the clocks of a daemon with `--test-clock`.
  public func call(_ move: TestClockMove) throws(SchedulerCallError) -> TestClockReply {
    do throws(VarlinkError) {
      try send(move.method.name, move.encode)
    } catch {
      throw .connection(error)
    }
    return try next(TestClockReply.self).reply
  }

  /// Calls a method with `more`; its replies come one by one.
  public func replies<Call: SchedulerCall>(
    to parameters: Call
  ) throws(SchedulerCallError) -> SchedulerReplies<Call> {
    do throws(VarlinkError) {
      try send(Call.method, more: true, parameters.encode)
    } catch {
      throw .connection(error)
    }
    return SchedulerReplies(connection: self)
  }

  /// Waits for the reply to a call that was sent with `send` or `enqueue`.
  public func receive<Call: SchedulerCall>(
    replyTo call: Call.Type
  ) throws(SchedulerCallError) -> Call.Reply {
    try next(Call.Reply.self).reply
  }

  fileprivate func next<Reply: SchedulerReply>(
    _ type: Reply.Type
  ) throws(SchedulerCallError) -> (reply: Reply, continues: Bool) {
    while true {
      if let next = try next(type, milliseconds: nil) { return next }
    }
  }

  fileprivate func next<Reply: SchedulerReply>(
    _ type: Reply.Type, milliseconds: Int?
  ) throws(SchedulerCallError) -> (reply: Reply, continues: Bool)? {
    let reply: VarlinkReply
    do throws(VarlinkError) {
      guard let next = try receive(milliseconds: milliseconds) else { return nil }
      reply = next
    } catch {
      throw .connection(error)
    }
    if let name = reply.error {
      throw .refused(SchedulerError(name: name, parameters: reply.parameters))
    }
    do throws(SchedulerError) {
      return (try Reply(decoding: reply.parameters), reply.continues)
    } catch {
      throw .malformedReply(path: error.path)
    }
  }
}

/// The replies to one call with `more`, in order.
public struct SchedulerReplies<Call: SchedulerCall> {
  private let connection: VarlinkConnection
  /// Whether the last reply has come.
  public private(set) var isDone = false

  init(connection: VarlinkConnection) { self.connection = connection }

  /// Waits for the next reply; nil after the last one.
  public mutating func next() throws(SchedulerCallError) -> Call.Reply? {
    guard !isDone else { return nil }
    let (reply, continues) = try connection.next(Call.Reply.self)
    isDone = !continues
    return reply
  }

  /// The next reply if it comes within that many milliseconds; nil otherwise, and after the last.
  public mutating func next(milliseconds: Int) throws(SchedulerCallError) -> Call.Reply? {
    guard !isDone, let next = try connection.next(Call.Reply.self, milliseconds: milliseconds)
    else { return nil }
    isDone = !next.continues
    return next.reply
  }
}

extension SchedulerError {
  /// The path that a fault in parameters is about.
  fileprivate var path: String {
    switch self {
    case .service(.invalidParameter(let path)): path
    case .invalidDate(let field, _, _): field
    default: name
    }
  }
}
