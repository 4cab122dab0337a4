import Following
import Glibc
import JSON
import SchedulerAPI
import TimeExpressions

/// `watch` on a terminal: what is live, and what happened last, drawn again when that changes.
struct LiveView {
  private let sources: [LiveSource]
  private let hasOwner: Bool
  private let signals: SignalPipe
  private let screen: Screen
  private let zone = TimeReader.zoneToShow()
  private var recent: [EventView] = []
  /// Whether something has changed since it was drawn.
  private var isDue = true
  private var drawnAt = 0
  private var tickAt: Int?

  /// Drawn at most this often, in milliseconds.
  private static let pace = 100

  init(
    _ context: Context, _ choices: [SocketChoice], _ monitor: MonitorParameters
  ) throws(Failure) {
    sources = try Watcher.all(choices, monitor).map { LiveSource($0, monitor) }
    hasOwner = monitor.everyOwner
    signals = try SignalPipe([SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP, SIGCONT])
    screen = Screen(context.console.output)
  }

  mutating func run() throws(Failure) -> ExitCode {
    screen.enter()
    defer { screen.leave() }
    while true {
      for source in sources {
        while let item = try source.watcher.next() {
          source.take(item)
          if case .event(let node) = item { recent.append(EventView(node: node)) }
          isDue = true
        }
      }
      if recent.count > 20 { recent.removeFirst(recent.count - 20) }
      if let end = obey() { return end }
      try draw()
      let descriptors = [signals.descriptor, screen.keys] + sources.map { $0.watcher.descriptor }
      let limits = [patience] + sources.map { $0.watcher.patience }
      waitForInput(
        descriptors.compactMap { $0 }, milliseconds: limits.compactMap { $0 }.min())
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
    while unsafe poll(&entry, 1, 0) == 1 {
      // Ctrl-D, and a terminal that is gone, end it too.
      guard let key = screen.key(), key != 4 else { return .done }
      if key == UInt8(ascii: "q") || key == UInt8(ascii: "Q") { return .done }
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
    if isDue { for source in sources { try source.refresh() } }
    isDue = false
    drawnAt = monotonicMilliseconds()
    tickAt = sources.compactMap(\.tick).min().map { drawnAt + $0 }
    screen.draw(lines)
  }

  private var lines: [String] {
    let (columns, rows) = screen.size
    let isColoured = screen.isColoured
    var lines = sources.map { source in
      Style.bold.applied(to: Cells.fit(head(source), columns), isColoured)
    }
    lines.append("")
    let room = max(1, rows - lines.count - 1 - min(recent.count + 1, max(0, rows / 3)))
    var table = ActivityTable(
      zone: zone, hasOwner: hasOwner, hasDaemon: sources.count > 1, room: columns)
    for (activity, source) in sorted.prefix(room) {
      table.add(activity, now: source.clock.now, daemon: source.choice.name)
    }
    if !table.isEmpty { lines += table.lines(room: columns, isColoured: isColoured) }
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

  private func head(_ source: LiveSource) -> String {
    let count = source.table.count
    var head = sources.count > 1 ? "lasched (\(source.choice.name))" : "lasched"
    head += "  \(count) \(count == 1 ? "activity" : "activities")"
    // A clock that runs would tick even where nothing else does.
    if source.clock.standsStill { head += "  \(TimeText.brief(source.clock.now, zone))" }
    return source.message.isEmpty ? head : head + "  (\(source.message))"
  }

  private var sorted: [(ActivityView, LiveSource)] {
    let all = sources.flatMap { source in source.table.sorted.map { ($0, source) } }
    return sources.count < 2 ? all : all.sorted { LiveTable.order($0.0) < LiveTable.order($1.0) }
  }
}
