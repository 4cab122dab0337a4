internal import Dispatch
internal import Following
internal import Glibc
internal import JSON
internal import LiveActivity
internal import SchedulerAPI
internal import Synchronization

/// The connection on which a process hears of all its sessions, whatever their number.
///
/// A thread of its own reads it; whoever wants to see all that has come by now reads it too
/// (`catchUp`). It outlives the daemon: it comes back and resumes by number.
final class SessionMonitor: Sendable {
  private let application: String
  private let path: String
  private let state: Mutex<State>
  private let queue = DispatchQueue(label: "io.lasched.monitor")
  /// Fetches the token of a session that has started.
  private let fetchToken: @Sendable (SessionRecord) -> Void

  fileprivate struct State {
    let follower: Follower
    var hasBegun = false
    var isReady = false
    var isClosed = false
    var store: String?
    var records: [SessionKey: SessionRecord] = [:]
    /// What is told before `ready`.
    var snapshots: [LiveActivity.Activity] = []
    /// Who wants to hear of new sessions, by attributes type.
    var openings: [String: Sinks<SessionRecord>] = [:]
    var enablements = Sinks<Bool>()
    /// Those that have just started.
    var wanting: [SessionRecord] = []
    /// What was last logged.
    var trouble: String?

    /// What to poll, to be closed afterwards, and for how long. A copy: another thread may find the
    /// connection broken and close it, and its number may be used again.
    var waiting: (descriptor: Int32?, patience: Int?) {
      (descriptor: follower.descriptor.map { dup($0) }, patience: follower.patience)
    }
  }

  init(
    _ path: String, application: String, fetchToken: @escaping @Sendable (SessionRecord) -> Void
  ) {
    self.path = path
    self.application = application
    self.fetchToken = fetchToken
    var parameters = MonitorParameters()
    parameters.application = application
    state = Mutex(State(follower: Follower(path, parameters)))
  }

  // MARK: Reading

  /// Connects if nobody has yet, and waits until all that is there is known. Without a daemon
  /// nothing is waited for: the thread goes on trying.
  func begin() {
    let isFirst = state.withLock { state in
      guard !state.hasBegun, !state.isClosed else { return false }
      state.hasBegun = true
      return true
    }
    if isFirst { queue.async { [weak self] in SessionMonitor.run { self } } }
    let deadline = monotonicMilliseconds() + 5_000
    while !catchUp(), monotonicMilliseconds() < deadline {
      guard let descriptor = state.withLock({ $0.waiting.descriptor }) else { return }
      SessionMonitor.wait(descriptor, 50)
    }
  }

  /// Takes all that has come by now. After a call that the daemon has just answered, a connection that
  /// was lost is made anew, and waited for.
  func catchUpAfterCall() {
    let deadline = monotonicMilliseconds() + 5_000
    while !catchUp(), monotonicMilliseconds() < deadline {
      let descriptor = state.withLock { state -> Int32? in
        guard state.hasBegun, !state.isClosed else { return nil }
        state.follower.hurry()
        return state.waiting.descriptor ?? -1
      }
      guard let descriptor else { return }
      SessionMonitor.wait(descriptor, 20)
    }
  }

  /// Takes all that has come by now; returns whether what is known is whole and up to date with it.
  @discardableResult
  func catchUp() -> Bool {
    let (isReady, wanting) = state.withLock { state -> (Bool, [SessionRecord]) in
      guard state.hasBegun, !state.isClosed else { return (false, []) }
      SessionMonitor.drain(&state)
      let wanting = state.wanting
      state.wanting = []
      return (state.isReady, wanting)
    }
    for record in wanting where record.claimToken() { fetchToken(record) }
    return isReady
  }

  /// No more reading.
  func close() {
    let ends = state.withLock { state in
      state.isClosed = true
      state.isReady = false
      return state.openings.keys.flatMap { state.openings[$0]?.takeAll() ?? [] }
        + state.enablements.takeAll()
    }
    for end in ends { end() }
  }

  private static func run(_ monitor: () -> SessionMonitor?) {
    while let self = monitor() {
      self.catchUp()
      guard let next = self.state.withLock({ $0.isClosed ? nil : $0.waiting }) else { return }
      wait(next.descriptor ?? -1, next.patience ?? -1)
    }
  }

