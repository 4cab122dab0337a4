import Following
import JSON
import LiveActivity
import SchedulerAPI

/// One daemon that is watched: what is live there, kept up to date, and its clock. It never waits.
final class LiveSource {
  let watcher: Watcher
  let asker: Asker
  private let monitor: MonitorParameters
  private(set) var clock = DaemonClock()
  private(set) var table = LiveTable()
  /// How things stand with the daemon; nothing while all is well.
  private(set) var message = "connecting"
  private(set) var isKnown = false
  private var isLost = false
  private var isClockKnown = false
  /// Whether something has come that has to be drawn.
  private(set) var hasNews = true

  init(_ watcher: Watcher, _ monitor: MonitorParameters) {
    self.watcher = watcher
    self.monitor = monitor
    asker = Asker(watcher.choice)
  }

  var choice: SocketChoice { watcher.choice }

  /// What poll(2) waits for.
  var descriptors: [Int32] { [watcher.descriptor, asker.descriptor].compactMap { $0 } }

  /// Takes what the watcher has.
  func take(_ item: Watcher.Item) {
    hasNews = true
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
      isClockKnown = false
      asker.drop()
    case .lost:
      isLost = true
      message = "the daemon went away; waiting for it"
      asker.drop()
    }
  }

  /// Whether all that was heard of is known in full.
  var isComplete: Bool { isKnown && !asker.isWaiting && (isLost || !table.needsReading) }

  /// What there is to say of something that was asked for.
  private var word: String?

  func say(_ text: String) {
    word = text
    hasNews = true
  }

  /// What there is to say, once.
  func takeWord() -> String? {
    defer { word = nil }
    return word
  }

  /// It is drawn as it is now.
  func settle() { hasNews = false }

  /// Takes the answers that have come, and asks for what the events did not say.
  func refresh() {
    asker.collect()
    guard isKnown, !isLost, !asker.isWaiting else { return }
    if !isClockKnown || (clock.standsStill && table.needsReading) { readClock() }
    if table.needsReading { readTable() }
  }

  private func readClock() {
    if !isClockKnown {
      isClockKnown = true
      asker.ask(
        { [weak self] answer, _ in
          if case .success(let info) = answer { self?.clock.take(info: info) }
        }, sending: { daemon throws(Failure) in try daemon.sendForInfo() })
    }
    let sent = machineMicroseconds()
    asker.ask(GetStatusParameters()) { [weak self] answer, _ in
      guard let self, case .success(let status) = answer, let now = instant(status["now"]) else {
        return
      }
      clock.take(now: now, askedAt: sent)
      hasNews = true
    }
  }

  /// Reads what has changed: one by one, or all at once where that is less.
  private func readTable() {
    guard let keys = table.takeChanged(most: 50) else { return readAll() }
    for key in keys {
      var get = GetParameters(id: key.id)
      get.owner = key.owner
      asker.ask(get) { [weak self] answer, _ in
        self?.hasNews = true
        switch answer {
        case .success(let node): self?.table.take(ActivityView(node: node["activity"] ?? node))
        case .failure(let failure) where failure.code == .unreachable: self?.table.note(key)
        case .failure: self?.table.remove(key)
        }
      }
    }
  }

  private func readAll() {
    var list = ListParameters()
    list.states = [.pending, .active, .stale, .ended]
    list.owner = monitor.owner
    list.everyOwner = monitor.everyOwner
    list.application = monitor.application
    table.forgetChanged()
    var read = LiveTable()
    let wanted = monitor.ids.map(Set.init)
    asker.ask(list, more: true) { [weak self] answer, continues in
      guard case .success(let node) = answer else {
        self?.table.noteAll()
        return
      }
      for element in node["activities"]?.elements ?? node.elements {
        let activity = ActivityView(node: element)
        if wanted?.contains(activity.key.id) ?? true { read.take(activity) }
      }
      if !continues {
        self?.table.replaceAll(by: read)
        self?.hasNews = true
      }
    }
  }
}
