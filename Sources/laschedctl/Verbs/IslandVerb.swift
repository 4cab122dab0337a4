import Following
import Glibc
import JSON
import LiveActivity
import SchedulerAPI

extension Verb {
  static let island = Verb(
    "island", "[open|dismiss|act ACTION] [--follow] [--format=FORMAT]",
    "what runs now, on one line for a bar", operands: 0...2,
    options: [.follow, .format, .application, .owner],
    notes: [
      "The activity that matters most, the least of a second one, and how many there are beyond "
        + "these; an empty line where nothing runs. With --follow a line whenever that changes; "
        + "texts that tick do so once a second, and nothing else wakes it. It follows the system's "
        + "daemon and the user's, unless one is chosen, waits for them and outlives their restarts.",
      "open, dismiss and act are for clicks: they open the address of the activity that matters "
        + "most (http and https), dismiss it, or use one of its actions.",
    ]
  ) { context throws(Failure) in
    let invocation = context.invocation
    let format =
      try invocation.choice(.format) { (format: IslandFormat) in format.rawValue }
      ?? (context.console.form == .text ? .plain : .json)
    var monitor = MonitorParameters()
    monitor.application = invocation.value(.application)
    monitor.owner = try invocation.owner()
    let click = try IslandClick(invocation.operands)
    let follows = invocation.has(.follow)
    if follows, click != nil { throw .usage("--follow does not go with \(invocation.operands[0])") }
    let choices = follows ? try SocketChoice.both(invocation) : try SocketChoice.all(invocation)
    let watchers =
      follows
      ? choices.map { Watcher(waitingFor: $0, monitor, longestPause: 60_000) }
      : try Watcher.all(choices, monitor)
    var view = IslandView(
      context, format, watchers.map { LiveSource($0, monitor) }, follows: follows)
    if follows {
      try view.run()
    } else if let click {
      try view.settle()
      return try click.run(view, context)
    } else {
      try view.once()
    }
    return .done
  }
}
