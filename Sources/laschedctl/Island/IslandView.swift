import Following
import Glibc
import PresentationFiles
import Presentations
import SchedulerAPI
import TimeExpressions

/// Writes the island whenever it changes, and sleeps otherwise: until something happens at a daemon,
/// a text that is shown ticks, or whoever reads it goes away.
struct IslandView {
  private let console: Console
  private let format: IslandFormat
  private let sources: [LiveSource]
  private let arrival: SocketArrival?
  private let library: PresentationLibrary
  private let settings: LookSettings
  private var written: String?
  /// When what is shown changes by itself, in milliseconds of CLOCK_MONOTONIC.
  private var tickAt: Int?

  init(_ context: Context, _ format: IslandFormat, _ sources: [LiveSource], follows: Bool) {
    console = context.console
    self.format = format
    self.sources = sources
    let paths = sources.map(\.choice.path)
    arrival = follows ? SocketArrival(paths) : nil
    let files = PresentationFiles()
    for problem in files.problems { context.console.note(harmless(problem)) }
    for mistake in files.library.diagnostics { context.console.note(harmless("\(mistake)")) }
    library = files.library
    settings = LookSettings(
      zone: TimeReader.zoneToShow(), dataDirectories: PresentationFiles.dataDirectories)
  }

  /// Follows until nobody reads any more.
  mutating func run() throws(Failure) {
    while !console.isBroken {
      try take()
      show()
      if console.isBroken { return }
      // Where there is no socket it is seen when it is made.
      let waiting = sources.filter { arrival == nil || $0.watcher.isSocketThere }
      var limits = waiting.compactMap(\.watcher.patience)
      if let tickAt { limits.append(max(0, tickAt - monotonicMilliseconds())) }
      guard wait(milliseconds: limits.min()) else { return }
      if arrival?.hasCome() == true { for source in sources { source.watcher.hurry() } }
    }
  }

  /// Shows what runs now, and ends.
  mutating func once() throws(Failure) {
    try settle()
    show()
  }

  /// Whose an activity is, of what is followed.
  func choice(of activity: ActivityView) -> SocketChoice? {
    sources.first { source in
      source.table.all.contains {
        $0.rawID == activity.rawID && $0.owner == activity.owner && $0.session == activity.session
      }
    }?.choice
  }

  /// Waits until all daemons that are there have told what they know.
  func settle() throws(Failure) {
    let end = monotonicMilliseconds() + 5000
    while true {
      try take()
      let left = end - monotonicMilliseconds()
      if left <= 0 || isSettled { return }
      waitForInput(sources.flatMap(\.descriptors), milliseconds: left)
    }
  }

  private var isSettled: Bool {
    sources.allSatisfy { $0.isComplete || $0.watcher.descriptor == nil }
  }

  private func take() throws(Failure) {
    for source in sources {
      while let item = try source.watcher.next() { source.take(item) }
      source.refresh()
    }
  }

  /// What is shown now.
  var island: Island {
    Island(
      sources.flatMap { source in
        source.table.all.map { ($0, source.clock.now, !source.clock.standsStill) }
      }, library, settings)
  }

  private mutating func show() {
    // Nothing is known yet: an empty line would only flicker.
    guard sources.contains(where: \.isKnown) || written == nil else { return }
    let island = island
    let line = format.line(island)
    // A millisecond later than the tick, which is where the text is the next one for sure.
    tickAt = island.patience.map { monotonicMilliseconds() + Int(clamping: $0 / 1000) + 1 }
    guard line != written else { return }
    written = line
    console.line(line)
    console.flush()
  }

  /// Waits for input, a tick, or the reader's end. Returns false for the last.
  private func wait(milliseconds: Int?) -> Bool {
    var entries =
      (sources.flatMap(\.descriptors) + [arrival?.descriptor].compactMap { $0 })
      .map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    // Of a pipe whose reader is gone POLLERR is told in any case, of a socket POLLHUP.
    entries.append(pollfd(fd: STDOUT_FILENO, events: 0, revents: 0))
    _ = unsafe poll(&entries, nfds_t(entries.count), Int32(clamping: milliseconds ?? -1))
    return (entries.last?.revents ?? 0) & Int16(POLLERR | POLLHUP | POLLNVAL) == 0
  }
}
