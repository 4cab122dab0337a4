import Following
import Glibc
import JSON
import PresentationFiles
import Presentations
import SchedulerAPI
import TimeExpressions

/// `watch` on a terminal: what is live as cards, what happened last, and keys for what a person can
/// do with them. Drawn again when a text on it changes; it waits for nothing else.
struct LiveView {
  let sources: [LiveSource]
  private let signals: SignalPipe
  private let screen: Screen
  let presentations = PresentationFiles().library
  let zone = TimeReader.zoneToShow()
  private var keys = KeyReader()
  var deck = Deck()
  /// What the last line says; the keys where there is nothing to say.
  var notice = Notice()
  private var recent: [EventView] = []
  /// Whether something has changed since it was drawn.
  var isDue = true
  /// When that was, in milliseconds of CLOCK_MONOTONIC.
  private var drawnAt = 0
  private var change: Deck.Change?
  private let begun = monotonicMilliseconds()
  private var keysInDoubtSince: Int?

  /// Drawn at most this often, in milliseconds.
  private static let pace = 100
  /// How long the rest of an escape sequence may take, in milliseconds.
  private static let keyPatience = 50

  init(
    _ context: Context, _ choices: [SocketChoice], _ monitor: MonitorParameters
  ) throws(Failure) {
    sources = try Watcher.all(choices, monitor).map { LiveSource($0, monitor) }
    signals = try SignalPipe([SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP, SIGCONT])
    screen = Screen(context.console.output, interruptedBy: signals.descriptor)
  }

  mutating func run() throws(Failure) -> ExitCode {
    screen.enter()
    defer { screen.leave() }
    while true {
      for source in sources {
        while let item = try source.watcher.next() {
          source.take(item)
          if case .event(let node) = item { recent.append(EventView(node: node)) }
        }
        source.refresh()
        if let word = source.takeWord() { notice = Notice(word) }
        if source.hasNews { isDue = true }
      }
      if recent.count > 20 { recent.removeFirst(recent.count - 20) }
      if let end = obey() ?? press() { return end }
      if patience == 0 { draw() }
      let descriptors = [signals.descriptor, screen.keysDescriptor].compactMap { $0 }
      let limits = [patience, keyPatience] + sources.map { $0.watcher.patience }
      waitForInput(
        descriptors + sources.flatMap(\.descriptors),
        milliseconds: limits.compactMap { $0 }.min())
    }
  }

  /// Signals; a code where the view is to end.
  private mutating func obey() -> ExitCode? {
    while let caught = signals.next() {
      switch caught.number {
      case SIGINT: return .done
      case SIGTSTP:
        screen.leave()
        kill(getpid(), SIGSTOP)
        screen.enter()
      case SIGWINCH: break
      case SIGCONT: screen.forget()
      case let number: return ExitCode(128 + number)
      }
      isDue = true
    }
    return nil
  }

  /// Keys; a code where the view is to end.
  private mutating func press() -> ExitCode? {
    // Ctrl-D, and a terminal that is gone, end it too.
    guard let bytes = screen.keys() else { return .done }
    keys.take(bytes)
    if !bytes.isEmpty { keysInDoubtSince = monotonicMilliseconds() }
    let isOver = keyPatience == 0
    while let key = keys.next(isOver: isOver) {
      switch key {
      case .character("q"), .character("Q"), .character("\u{4}"): return .done
      case .character("\u{C}"): screen.forget()
      default: act(on: key, page: max(1, screen.size.rows / 6))
      }
      isDue = true
    }
    if !keys.isInDoubt { keysInDoubtSince = nil }
    return nil
  }

  /// Milliseconds until an escape sequence that has begun is taken for the Escape key.
  private var keyPatience: Int? {
    guard keys.isInDoubt, let since = keysInDoubtSince else { return nil }
    return max(0, since + LiveView.keyPatience - monotonicMilliseconds())
  }

