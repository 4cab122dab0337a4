import JSON
import LiveActivity
import SchedulerAPI

extension Verb {
  static let history = Verb(
    "history", "[ID] [--since WHEN] [--until WHEN]", "what happened, oldest first",
    operands: 0...1, options: [.since, .until, .session, .zone] + ownerOptions,
    notes: [
      "Here a span counts back from now: --since 2h. In a pipe: number, date in UTC, owner, ID, "
        + "session, event, states, details; tabs between them."
    ]
  ) { context throws(Failure) in
    let invocation = context.invocation
    var history = HistoryParameters()
    if !invocation.operands.isEmpty { history.id = try invocation.id() }
    history.session = try invocation.number(.session)
    guard history.session == nil || history.id != nil else {
      throw .usage("--session goes with an Activity ID")
    }
    (history.owner, history.everyOwner) = try invocation.listedOwner()
    let daemon = try context.connect()
    if invocation.has(.since) || invocation.has(.until) {
      var time = try daemon.timeReader(invocation)
      history.sinceDate = try past(invocation.last(.since), &time)
      history.untilDate = try past(invocation.last(.until), &time)
      for note in time.notes { context.console.note("note    " + harmless(note), .yellow) }
    }
    let console = context.console
    let zone = TimeReader.zoneToShow()
    var audience = ToldPeople()
    var table = Table(EventView.headings, flexible: EventView.headings.count - 1)
    try daemon.stream(history) { node throws(Failure) in
      for event in node["events"]?.elements ?? node.elements {
        let view = audience.completed(EventView(node: event))
        if console.isForPeople {
          table.rows.append(view.cells(zone))
        } else if console.form == .text {
          console.line(view.line)
        } else {
          console.value(event)
        }
      }
    }
    if !table.rows.isEmpty {
      let room = console.output.size.columns
      for line in table.lines(room: room, isColoured: console.output.isColoured) {
        console.line(line)
      }
    } else if console.isForPeople {
      console.note("no events")
    }
    return .done
  }

  /// A date; a span counts back from now, to 1970 at most.
  private static func past(
    _ given: Invocation.Given?, _ time: inout TimeReader
  ) throws(Failure) -> WallTime? {
    guard let given else { return nil }
    switch try time.moment(given.value, given.spelling) {
    case .at(let date): return date
    case .after(let span):
      return WallTime(microseconds: max(0, time.now.addingClamped(-span.microseconds)))
    }
  }
}
