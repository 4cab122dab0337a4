import JSON
import LiveActivity
import SchedulerAPI

extension Verb {
  static let push = Verb(
    "push", "TOKEN|@FILE JSON|@FILE|- [--priority 5|10]",
    "update, end or start an activity with a push token", operands: 2...2, options: [.priority],
    notes: [
      "The payload is ActivityKit's: {\"aps\": {\"timestamp\": …, \"event\": \"update\", …}}; see "
        + "lasched(8). No one else's activity is touched than the token's, whoever calls. Other "
        + "users of the machine may see arguments: @FILE reads the token from a file."
    ]
  ) { context throws(Failure) in
    let invocation = context.invocation
    let token = try JSONArgument.word(invocation.operands[0], "the token")
    let payload = try JSONArgument.object(invocation.operands[1], "the payload")
    var push = PushParameters(token: token, payload: payload.text ?? .emptyObject)
    if let number = try invocation.number(.priority) {
      guard let priority = PushPriority(rawValue: number) else {
        throw .malformed("--priority: '\(number)' is neither 5 nor 10")
      }
      push.priority = priority
    }
    let answer = try context.connect().call(push)
    context.show(answer.node) {}
    context.console.note(
      answer.reply.applied
        ? "applied" : "nothing changed: it is older than, or the same as, what was applied before")
    return .done
  }

  static let token = Verb(
    "token", "ID|--type NAME [--application NAME] [--void-others]",
    "make a push token of an activity, or one that starts activities of a type",
    operands: 0...1, options: [.type, .application, .voidOthers, .session, .owner],
    notes: [
      "It is shown this once. Whoever has it may update and end that activity, or start ones of that "
        + "type and application. The newest four are valid; --void-others leaves only this one."
    ]
  ) { context throws(Failure) in
    let invocation = context.invocation
    let daemon = try context.connect()
    let answer: Daemon.Answer<TokenReply>
    if let type = invocation.value(.type) {
      guard invocation.operands.isEmpty, !invocation.has(.session) else {
        throw .usage("--type makes a token that starts activities; give no Activity ID with it")
      }
      var call = CreateStartTokenParameters(attributesType: type)
      call.application = invocation.value(.application)
      call.owner = try invocation.owner()
      call.voidOthers = invocation.has(.voidOthers)
      answer = try daemon.call(call)
    } else {
      guard !invocation.operands.isEmpty, !invocation.has(.application) else {
        throw .usage("token needs an Activity ID, or --type and, if it has one, --application")
      }
      var call = CreateTokenParameters(id: try invocation.id())
      call.session = try invocation.number(.session)
      call.owner = try invocation.owner()
      call.voidOthers = invocation.has(.voidOthers)
      answer = try daemon.call(call)
    }
    context.show(answer.node) { context.console.line(answer.reply.token) }
    return .done
  }
}
