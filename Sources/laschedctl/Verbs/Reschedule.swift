import JSON
import LiveActivity
import SchedulerAPI

extension Verb {
  static let reschedule = Verb(
    "reschedule",
    "ID [--at WHEN|now] [--end WHEN|never] [--start-by WHEN] [--remind SPAN,…|none] "
      + "[--title … --body …] [--end-title … --end-body …]",
    "move when an activity starts or ends, and what is said then",
    operands: 1...1,
    options: [
      .at, .end, .for, .startBy, .stale, .title, .body, .endTitle, .endBody, .urgency, .sound,
      .zone, .remind,
      .session, .ifSequence, .owner,
    ],
    notes: [
      "A span counts from now; that of --for counts from the start. --at now starts it at once; "
        + "--end never takes its end date away. Reminders move with the start."
    ]
  ) { context throws(Failure) in
    let invocation = context.invocation
    try invocation.exclude(.end, .for)
    var change = RescheduleParameters(id: try invocation.id())
    let alerts = try AlertOptions(invocation)
    change.alert = alerts.alert
    change.endAlert = alerts.endAlert
    change.session = try invocation.number(.session)
    change.ifSequence = try invocation.number(.ifSequence)
    change.owner = try invocation.owner()
    guard
      invocation.given.contains(where: {
        [.at, .end, .for, .startBy, .stale, .title, .endTitle, .remind].contains($0.name)
      })
    else { throw .usage("reschedule needs what is to change, as --at WHEN or --end WHEN") }
    change.reminders = try invocation.reminders()
    let daemon = try context.connect()
    var time = try daemon.timeReader(invocation)
    if let at = invocation.last(.at) {
      if at.value == "now" {
        change.start = .after(TimeSpan(microseconds: 0))
      } else {
        (change.start, change.wallStart) = try time.start(at)
      }
    }
    if let end = invocation.last(.end) {
      if end.value == "never" {
        change.noEnd = true
      } else {
        change.end = .at(try time.date(end.value, end.spelling))
      }
    }
    if let length = invocation.last(.for) {
      change.end = .after(try TimeReader.span(length.value, length.spelling))
    }
    if let startBy = invocation.last(.startBy) {
      change.startBy = .at(try time.date(startBy.value, startBy.spelling))
    }
    if let stale = invocation.last(.stale) {
      change.stale = .at(try time.date(stale.value, stale.spelling))
    }
    let activity = try daemon.activity(change)
    context.show(activity.node) {}
    let notice = CreationNotice(activity: activity, now: time.now, zone: time.zone)
    for line in notice.lines(created: true) { context.console.note(line) }
    for note in time.notes { context.console.note("  note    " + harmless(note), .yellow) }
    return .done
  }
}
