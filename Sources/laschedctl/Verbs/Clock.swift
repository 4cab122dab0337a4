import JSON
import LiveActivity
import SchedulerAPI
import TimeExpressions

extension Verb {
  static let clock = Verb(
    "clock", "now|advance SPAN|to WHEN|next|step SPAN|suspend SPAN|zone ZONE",
    "move the time of a daemon with --test-clock, and tell what happens", operands: 1...2,
    options: [.everyOwner],
    notes: [
      "advance, to and next move the time forward, one deadline after the other, so that nothing "
        + "is late. step sets the wall clock, forward or back (step -1d). suspend lets the machine "
        + "sleep. stdout has what happened, an event a line."
    ]
  ) { context throws(Failure) in
    let operands = context.invocation.operands
    let word = operands[0]
    let argument = operands.count > 1 ? operands[1] : nil
    let takesNone = ["now", "next"].contains(word)
    guard takesNone || ["advance", "to", "step", "suspend", "zone"].contains(word) else {
      throw .usage("clock '\(word)' is none of now, advance, to, next, step, suspend, zone")
    }
    if takesNone, let argument { throw .usage("clock \(word) does not take '\(argument)'") }
    if !takesNone, argument == nil {
      let what = word == "to" ? "WHEN" : word == "zone" ? "ZONE" : "SPAN"
      throw .usage("clock \(word) needs a value: clock \(word) \(what)")
    }
    let move = try move(word, argument ?? "")
    let daemon = try context.connect()
    do throws(Failure) {
      if word == "now" { return try tellNow(context, daemon) }
      guard let move else {
        return try context.move(to(argument ?? "", context, daemon), daemon)
      }
      return try context.move(move, daemon)
    } catch  where error.shortName == "InterfaceNotFound" {
      throw Failure(
        error.code, error.name,
        "the daemon's time is the machine's; 'laschedctl test -- COMMAND' has one whose time moves "
          + "on command", parameters: error.parameters)
    }
  }

  /// What needs no clock to be understood; nil for `now` and `to`.
  private static func move(_ word: String, _ argument: String) throws(Failure) -> TestClockMove? {
    switch word {
    case "advance": .advance(by: try TimeReader.span(argument, "advance"))
    case "next": .advanceToNext
    case "step": .step(by: try TimeReader.span(argument, "step", signed: true))
    case "suspend": .suspend(for: try TimeReader.span(argument, "suspend"))
    case "zone": .setZone(argument)
    default: nil
    }
  }

  private static func to(
    _ argument: String, _ context: Context, _ daemon: Daemon
  ) throws(Failure) -> TestClockMove {
    var time = try daemon.timeReader(context.invocation)
    let date = try time.date(argument, "to")
    for note in time.notes { context.console.note("note    " + harmless(note), .yellow) }
    return .advanceTo(date)
  }

  private static func tellNow(_ context: Context, _ daemon: Daemon) throws(Failure) -> ExitCode {
    let answer = try daemon.call(TestClockNow())
    context.show(answer.node) {
      let now = answer.reply.clocks.wall.microseconds
      context.console.line(TimeText.utc(now))
      context.console.note("  " + TimeText.local(now, TimeReader.zoneToShow()))
    }
    return .done
  }
}

extension Context {
  fileprivate func move(_ move: TestClockMove, _ daemon: Daemon) throws(Failure) -> ExitCode {
    let before = try daemon.call(GetStatusParameters()).reply
    let reply = try daemon.clock(move).reply
    let zone = TimeReader.zoneToShow()
    if reply.sequence > before.sequence {
      var monitor = MonitorParameters()
      monitor.since = before.sequence
      monitor.store = before.store
      monitor.everyOwner = invocation.has(.everyOwner) || Users.isRoot
      try tell(monitor, upTo: reply.sequence, zone)
    }
    let count = "\(reply.events) \(reply.events == 1 ? "event" : "events")"
    console.note("\(TimeText.local(reply.wall.microseconds, zone)): \(count)")
    return .done
  }

  /// Tells the events after `since`.
  private func tell(
    _ monitor: MonitorParameters, upTo last: Int64, _ zone: TimeZoneRules
  ) throws(Failure) {
    let daemon = try connect()
    try daemon.send(monitor, more: true)
    while let (node, _) = try daemon.next(milliseconds: nil), node["ready"]?.kind != .object {
      guard let event = node["event"], !event.isNull else { continue }
      let view = EventView(node: event)
      guard view.sequence <= last else { return }
      if console.form != .text {
        console.value(event)
      } else if console.isForPeople {
        console.line(
          "\(TimeFormat.local(microseconds: view.date, zone: zone))  \(view.id)  "
            + Style.bold.applied(to: view.kind, console.output.isColoured) + "  \(view.details)")
      } else {
        console.line(view.line)
      }
    }
  }
}
