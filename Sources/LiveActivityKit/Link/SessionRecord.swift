internal import LiveActivity
internal import Synchronization

/// Which session of which activity.
struct SessionKey: Hashable, Sendable {
  let id: ActivityID
  let session: Int64

  init(_ activity: LiveActivity.Activity) {
    id = ActivityID(stored: activity.id)
    session = activity.session
  }

  init?(_ event: ActivityEvent) {
    guard let id = event.id, let session = event.session else { return nil }
    self.id = ActivityID(stored: id)
    self.session = session
  }
}

/// What is known of one session, and who listens to it.
final class SessionRecord: Sendable {
  let key: SessionKey
  private let state: Mutex<State>

  struct State: Sendable {
    var activity: LiveActivity.Activity
    var token: String?
    /// Somebody wants its push token, which there is once it has started.
    var wantsToken = false
    /// It was requested without one.
    var hasNoToken: Bool
    var states = Sinks<LiveActivity.ActivityState>()
    var contents = Sinks<LiveActivity.Content>()
    var tokens = Sinks<String>()
    var actions = Sinks<String>()

    var isGone: Bool { activity.state == .dismissed }
  }

  init(_ activity: LiveActivity.Activity) {
    key = SessionKey(activity)
    state = Mutex(State(activity: activity, hasNoToken: activity.pushType != .token))
  }

  /// The session as it is known.
  var activity: LiveActivity.Activity { state.withLock { $0.activity } }
  /// Its push token, once it is known.
  var token: String? { state.withLock { $0.token } }

  // MARK: What is heard

  /// Takes a newer look at the whole session; `isOtherStore`: whatever its number.
  func take(_ activity: LiveActivity.Activity, isOtherStore: Bool = false) {
    change { state in
      guard isOtherStore || activity.sequence > state.activity.sequence else { return }
      let old = state.activity
      state.activity = activity
      if old.content != activity.content { state.contents.yield(activity.content) }
      if old.state != activity.state { state.states.yield(activity.state) }
    }
  }

  /// Takes an event, unless what is known is newer.
  func take(_ event: ActivityEvent) {
    change { state in
      if event.kind == .action {
        if let action = event.action { state.actions.yield(action) }
        return
      }
      guard event.sequence > state.activity.sequence else { return }
      state.take(event)
    }
  }

  /// The session is not there any more, and how it went is not known.
  func vanish() {
    change { state in
      guard !state.isGone else { return }
      state.activity.state = .dismissed
      state.states.yield(.dismissed)
    }
  }

  /// Its token has become known.
  func take(token: String) {
    change { state in
      guard !state.isGone, state.token != token else { return }
      state.token = token
      state.tokens.yield(token)
    }
  }

  /// Whether a token is wanted and can be had now; from then on it is somebody's to fetch.
  func claimToken() -> Bool {
    state.withLock { state in
      guard state.wantsToken, state.token == nil, state.activity.state.isRunning else {
        return false
      }
      state.wantsToken = false
      return true
    }
  }

  /// Somebody wants the token; nobody gets one of an activity that was requested without.
  func wantToken() { state.withLock { $0.wantsToken = $0.token == nil && !$0.hasNoToken } }

  /// It was requested without a token.
  func renounceToken() { state.withLock { $0.hasNoToken = true } }

  private func change(_ body: (inout State) -> Void) {
    let endings = state.withLock { state in
      body(&state)
      guard state.isGone else { return [@Sendable () -> Void]() }
      return state.states.takeAll() + state.contents.takeAll() + state.tokens.takeAll()
        + state.actions.takeAll()
    }
    // A listener's end is told to this record again, so not while it is locked.
    for end in endings { end() }
  }

  // MARK: Who listens

  /// How many iterations there are.
  var listeners: Int {
    state.withLock { $0.states.count + $0.contents.count + $0.tokens.count + $0.actions.count }
  }

  /// What is there first, then each change; ends with the session.
  func listen<Element: Sendable>(
    _ sinks: sending WritableKeyPath<State, Sinks<Element>>, newest: Int? = nil,
    first: (State) -> [Element]
  ) -> AsyncStream<Element> {
    let path = Box(sinks)
    let (stream, end) = state.withLock { state -> (AsyncStream<Element>, [@Sendable () -> Void]) in
      let stream = state[keyPath: path.value].add(first: first(state), newest: newest) {
        [weak self] number in
        self?.state.withLock { $0[keyPath: path.value].remove(number) }
      }
      return (stream, state.isGone ? state[keyPath: path.value].takeAll() : [])
    }
    for end in end { end() }
    return stream
  }

  /// A key path into plain values holds nothing that could be shared.
  private final class Box<Root, Value>: @unchecked Sendable {
    let value: WritableKeyPath<Root, Value>
    init(_ value: WritableKeyPath<Root, Value>) { self.value = value }
  }
}

extension SessionRecord.State {
  fileprivate mutating func take(_ event: ActivityEvent) {
    activity.sequence = event.sequence
    if let content = event.content, content != activity.content {
      activity.content = content
      contents.yield(content)
    }
    if let whole = event.activity, event.kind == .rescheduled || event.kind == .updated {
      activity = whole
      activity.sequence = event.sequence
    }
    if let date = event.startDate { activity.startDate = date }
    if event.kind == .rescheduled { activity.endDate = event.endDate ?? activity.endDate }
    if event.kind == .started { activity.startedDate = event.date }
    if event.kind == .ended { activity.endedDate = event.date }
    if event.kind == .remoteUpdatesStopped { activity.remoteUpdates = false }
    if let lateness = event.latenessMicroseconds, event.kind == .started {
      activity.latenessMicroseconds = lateness
    }
    activity.reason = activity.reason ?? event.reason
    if let to = event.to, to != activity.state {
      activity.state = to
      states.yield(to)
    }
  }
}