  /// Waits until something can be read (poll(2)), or until so many milliseconds have passed.
  private static func wait(_ descriptor: Int32, _ milliseconds: Int) {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = unsafe poll(&entry, 1, Int32(clamping: milliseconds))
    if descriptor >= 0 { Glibc.close(descriptor) }
  }

  private static func drain(_ state: inout State) {
    while true {
      do throws(FollowerError) {
        guard let item = try state.follower.next() else { return }
        take(item, &state)
      } catch {
        state.isReady = false
        let trouble = "the daemon cannot be watched: \(error)"
        if state.trouble != trouble { LiveActivityLog.write(trouble) }
        state.trouble = trouble
        return
      }
    }
  }

  private static func take(_ item: Follower.Item, _ state: inout State) {
    do throws(SchedulerError) {
      switch item {
      case .snapshot(let node): state.snapshots.append(try LiveActivity.Activity(decoding: node))
      case .event(let node): state.take(try ActivityEvent(decoding: node))
      case .ready(_, let store, let resumed):
        if !resumed { state.reconcile(store) }
        state.store = store
        state.snapshots = []
        state.trouble = nil
        state.isReady = true
      case .lost:
        state.snapshots = []
        state.isReady = false
      }
    } catch {
      LiveActivityLog.write("what the daemon tells is not understood: \(error)")
    }
  }

  // MARK: What is known

  /// The record of a session, as a reply tells of it.
  func record(_ activity: LiveActivity.Activity) -> SessionRecord {
    let key = SessionKey(activity)
    return state.withLock { state in
      if let known = state.records[key] {
        known.take(activity)
        return known
      }
      let record = SessionRecord(activity)
      if activity.state != .dismissed, activity.application == application {
        state.open(record)
      }
      return record
    }
  }

  /// The sessions of a type, or of all, that are not dismissed, in the order of their making.
  func sessions(ofType type: String?) -> [SessionRecord] {
    state.withLock { $0.sessions(ofType: type) }
  }

  // MARK: Who listens

  /// Those that are there, then each new one.
  func openings(ofType type: String) -> AsyncStream<SessionRecord> {
    state.withLock { state in
      let first = state.sessions(ofType: type)
      return state.openings[type, default: Sinks()].add(first: first) { [weak self] number in
        self?.state.withLock { $0.openings[type]?.remove(number) }
      }
    }
  }

  /// Whether requests are taken, whenever somebody changes that.
  func enablements(now: Bool) -> AsyncStream<Bool> {
    state.withLock { state in
      state.enablements.add(first: [now]) { [weak self] number in
        self?.state.withLock { $0.enablements.remove(number) }
      }
    }
  }
}

extension SessionMonitor.State {
  fileprivate func sessions(ofType type: String?) -> [SessionRecord] {
    records.values.map { ($0, $0.activity) }
      .filter { type == nil || $0.1.attributesType == type }
      .sorted { ($0.1.createdDate, $0.1.id) < ($1.1.createdDate, $1.1.id) }
      .map(\.0)
  }

  fileprivate mutating func open(_ record: SessionRecord) {
    records[record.key] = record
    openings[record.activity.attributesType]?.yield(record)
  }

  fileprivate mutating func take(_ event: ActivityEvent) {
    if event.kind == .enabledChanged, let enabled = event.enabled {
      enablements.yield(enabled)
      return
    }
    guard let key = SessionKey(event) else { return }
    if let record = records[key] {
      record.take(event)
      if event.kind == .started { wanting.append(record) }
      if event.to == .dismissed { records[key] = nil }
    } else if event.kind == .scheduled, var activity = event.activity {
      activity.sequence = event.sequence
      open(SessionRecord(activity))
    }
  }

  /// What was missed is not kept any more: all that is there was told anew.
  fileprivate mutating func reconcile(_ newStore: String) {
    let isOther = store != nil && store != newStore
    var seen: Set<SessionKey> = []
    for activity in snapshots where activity.state != .dismissed {
      let key = SessionKey(activity)
      seen.insert(key)
      if let record = records[key] {
        record.take(activity, isOtherStore: isOther)
        wanting.append(record)
      } else {
        open(SessionRecord(activity))
      }
    }
    let last = snapshots.map(\.sequence).max() ?? 0
    for (key, record) in records where !seen.contains(key) {
      // A request's reply may have told of a session that came after the snapshots.
      if !isOther, store != nil, record.activity.sequence > last { continue }
      record.vanish()
      records[key] = nil
    }
  }
}