  /// Milliseconds until it must be drawn again; nil while nothing on it moves by itself.
  private var patience: Int? {
    let now = monotonicMilliseconds()
    if isDue {
      // The first picture waits a little for what there is to see.
      let isComplete = sources.allSatisfy(\.isComplete)
      return max(0, drawnAt + LiveView.pace - now, isComplete ? 0 : begun + 300 - now)
    }
    var limits: [Int] = []
    if let until = notice.until { limits.append(max(0, until - now)) }
    if screen.canTick, let distance = change?.distance {
      // Rounded up, and not at once again where a clock runs backward.
      limits.append(max(drawnAt + 1 - now, Int(clamping: distance / 1000) + 1, 0))
    }
    return limits.min()
  }

  private mutating func draw() {
    isDue = false
    for source in sources { source.settle() }
    drawnAt = monotonicMilliseconds()
    if let until = notice.until, until <= drawnAt { notice = Notice() }
    deck.take(sources)
    let (columns, rows) = screen.size
    let picture = picture(columns: columns, rows: rows)
    screen.draw(picture.map { line($0) })
  }

  /// The rows: a head, cards, what happened last, and the line of keys.
  private mutating func picture(columns: Int, rows: Int) -> [Card.Row] {
    var picture = sources.map { head($0, columns) }
    if rows > 8 { picture.append(Card.Row()) }
    let presentations = presentations
    let (reader, zone, hasTwo) = (Users.own, zone, sources.count > 1)
    let room = rows - picture.count - 1
    let events = min(recent.count, room > 9 ? room / 4 : 0)
    let cards = deck.layOut(
      columns: columns, rows: room - (events > 0 ? events + 1 : 0)
    ) { entry in
      Card(
        entry.activity, now: entry.source.clock.now, zone: zone, reader: reader,
        daemon: hasTwo ? entry.source.choice.name : nil, presentations: presentations)
    }
    change = cards.next
    picture += cards.rows
    if events > 0 {
      picture.append(Card.Row())
      for event in recent.suffix(events) {
        let text = "\(TimeText.brief(event.date, zone))  \(event.id)  \(event.kind)  \(event.brief)"
        picture.append(Card.Row(left: [Card.Piece(Cells.fit(text, columns), .dim)]))
      }
    }
    let isLong = picture.count > rows - 1
    picture = Array(picture.prefix(max(0, rows - 1)))
    if screen.canTick, !isLong {
      picture += Array(repeating: Card.Row(), count: max(0, rows - 1 - picture.count))
    }
    picture.append(foot(columns))
    return picture
  }

  private func head(_ source: LiveSource, _ columns: Int) -> Card.Row {
    let count = source.table.count
    var head = sources.count > 1 ? "lasched (\(source.choice.name))" : "lasched"
    head += "  \(count) \(count == 1 ? "activity" : "activities")"
    // A clock that runs would tick even where nothing else does.
    if source.clock.standsStill { head += "  \(TimeText.brief(source.clock.now, zone))" }
    if !source.message.isEmpty { head += "  (\(source.message))" }
    return Card.Row(left: [Card.Piece(Cells.fit(head, columns), .bold)])
  }

  private func foot(_ columns: Int) -> Card.Row {
    if !notice.text.isEmpty {
      return Card.Row(left: [Card.Piece(Cells.fit(notice.text, columns), .yellow)])
    }
    guard screen.keysDescriptor != nil else { return Card.Row() }
    return Card.Row(left: [Card.Piece(Cells.fit(Notice.keys(columns), columns), .dim)])
  }

  private func line(_ row: Card.Row) -> Screen.Line {
    let isColoured = screen.isColoured
    var line = Screen.Line()
    for piece in row.left {
      line.left += piece.style.applied(to: piece.text, isColoured)
      line.leftWidth += Cells.width(of: piece.text)
    }
    if let right = row.right {
      line.right = right.style.applied(to: right.text, isColoured)
      line.rightWidth = Cells.width(of: right.text)
    }
    return line
  }
}
