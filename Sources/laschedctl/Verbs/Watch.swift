import Following
import Glibc
import JSON
import LiveActivity
import SchedulerAPI

extension Verb {
  static let watch = Verb(
    "watch", "[ID…]", "a live view; in a pipe, and with --json, an event a line",
    operands: 0...Int.max, options: [.application] + ownerOptions,
    notes: [
      "It follows the system's daemon and the user's, unless one is chosen; outlives a restart and "
        + "resumes where it was.",
      "On a terminal each activity is a card, the most relevant first, then the earliest: arrows or "
        + "j and k select one, 1 to 9 use its actions, c twice cancels it, e twice ends it, d takes "
        + "it off the screen, o opens its address, ? tells all keys. q or Ctrl-C ends it.",
    ]
  ) { context throws(Failure) in
    let invocation = context.invocation
    var monitor = MonitorParameters()
    if !invocation.operands.isEmpty {
      monitor.ids = try invocation.operands.map { text throws(Failure) in
        try Invocation.id(text)
      }
    }
    monitor.application = invocation.value(.application)
    (monitor.owner, monitor.everyOwner) = try invocation.listedOwner()
    let choices = try SocketChoice.all(invocation)
    if context.console.isForPeople {
      var view = try LiveView(context, choices, monitor)
      return try view.run()
    }
    try follow(context.console, choices, monitor)
    return .refused
  }

  /// Writes events for ever, each as soon as it is known; ends only where stdout is gone.
  private static func follow(
    _ console: Console, _ choices: [SocketChoice], _ monitor: MonitorParameters
  ) throws(Failure) {
    let watchers = try Watcher.all(choices, monitor)
    var known: Set<Int> = []
    while !console.isBroken {
      for (place, watcher) in watchers.enumerated() {
        let name = watchers.count > 1 ? "the \(watcher.choice.name)'s daemon" : "the daemon"
        while let item = try watcher.next() {
          switch item {
          case .snapshot: break
          case .event(let event):
            if console.form == .text {
              console.line(EventView(node: event).line)
            } else {
              console.value(event)
            }
          case .ready(let sequence, _, let resumed):
            let isNew = known.insert(place).inserted
            console.note(ready(name, sequence, resumed: resumed, isNew: isNew))
          case .lost: console.note("laschedctl: \(name) went away; waiting for it")
          }
          console.flush()
          if console.isBroken { return }
        }
      }
      waitForInput(
        watchers.compactMap(\.descriptor), milliseconds: watchers.compactMap(\.patience).min())
    }
  }

  private static func ready(
    _ name: String, _ sequence: Int64, resumed: Bool, isNew: Bool
  ) -> String {
    if resumed { return "laschedctl: resumed, up to event \(sequence)" }
    return isNew
      ? "laschedctl: watching \(name), from event \(sequence)"
      : "laschedctl: \(name) is back; what happened meanwhile is not known (event \(sequence))"
  }
}
