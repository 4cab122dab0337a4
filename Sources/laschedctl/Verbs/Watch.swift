import Glibc
import JSON
import LiveActivity
import SchedulerAPI

extension Verb {
  static let watch = Verb(
    "watch", "[ID…]", "a live view; in a pipe, and with --json, an event a line",
    operands: 0...Int.max, options: [.application] + ownerOptions,
    notes: ["It outlives a restart of the daemon and resumes where it was. q or Ctrl-C ends it."]
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
    let choice = try context.socket()
    if context.console.isForPeople {
      var view = try LiveView(context, choice, monitor)
      return try view.run()
    }
    try follow(context, choice, monitor)
    return .refused
  }

  /// Writes events for ever, each as soon as it is known; ends only where stdout is gone.
  private static func follow(
    _ context: Context, _ choice: SocketChoice, _ monitor: MonitorParameters
  ) throws(Failure) {
    let console = context.console
    let watcher = try Watcher(choice, monitor)
    var wasReady = false
    while !console.isBroken {
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
          console.note(WatchText.ready(sequence, resumed: resumed, again: wasReady))
          wasReady = true
        case .lost: console.note(WatchText.lost)
        }
        console.flush()
        if console.isBroken { return }
      }
      waitForInput(watcher.descriptor.map { [$0] } ?? [], milliseconds: watcher.patience)
    }
  }
}

/// What a watcher tells of itself.
enum WatchText {
  static let lost = "laschedctl: the daemon went away; waiting for it"

  static func ready(_ sequence: Int64, resumed: Bool, again: Bool) -> String {
    if resumed { return "laschedctl: resumed, up to event \(sequence)" }
    return again
      ? "laschedctl: the daemon is back; what happened meanwhile is not known (event \(sequence))"
      : "laschedctl: watching, from event \(sequence)"
  }
}
