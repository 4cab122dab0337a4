import JSON
import LiveActivity
import SchedulerAPI

extension Verb {
  static let skip = Verb(
    "skip", "ID", "leave the next occurrence of an activity that repeats out",
    operands: 1...1, options: [.session, .ifSequence, .owner],
    notes: [
      "Of a pending activity its own start, which moves on to the date after it; of one that runs "
        + "the one that would come next. Where none is left, the series is over."
    ]
  ) { context throws(Failure) in
    let invocation = context.invocation
    var skip = SkipParameters(id: try invocation.id())
    skip.session = try invocation.number(.session)
    skip.ifSequence = try invocation.number(.ifSequence)
    skip.owner = try invocation.owner()
    let daemon = try context.connect()
    let answer = try daemon.call(skip)
    context.show(answer.node) {}
    let now = try daemon.now().microseconds
    let zone = TimeReader.zoneToShow()
    let activity = ActivityView(node: answer.node["activity"] ?? answer.node)
    let skipped = TimeText.local(answer.reply.skippedDate.microseconds, zone)
    context.console.note("\(activity.id): \(skipped) is left out")
    let isPending = activity.state == "pending"
    if let next = activity.date(isPending ? "startDate" : "nextStartDate") {
      context.console.note(CreationNotice.line("starts", next, now: now, zone: zone))
    } else {
      context.console.note("  no other occurrence is left")
    }
    return .done
  }
}
