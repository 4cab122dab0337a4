internal import ActivityStore
internal import LiveActivity
internal import SchedulerAPI
internal import Scheduling
internal import TimeExpressions

extension Engine {
  /// `Get`.
  func get(_ call: GetParameters, by peer: Peer) throws(SchedulerError) -> ActivityReply {
    var slot = try visibleSlot(call.id, of: call.owner, for: peer)
    if let number = call.session {
      guard let past = core.slot(ofSession: number, sameIDAs: slot) else {
        throw .noSuchActivity(id: call.id.text)
      }
      slot = past
    }
    return ActivityReply(
      activity: try storing { () throws(StoreError) in
        try records.activity(records.whole(core.session(slot)), at: core.now)
      })
  }

  /// Whose sessions a query is about.
  enum Scope {
    /// The peer's own, and those that it is in the audience of.
    case own
    /// Those of one owner, as far as the peer may see them.
    case of(UserID)
    /// All.
    case every
  }

  func scope(
    owner: UserID?, everyOwner: Bool, for peer: Peer
  ) throws(SchedulerError) -> Scope {
    if everyOwner {
      guard peer.isAdmin else { throw notAnAdmin("ask for every owner") }
      return .every
    }
    guard let owner, owner != peer.user else { return .own }
    return .of(owner)
  }

  /// The sessions in a scope, by slot and first event.
  func slots(in scope: Scope, for peer: Peer) throws(StoreError) -> [SessionPlace] {
    var slots: [UInt32] = []
    switch scope {
    case .every:
      for owner in core.owners { slots += core.slots(of: owner) }
    case .of(let owner) where peer.isAdmin: slots = core.slots(of: owner)
    case .of(let owner): slots = try sharedSlots(for: peer).filter { core.owner($0) == owner }
    case .own: slots = try core.slots(of: peer.user) + sharedSlots(for: peer)
    }
    return slots.map { SessionPlace(slot: $0, first: core.first($0)) }
  }

  /// The sessions of others that a peer is in the audience of.
  private func sharedSlots(for peer: Peer) throws(StoreError) -> [UInt32] {
    var slots: [UInt32] = []
    for (first, slot) in shared.sorted(by: { $0.key < $1.key }) where core.first(slot) == first {
      let session = core.session(slot)
      if session.owner != peer.user, try isInAudience(session, peer) { slots.append(slot) }
    }
    return slots
  }

  /// The sessions that `List` shows, in its order: the next deadline first.
  func listed(_ call: ListParameters, by peer: Peer) throws(SchedulerError) -> [SessionPlace] {
    let scope = try scope(owner: call.owner, everyOwner: call.everyOwner, for: peer)
    let states = Set(call.states ?? [.pending, .active, .stale])
    return try storing { () throws(StoreError) in
      let places = try slots(in: scope, for: peer).filter {
        states.contains(core.state($0.slot)) || (call.states == nil && core.isInUse($0.slot))
      }
      let dated = places.map { place in
        (place, core.session(place.slot).nextDate(at: core.now) ?? .latest)
      }
      return dated.sorted { ($0.1, $0.0.first) < ($1.1, $1.0.first) }.map(\.0)
    }
  }

  /// One of them, unless it has changed since in a way that it is not to be shown any more.
  func listedActivity(
    _ place: SessionPlace, _ call: ListParameters
  ) throws(StoreError) -> Activity? {
    guard core.first(place.slot) == place.first else { return nil }
    let states = call.states ?? [.pending, .active, .stale]
    guard
      states.contains(core.state(place.slot)) || (call.states == nil && core.isInUse(place.slot))
    else { return nil }
    let session = try records.whole(core.session(place.slot))
    if let channel = call.channel, session.channel != channel { return nil }
    let activity = try records.activity(session, at: core.now)
    if let application = call.application, activity.application != application { return nil }
    return activity
  }

  /// `GetStatus`; the service adds what it alone knows.
  func status(
    _ call: GetStatusParameters, by peer: Peer, version: String
  ) throws(SchedulerError) -> ServiceStatus {
    if call.everyOwner, !peer.isAdmin { throw notAnAdmin("ask for every owner") }
    let counts = call.everyOwner ? core.counts : core.counts(of: peer.user)
    var status = ServiceStatus(
      now: core.now.wall, version: version, store: store.storeID,
      sequence: core.nextSequence - 1)
    status.pending = Int64(counts.pending)
    status.active = Int64(counts.active)
    status.ended = Int64(counts.ended)
    status.nextDate = call.everyOwner ? core.nextDate : core.nextDate(of: peer.user)
    status.activitiesEnabled =
      settings.isEnabled
      && core.isEnabled(
        owner: peer.user, attributesType: call.attributesType, application: call.application)
    status.zone = (try? zones.system())?.name
    status.tzdata = zones.version
    status.wakeProblem = wakeProblem
    status.nextWakeDate =
      call.everyOwner ? core.nextWakeDate : core.nextWakeDate(of: peer.user)
    return status
  }
}

/// A session by where it is; a slot may be used again, its first event is not.
struct SessionPlace: Hashable {
  var slot: UInt32
  var first: Int64
}
