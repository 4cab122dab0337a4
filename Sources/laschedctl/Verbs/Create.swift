import JSON
import LiveActivity
import SchedulerAPI

extension Verb {
  static let schedule = Verb(
    "schedule",
    "[ID] --at WHEN|--repeat CALENDAR --title TEXT [--body TEXT] [options]",
    "an activity for a later date, with an alert",
    operands: 0...1,
    options: [.at, .remind, .allowPast, .wake, .repeat, .repeatEvery, .until, .count]
      + createOptions,
    forms: [untilForm], notes: spanNotes + startNotes + repeatNotes + contentNotes
  ) { context throws(Failure) in
    guard context.invocation.has(.at) || context.invocation.has(.repeat) else {
      throw .usage(
        "schedule needs --at WHEN or --repeat CALENDAR; 'laschedctl start' begins at once")
    }
    guard context.invocation.has(.title) else {
      throw .usage("schedule needs --title TEXT: what the person is told at the start")
    }
    return try create(context)
  }

  static let start = Verb(
    "start", "[ID] [--title TEXT [--body TEXT]] [options]", "an activity that begins at once",
    operands: 0...1, options: [.repeatEvery, .until, .count] + createOptions,
    forms: [untilForm], notes: spanNotes + contentNotes
  ) { context throws(Failure) in try create(context) }

  private static let untilForm = OptionForm(
    .until, .required("WHEN"), "do not repeat after that date")

  private static let repeatNotes = [
    "With --repeat or --repeat-every it is a series: each occurrence is a new session of the ID and "
      + "takes the place of one that is still there. --at then says from when on; --end, --stale and "
      + "--start-by are spans from each start. cancel ends the series, cancel --this one occurrence."
  ]

  static let spanNotes = [
    "WHEN is a date (2026-12-01 18:30, tomorrow 18:30, RFC 3339, @1893456000) or a span (25min, "
      + "1h30min). A span in --at counts from now, in --end, --stale and --start-by from the start.",
    "stdout has the Activity ID alone; stderr tells the dates that it came to.",
  ]

  static let startNotes = [
    "A start at a date without an offset stays that time of day in its zone, whatever becomes of the "
      + "zone's rules; with --zone floating it is that time of day wherever the machine then is."
  ]

  static let contentNotes = [
    "KEY:=JSON sets numbers, lists and objects. A dot reaches inside an object; \\. is a dot that "
      + "belongs to the key."
  ]

  private static func create(_ context: Context) throws(Failure) -> ExitCode {
    let allowed = try context.invocation.allowedPast()
    var builder = try RequestBuilder(context.invocation)
    let daemon = try context.connect()
    var time = try daemon.timeReader(context.invocation)
    let request = try builder.request(&time)
    let reply: JSONNode
    do throws(Failure) {
      reply = try daemon.ask(request)
    } catch  where allowed == .skip && error.shortName == "StartDateNotInFuture" {
      // The daemon's own clock decided, so nothing can have come between.
      context.show(JSONNode.skipped) {}
      context.console.note("nothing was made: " + error.message)
      return .done
    }
    let activity = ActivityView(node: reply["activity"] ?? reply)
    context.show(reply) { context.console.line(activity.id) }
    let notice = CreationNotice(activity: activity, now: time.now, zone: time.zone)
    for line in notice.lines(created: reply["created"]?.bool ?? true) { context.console.note(line) }
    if let problem = reply["wakeProblem"]?.string {
      context.console.note("warning: it cannot wake this machine: " + harmless(problem), .yellow)
    }
    for note in time.notes { context.console.note("  note    " + harmless(note), .yellow) }
    return .done
  }
}

/// What becomes of a start that is past.
enum AllowedPast: String, CaseIterable {
  case start, skip
}

extension Invocation {
  fileprivate func allowedPast() throws(Failure) -> AllowedPast? {
    try choice(.allowPast) { (choice: AllowedPast) in choice.rawValue }
  }
}

extension JSONNode {
  /// What is written in place of a reply where nothing was made.
  fileprivate static var skipped: JSONNode {
    let text = try? JSONText { writer in
      writer.beginObject()
      writer.member("created", false)
      writer.member("skipped", true)
      writer.endObject()
    }
    return (try? text?.parsed()) ?? .nothing
  }
}
