import LiveActivity
import SchedulerAPI

extension Verb {
  static let cancel = Verb(
    "cancel", "ID…|--channel NAME [--this] [--ignore-missing]",
    "take activities away at once, whatever their state; they never alert",
    operands: 0...Int.max, options: [.channel, .this, .ignoreMissing, .session] + ownerOptions,
    notes: [
      "Of an ID that is dismissed already it is refused (ActivityOver, 1), of an unknown one too "
        + "(66); with --ignore-missing both succeed.",
      "What repeats ends with it; with --this its next occurrence comes all the same.",
    ]
  ) { context throws(Failure) in
    let invocation = context.invocation
    let targets = try invocation.targets()
    let owner = try invocation.owner()
    let session = try invocation.number(.session)
    let daemon = try context.connect()
    return try context.each(targets) { target throws(Failure) in
      var cancel = CancelParameters(try target.address())
      cancel.owner = owner
      cancel.everyOwner = invocation.has(.everyOwner)
      cancel.session = session
      cancel.onlyThis = invocation.has(.this)
      do throws(Failure) {
        let answer = try daemon.call(cancel)
        context.show(answer.node) {}
        context.console.note("\(target.text): \(found(answer.reply))")
      } catch  where invocation.has(.ignoreMissing) && isMissing(error) {
        context.console.note("\(target.text): nothing to cancel")
      }
    }
  }

  private static func isMissing(_ failure: Failure) -> Bool {
    failure.code == .noSuchActivity || failure.shortName == "ActivityOver"
  }

  private static func found(_ reply: CancelReply) -> String {
    let counts = [
      (reply.pending, "pending"), (reply.active, "active"), (reply.stale, "stale"),
      (reply.ended, "ended"),
    ].filter { $0.0 > 0 }
    var text =
      if reply.applied == 0 {
        "nothing to cancel"
      } else if reply.applied == 1 {
        "cancelled" + (counts.first.map { ", was \($0.1)" } ?? "")
      } else {
        "\(reply.applied) cancelled: " + counts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
      }
    if reply.skipped > 0 { text += "; \(reply.skipped) skipped" }
    return text
  }
}
