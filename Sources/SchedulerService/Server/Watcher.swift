internal import ActivityStore
internal import JSON
internal import LiveActivity
internal import SchedulerAPI
internal import Scheduling
internal import Varlink

/// One `Monitor`: a cursor over the events. While it lags it is fed from the store as fast as its
/// reader reads; once it has caught up it gets each batch as it becomes durable.
final class Watcher {
  private let call: MonitorParameters
  private let scope: Engine.Scope
  private let peer: Peer
  private let ids: Set<ActivityID>?
  private var phase: Phase
  /// The last event that it has seen or that is not for it.
  private var cursor: Int64
  private var isResumed = false

  /// Whether it shows alerts to its user.
  var isAgent: Bool { call.alerts }
  /// Whom it shows alerts to.
  var person: UserID { peer.user }
  /// Whether it gets events as they happen.
  var isLive: Bool { if case .live = phase { true } else { false } }

  private enum Phase {
    /// Events that it has missed.
    case missed
    /// What there is, then what has changed meanwhile.
    case snapshots([SessionPlace], next: Int, sent: Set<Int64>)
    /// Alerts that nobody has settled.
    case offers([Int64], next: Int)
    /// Events that came while it was offered alerts.
    case rest
    case live
  }

  init(_ call: MonitorParameters, by peer: Peer, engine: Engine) throws(SchedulerError) {
    self.call = call
    self.peer = peer
    scope = try engine.scope(owner: call.owner, everyOwner: call.everyOwner, for: peer)
    ids = call.ids.map { Set($0) }
    let last = engine.store.highestSequence
    let scope = scope
    if let since = call.since, call.store == engine.store.storeID, since <= last,
      engine.keepsEvents(after: since)
    {
      cursor = since
      isResumed = true
      phase = .missed
    } else {
      cursor = last
      phase = .snapshots(
        try engine.storing { () throws(StoreError) in try engine.slots(in: scope, for: peer) },
        next: 0, sent: [])
    }
  }

  // MARK: Catching up

  /// Writes some of what it lags behind by; returns whether there is more to write at once.
  func catchUp(_ engine: Engine, to writer: inout JSONWriter) throws(StoreError) -> Bool {
    switch phase {
    case .live: return false
    case .missed:
      if try passEvents(engine, to: &writer) { return true }
      try becomeReady(engine, &writer)
    case .snapshots(let places, var next, var sent):
      let end = min(places.count, next + 64)
      while next < end {
        let place = places[next]
        next += 1
        if try snapshot(place, engine, isNew: true, &writer) { sent.insert(place.first) }
      }
      phase = .snapshots(places, next: next, sent: sent)
      if next < places.count { return true }
      if try renew(engine, sent, places, &writer) { return true }
      try becomeReady(engine, &writer)
    case .offers(let sequences, var next):
      let end = min(sequences.count, next + 64)
      while next < end {
        if let entry = engine.core.unsettledAlert(sequences[next]),
          try engine.isOpen(entry, for: peer), let row = try engine.store.event(sequences[next])
        {
          write(try engine.records.event(row), &writer)
        }
        next += 1
      }
      phase = next < sequences.count ? .offers(sequences, next: next) : .rest
    case .rest:
      if try !passEvents(engine, to: &writer) { phase = .live }
    }
    return !isLive
  }

  /// Writes the events after the cursor, some at a time; returns whether there are more.
  private func passEvents(_ engine: Engine, to writer: inout JSONWriter) throws(StoreError) -> Bool
  {
    let rows = try engine.store.events(after: cursor, limit: 128)
    for row in rows {
      if try concerns(row, engine) { write(try engine.records.event(row), &writer) }
      cursor = row.sequence
    }
    return !rows.isEmpty
  }

  /// What was told and has changed since is told again, so that `ready` is true of all of it.
  private func renew(
    _ engine: Engine, _ sent: Set<Int64>, _ places: [SessionPlace], _ writer: inout JSONWriter
  ) throws(StoreError) -> Bool {
    let rows = try engine.store.events(after: cursor, limit: 128)
    let changed = Set(rows.map(\.first))
    for place in places where sent.contains(place.first) && changed.contains(place.first) {
      _ = try snapshot(place, engine, isNew: false, &writer)
    }
    for row in rows {
      if row.opensSession, try concerns(row, engine), let owner = row.owner,
        let slot = try engine.slot(ofSession: row.first, owner: UserID(owner))
      {
        let place = SessionPlace(slot: slot, first: row.first)
        if !sent.contains(row.first), try snapshot(place, engine, isNew: true, &writer) {
          phase = .snapshots(
            places + [place], next: places.count + 1, sent: sent.union([row.first]))
        }
      }
      cursor = row.sequence
    }
    return !rows.isEmpty
  }

