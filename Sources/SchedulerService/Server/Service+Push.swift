internal import LiveActivity
internal import SchedulerAPI
internal import Varlink

extension Service {
  /// Carries out a call of `io.lasched.Push`. Tokens stand in no event and in no log.
  func perform(
    _ method: PushMethod, _ call: VarlinkCall, _ connection: Connection, at reading: ClockReading
  ) throws(SchedulerError) {
    let peer = connection.peer
    let wantsReply = !call.oneway
    switch method {
    case .push:
      let parameters = try PushParameters(call)
      try limit(peer)
      let isApplied = try engine.push(parameters, at: reading)
      reply(PushParameters.Reply(applied: isApplied), connection, wantsReply: wantsReply)
    case .createToken:
      let parameters = try CreateTokenParameters(call)
      try limit(peer)
      reply(
        try engine.createToken(parameters, by: peer), connection, wantsReply: wantsReply)
    case .createStartToken:
      let parameters = try CreateStartTokenParameters(call)
      try limit(peer)
      reply(
        try engine.createStartToken(parameters, by: peer), connection, wantsReply: wantsReply)
    case .voidStartTokens:
      let parameters = try VoidStartTokensParameters(call)
      reply(
        try engine.voidStartTokens(parameters, by: peer), connection, wantsReply: wantsReply)
    }
  }
}
