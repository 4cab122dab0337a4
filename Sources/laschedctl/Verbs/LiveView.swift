import Glibc
import JSON
import LiveActivity
import SchedulerAPI
import TimeExpressions

/// `watch` on a terminal: what is live, and what happened last, drawn again when that changes.
struct LiveView {
  private let context: Context
  private let choice: SocketChoice
  private let monitor: MonitorParameters
  private let watcher: Watcher
  private let signals: SignalPipe
  private let screen: Screen
  private let zone = TimeReader.zoneToShow()
  private var reader: Daemon?
  private var clock = DaemonClock()
  private var table = LiveTable()
  private var recent: [EventView] = []
  private var message = "connecting"
  private var wasReady = false
  private var hasEnded = false
  /// Whether something has changed since it was drawn.
  private var isDue = true
  private var drawnAt = 0
  private var tickAt: Int?

  /// Drawn at most this often, in milliseconds.
  private static let pace = 100

  init(
    _ context: Context, _ choice: SocketChoice, _ monitor: MonitorParameters
  ) throws(Failure) {
    self.context = context
    self.choice = choice
    self.monitor = monitor
    watcher = try Watcher(choice, monitor)
    signals = try SignalPipe([SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP, SIGCONT])
    screen = Screen(context.console.output)
  }

  mutating func run() throws(Failure) -> ExitCode {
    screen.enter()
    defer { screen.leave() }
    while true {
      while let item = try watcher.next() { take(item) }
      if let end = obey() { return end }
      try draw()
      let descriptors = [watcher.descriptor, signals.descriptor, screen.keys].compactMap { $0 }
      let limits = [watcher.patience, patience].compactMap { $0 }
      waitForInput(descriptors, milliseconds: limits.min())
    }
  }

  private mutating func take(_ item: Watcher.Item) {
    isDue = true
    switch item {
    case .snapshot(let node):
      if hasEnded { table.removeAll() }
      hasEnded = false
      table.take(ActivityView(node: node))
    case .event(let node):
      let event = EventView(node: node)
      table.note(event)
      recent.append(event)
      if recent.count > 20 { recent.removeFirst(recent.count - 20) }
    case .ready(_, _, let resumed):
      if hasEnded, !resumed { table.removeAll() }
      hasEnded = false
      message = wasReady ? (resumed ? "resumed" : "back; what happened meanwhile is not known") : ""
      wasReady = true
      reader = nil
    case .lost:
      hasEnded = true
      reader = nil
      message = "the daemon went away; waiting for it"
    }
  }

  /// Keys and signals; a code where the view is to end.
  private mutating func obey() -> ExitCode? {
    while let caught = signals.next() {
      switch caught.number {
      case SIGINT: return .done
      case SIGTSTP:
        screen.leave()
        kill(getpid(), SIGSTOP)
        screen.enter()
      case SIGWINCH, SIGCONT: break
      case let number: return ExitCode(128 + number)
      }
      isDue = true
    }
    var entry = pollfd(fd: screen.keys ?? -1, events: Int16(POLLIN), revents: 0)
    while unsafe poll(&entry, 1, 0) == 1, let key = screen.key() {
      if key == UInt8(ascii: "q") || key == UInt8(ascii: "Q") || key == 4 { return .done }
    }
    return nil
  }

  /// Milliseconds until it must be drawn again; nil while nothing on it moves by itself.
  private var patience: Int? {
    let due = isDue ? drawnAt + LiveView.pace : tickAt
    return due.map { max(0, $0 - monotonicMilliseconds()) }
  }

  private mutating func draw() throws(Failure) {
    guard patience == 0 else { return }
    try refresh()
    isDue = false
    drawnAt = monotonicMilliseconds()
    tickAt = tick.map { drawnAt + $0 }
    screen.draw(lines)
  }

  /// Milliseconds after which a distance that is shown may read otherwise: it changes with its
  /// second largest unit.
  private var tick: Int? {
    guard !clock.standsStill, wasReady else { return nil }
    let now = clock.now
    return table.sorted.compactMap { $0.next?.date }.map { date in
      switch (date &- now).magnitude {
      case ..<3_600_000_000: 1000
      case ..<86_400_000_000: 60_000
      default: 3_600_000
      }
    }.min()
  }

  /// Asks for what the events did not say.
  private mutating func refresh() throws(Failure) {
    guard wasReady, !hasEnded, reader == nil || isDue else { return }
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

  private var lines: [String] {
    let (columns, rows) = screen.size
    let isColoured = screen.isColoured
    let count = table.count
    var head = "lasched  \(count) \(count == 1 ? "activity" : "activities")"
    // A clock that runs would tick even where nothing else does.
    if clock.standsStill { head += "  \(TimeFormat.local(microseconds: clock.now, zone: zone))" }
    if !message.isEmpty { head += "  (\(message))" }
    var lines = [Style.bold.applied(to: Cells.fit(head, columns), isColoured), ""]
    let room = max(1, rows - 3 - min(recent.count, max(0, rows / 3)))
    var activities = ActivityTable(
      now: clock.now, zone: zone, hasOwner: monitor.everyOwner, room: columns)
    for activity in table.sorted.prefix(room) { activities.add(activity) }
    if !activities.isEmpty { lines += activities.lines(room: columns, isColoured: isColoured) }
    let left = rows - lines.count - 1
    guard left > 1, !recent.isEmpty else { return lines }
    lines.append("")
    for event in recent.suffix(left - 1) {
      let date = TimeText.brief(event.date, zone)
      let text = "\(date)  \(event.id)  \(event.kind)  \(event.brief)"
      lines.append(Style.dim.applied(to: Cells.fit(text, columns), isColoured))
    }
    return lines
  }
}