  private func snapshot(
    _ place: SessionPlace, _ engine: Engine, isNew: Bool, _ writer: inout JSONWriter
  ) throws(StoreError) -> Bool {
    guard engine.core.first(place.slot) == place.first else { return false }
    if isNew, engine.core.state(place.slot) == .dismissed { return false }
    let session = try engine.records.whole(engine.core.session(place.slot))
    let activity = try engine.records.activity(session, at: engine.core.now)
    if let ids, !ids.contains(ActivityID(stored: activity.id)) { return false }
    if let application = call.application, activity.application != application { return false }
    writer.varlinkReply(continues: true) { MonitorReply.snapshot(activity).encode(&$0) }
    return true
  }

  private func becomeReady(_ engine: Engine, _ writer: inout JSONWriter) throws(StoreError) {
    let ready = MonitorReply.ready(
      sequence: cursor, store: engine.store.storeID, resumed: isResumed)
    writer.varlinkReply(continues: true) { ready.encode(&$0) }
    phase = call.alerts ? .offers(try engine.openAlerts(for: peer), next: 0) : .rest
  }

  private func write(_ event: ActivityEvent, _ writer: inout JSONWriter) {
    writer.varlinkReply(continues: true) { MonitorReply.event(event).encode(&$0) }
  }

  // MARK: Live

  /// A row has become durable; `text` is made at most once for all watchers.
  func publish(
    _ row: EventRow, _ engine: Engine, _ text: () throws(StoreError) -> JSONText,
    to writer: inout JSONWriter
  ) throws(StoreError) {
    guard isLive else { return }
    if try concerns(row, engine) {
      let text = try text()
      writer.varlinkReply(continues: true) { $0.member("event", text) }
    }
    cursor = row.sequence
  }

  /// Whether an event is for it.
  private func concerns(_ row: EventRow, _ engine: Engine) throws(StoreError) -> Bool {
    guard row.first != 0 else {
      if ids != nil { return false }
      guard let owner = row.owner.map({ UserID($0) }) else { return call.application == nil }
      guard isMine(owner) else { return false }
      guard let application = call.application else { return true }
      // What is said of all applications is said of this one.
      guard let enabled = try engine.records.remember(row).enabled else { return false }
      return enabled.application == nil || enabled.application == application
    }
    guard let owner = row.owner.map({ UserID($0) }) else { return false }
    let isPersonal =
      row.kind == EventKind.dismissed.rawValue && row.to != ActivityState.dismissed.rawValue
    if isPersonal {
      if case .every = scope {} else if row.by != peer.user.rawValue { return false }
    }
    var session: Session?
    if !isMine(owner) || call.application != nil {
      session = PackedSession(bytes: row.fields)?.session
    }
    if engine.isFormer(row) {
      guard peer.isAdmin else { return false }
      if case .own = scope { return false }
    }
    if !isMine(owner) {
      if case .of(let wanted) = scope, wanted != owner { return false }
      guard let session, session.isShared else { return false }
      let audience = try engine.records.payload(session.requestRow)?.audience
      guard audience?.includes(peer) == true else { return false }
      if !isPersonal, engine.hidden[row.first]?.contains(peer.user) == true { return false }
    }
    if let ids {
      let id = ActivityID(stored: try engine.records.id(ofSession: row.first))
      if !ids.contains(id) { return false }
    }
    if let application = call.application, let session {
      let request = try engine.records.payload(session.requestRow)?.request
      if request?["application"]?.string != application { return false }
    }
    return true
  }

  /// Whether an owner's events are for it whatever their audience.
  private func isMine(_ owner: UserID) -> Bool {
    switch scope {
    case .every: true
    case .of(let wanted): owner == wanted && (peer.isAdmin || owner == peer.user)
    case .own: owner == peer.user
    }
  }
}

extension Engine {
  /// Whether no event after that number is missing.
  func keepsEvents(after sequence: Int64) -> Bool {
    sequence >= store.removedThrough
  }
}
