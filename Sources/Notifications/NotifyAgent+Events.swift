import JSON
import LiveActivity

extension NotifyAgent {
  // MARK: What a daemon tells

  mutating func take(_ event: ActivityEvent, _ source: Source) {
    sources[source, default: FollowedSource()].notBefore(event.date, now)
    if event.kind == .alertSettled, let sequence = event.alertSequence,
      event.by == nil || event.by == context.reader
    {
      waiting.removeAll { $0.source == source && $0.key.sequence == sequence }
      // It is never offered again.
      if let store = sources[source]?.store {
        let key = AlertKey(store: store, sequence: sequence)
        if !isFlying(key) { notes[key] = nil }
      }
    }
    guard let key = SessionKey(source, event) else { return }
    let wasKnown = sources[source]?.activities[key]
    if var activity = wasKnown ?? event.activity {
      activity.apply(event)
      // A person in a wider audience takes it off their screen: it goes on for the others.
      if event.kind == .dismissed {
        sources[source]?.activities[key] = nil
        leave(key, event)
      } else {
        sources[source]?.activities[key] = activity
        change(key, activity, event)
      }
      for place in waiting.indices where waiting[place].session == key {
        waiting[place].activity = activity
      }
    }
    guard let alert = event.alert, sources[source]?.isReady == true else { return }
    arrive(alert, event, key, wasKnown)
  }

  private mutating func change(_ key: SessionKey, _ activity: Activity, _ event: ActivityEvent) {
    guard event.alert == nil else { return }
    let bubble = bubbles[key]
    let isShown = bubble?.id != nil || flight?.session == key
    switch event.kind {
    case .started: want(key, .show)
    case .ended where isShown || bubble?.wasLost == true: want(key, .end)
    case .updated where isShown, .stale where isShown, .fresh where isShown,
      .rescheduled where isShown:
      if activity.state.isRunning { want(key, .content) }
    default: break
    }
  }

  mutating func want(_ key: SessionKey, _ want: Bubble.Want, isLateSight: Bool = false) {
    var bubble = bubbles[key] ?? Bubble()
    bubble.want = max(bubble.want, want)
    if isLateSight { bubble.isLateSight = true }
    bubbles[key] = bubble
  }

  /// A session has left the stage: so does its bubble, unless that tells the end.
  private mutating func leave(_ key: SessionKey, _ event: ActivityEvent) {
    let bubble = bubbles.removeValue(forKey: key)
    if let id = bubble?.id { owners[id] = nil }
    let isWanted = event.reason == .ended || event.reason == .timeLimit || event.reason == nil
    let showsEnd =
      bubble?.endShownAt.map { now.boottime.microseconds - $0 < 60_000_000 } ?? false
    var flies = false
    if case .alert(let alert) = flight?.purpose, alert.session == key, alert.kind == .ended {
      flies = true
    } else if flight?.session == key {
      flight?.isMoot = true
    }
    let waits = waiting.contains { $0.session == key && $0.kind == .ended }
    if isWanted, showsEnd || flies || waits { return }
    if flight?.session == key { flight?.isMoot = true }
    if let id = bubble?.id { effects.append(.close(id)) }
  }

  mutating func becomeReady(_ source: Source, _ store: String, _ resumed: Bool) {
    var state = sources[source] ?? FollowedSource()
    if !resumed {
      let gone = state.activities.filter { state.snapshots[$0.key] == nil }
      state.activities = state.snapshots
      for (key, _) in gone { close(key) }
      if state.store != store { waiting.removeAll { $0.source == source } }
      for (key, activity) in state.activities where activity.state.isRunning {
        if bubbles[key] == nil {
          bubbles[key] = Bubble(want: .show, isLateSight: true)
        } else if bubbles[key]?.id != nil {
          want(key, .content)
        }
      }
    }
    state.snapshots = [:]
    state.store = store
    state.isReady = true
    state.isKnown = true
    state.readyAt = now.boottime.microseconds
    sources[source] = state
    // What nobody has settled is told next.
    gather(Self.catchUp)
  }

  private mutating func close(_ key: SessionKey) {
    if let id = bubbles.removeValue(forKey: key)?.id {
      owners[id] = nil
      effects.append(.close(id))
    }
    if flight?.session == key { flight?.isMoot = true }
  }

  // MARK: Alerts

  /// For how long more alerts are waited for, once a catch-up has begun.
  static let catchUp: Int64 = 200_000
  private static let longestCatchUp: Int64 = 2_000_000
  private static let burst: Int64 = 1_000_000

  private mutating func gather(_ span: Int64) {
    gatherUntil = max(gatherUntil ?? .min, now.boottime.microseconds + span)
  }

  private mutating func arrive(
    _ alert: Alert, _ event: ActivityEvent, _ session: SessionKey, _ known: Activity?
  ) {
    let source = session.source
    guard let state = sources[source] else { return }
    let key = AlertKey(store: state.store, sequence: event.sequence)
    guard !waiting.contains(where: { $0.key == key }), !isFlying(key) else { return }
    if notes[key] == .shown {
      // The daemon has not heard of it: it went away, or this agent's predecessor did.
      effects.append(.confirm(source, sequence: event.sequence, wasShown: true))
      return
    }
    var activity = state.activities[session] ?? known ?? Self.unknown(event, session)
    if known == nil { activity.apply(event) }
    var entry = WaitingAlert(
      key: key, source: source, session: session, kind: event.kind, alert: alert,
      due: event.kind == .updated ? event.date : event.dueDate ?? event.date, activity: activity)
    entry.mayHaveBeenShown = notes[key] == .begun
    waiting.append(entry)
    let passed = now.boottime.microseconds - state.readyAt
    if let until = gatherUntil, until > now.boottime.microseconds, passed < Self.longestCatchUp {
      gather(Self.catchUp)
    }
    recentAlerts.removeAll { now.boottime.microseconds - $0 > Self.burst }
    if recentAlerts.count >= context.settings.mostAtOnce, let first = recentAlerts.first {
      gather(first + Self.burst - now.boottime.microseconds)
    }
  }

  private func isFlying(_ key: AlertKey) -> Bool {
    switch flight?.purpose {
    case .alert(let alert): alert.key == key
    case .summary(let alerts): alerts.contains { $0.key == key }
    default: false
    }
  }

  /// A session of which only an event is left.
  private static func unknown(_ event: ActivityEvent, _ key: SessionKey) -> Activity {
    var activity = Activity(
      id: key.id.text, owner: key.owner, session: key.session, sequence: event.sequence,
      state: event.to ?? .ended, attributesType: Activity.defaultAttributesType,
      attributes: .emptyObject, content: event.content ?? Content(), createdDate: event.date)
    activity.application = event.application
    return activity
  }
}
