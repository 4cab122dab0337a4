import LiveActivity
import SchedulerAPI

extension Verb {
  static let detach = Verb(
    "detach", aliases: ["stop"], "ID…|--all", "stop remote updates; the activity stays",
    operands: 0...Int.max, options: [.all, .session, .owner],
    notes: ["'stop' is understood for 'detach'. Neither ends an activity: 'end' and 'cancel' do."]
  ) { context throws(Failure) in
    let invocation = context.invocation
    let owner = try invocation.owner()
    let session = try invocation.number(.session)
    if invocation.has(.all) {
      guard invocation.operands.isEmpty, session == nil else {
        throw .usage("--all is about every activity; give no Activity ID with it")
      }
      var stop = StopParameters()
      stop.owner = owner
      let answer = try context.connect().call(stop)
      context.show(answer.node) {}
      let count = answer.reply.applied
      context.console.note(
        "\(count) \(count == 1 ? "activity" : "activities") detached from remote updates")
      context.remind("ID")
      return .done
    }
    guard !invocation.operands.isEmpty else {
      throw .usage("\(invocation.verb.name) needs an Activity ID or --all")
    }
    let daemon = try context.connect()
    return try context.each(invocation.targets()) { target throws(Failure) in
      guard case .id(let id) = try target.address() else { return }
      var stop = StopParameters(id: id)
      stop.owner = owner
      stop.session = session
      let answer = try daemon.call(stop)
      context.show(answer.node) {}
      context.console.note("\(target.text): detached from remote updates")
      context.remind(target.text)
    }
  }
}

extension Context {
  /// Says what `detach` does not do, which who writes `stop` may not expect.
  fileprivate func remind(_ id: String) {
    console.note(
      "  it stays as it is; to end it: laschedctl end \(id), to take it away: laschedctl cancel \(id)"
    )
  }
}
