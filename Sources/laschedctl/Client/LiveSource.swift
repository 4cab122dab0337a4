import Following
import SchedulerAPI

/// One daemon that is watched: what is live there, kept up to date, and its clock.
final class LiveSource {
  let watcher: Watcher
  private let monitor: MonitorParameters
  private var reader: Daemon?
  private(set) var clock = DaemonClock()
  private(set) var table = LiveTable()
  /// How things stand with the daemon; nothing while all is well.
  private(set) var message = "connecting"
  private(set) var isKnown = false
  private var isLost = false

  init(_ watcher: Watcher, _ monitor: MonitorParameters) {
    self.watcher = watcher
    self.monitor = monitor
  }

  var choice: SocketChoice { watcher.choice }

  /// Takes what the watcher has.
  func take(_ item: Watcher.Item) {
    switch item {
    case .snapshot(let node):
      if isLost { table.removeAll() }
      isLost = false
      table.take(ActivityView(node: node))
    case .event(let node): table.note(EventView(node: node))
    case .ready(_, _, let resumed):
      if isLost, !resumed { table.removeAll() }
      isLost = false
      message =
        isKnown ? (resumed ? "resumed" : "back; what happened meanwhile is not known") : ""
      isKnown = true
      reader = nil
    case .lost:
      isLost = true
      reader = nil
      message = "the daemon went away; waiting for it"
    }
  }

  /// Asks for what the events did not say.
  func refresh() throws(Failure) {
    guard isKnown, !isLost else { return }
    do throws(Failure) {
      let isNew = reader == nil
      let daemon: Daemon
      if let reader { daemon = reader } else { daemon = try Daemon(choice) }
      reader = daemon
      if isNew || clock.standsStill { try clock.read(daemon) }
      if table.needsReading { try table.read(daemon, monitor) }
    } catch  where error.code == .unreachable {
      // The watcher notices too, and says so.
      reader = nil
    }
  }

  /// Milliseconds after which a distance that is shown may read otherwise: it changes with its
  /// second largest unit. nil while nothing moves by itself.
  var tick: Int? {
    guard !clock.standsStill, isKnown else { return nil }
    let now = clock.now
    return table.nextDates.map { date in
      switch date.subtractingReportingOverflow(now).partialValue.magnitude {
      case ..<3_600_000_000: 1000
      case ..<86_400_000_000: 60_000
      default: 3_600_000
      }
    }.min()
  }
}
