internal import LiveActivity
internal import SchedulerAPI
internal import Scheduling

/// One call for many activities: applied one by one, in bounded steps, not atomically. Those that
/// refuse are counted.
final class FanOut {
  /// What is done to each.
  enum Work {
    case update(UpdateParameters)
    case end(EndParameters)
    case cancel(CancelParameters)
    case stop(StopParameters)
  }

  let work: Work
  let peer: Peer
  private let places: [SessionPlace]
  private var next = 0
  private(set) var applied: Int64 = 0
  private(set) var skipped: Int64 = 0
  private(set) var found: [ActivityState: Int64] = [:]
  /// The durable row that holds content and alert for all that follow.
  private var sharedRow: Int64?
  /// The same, of the batch that is not durable yet.
  private var newSharedRow: Int64?

  init(_ work: Work, peer: Peer, places: [SessionPlace]) {
    self.work = work
    self.peer = peer
    self.places = places
  }

  var isDone: Bool { next == places.count }

  /// The batch is durable, and with it the row that others may name.
  func keepBatch() { sharedRow = sharedRow ?? newSharedRow }

  /// Carries on, with at most `limit` activities.
  func step(_ engine: Engine, limit: Int, at reading: ClockReading) throws(SchedulerError) {
    let end = min(places.count, next + limit)
    while next < end {
      let place = places[next]
      next += 1
      guard engine.core.first(place.slot) == place.first else {
        skipped += 1
        continue
      }
      do throws(SchedulerError) {
        if try apply(engine, place.slot, at: reading) { applied += 1 }
      } catch .storeUnavailable(let why) {
        throw .storeUnavailable(why: why)
      } catch {
        skipped += 1
      }
    }
  }

  private func apply(
    _ engine: Engine, _ slot: UInt32, at reading: ClockReading
  ) throws(SchedulerError) -> Bool {
    // The refusals are only counted, so that the ID does not matter.
    let id = ActivityID(stored: "")
    let row = engine.core.nextSequence
    let shared = sharedRow ?? newSharedRow
    switch work {
    case .update(let call):
      // A start alert waits where only its own session is known to need it.
      let keepsAlert = call.alert != nil && engine.core.state(slot) == .pending
      let canShare =
        !call.isPlan && call.patch == nil && (call.content != nil || call.relevanceScore == nil)
        && !keepsAlert
      let isApplied = try engine.update(
        slot, id, call, by: peer, shared: canShare ? shared : nil, at: reading)
      if isApplied, canShare, shared == nil, call.content != nil || call.alert != nil {
        newSharedRow = row
      }
      return isApplied
    case .end(let call):
      let canShare = call.patch == nil && (call.content != nil || call.relevanceScore == nil)
      let isPending = engine.core.state(slot) == .pending
      let isApplied = try engine.end(
        slot, id, call, by: peer, shared: canShare && !isPending ? shared : nil, at: reading)
      if isApplied, canShare, !isPending, shared == nil, call.content != nil || call.alert != nil {
        newSharedRow = row
      }
      return isApplied
    case .cancel(let call):
      guard
        let state = try engine.cancel(
          slot, id, session: call.session, onlyThis: call.onlyThis, by: peer, at: reading)
      else { return false }
      found[state, default: 0] += 1
      return true
    case .stop(let call):
      return try engine.stop(slot, id, session: call.session, by: peer, at: reading)
    }
  }

  /// What the caller hears in the end.
  var cancelReply: CancelReply {
    var reply = CancelReply(applied: applied, skipped: skipped)
    reply.pending = found[.pending] ?? 0
    reply.active = found[.active] ?? 0
    reply.stale = found[.stale] ?? 0
    reply.ended = found[.ended] ?? 0
    return reply
  }
}

extension Engine {
  /// The activities of a channel, or of one ID with every owner.
  func places(
    _ address: Address, owner: UserID?, everyOwner: Bool, withEnded: Bool, for peer: Peer
  ) throws(SchedulerError) -> [SessionPlace] {
    if everyOwner, !peer.isAdmin { throw notAnAdmin("change activities of every owner") }
    let owners = everyOwner ? core.owners : [try self.owner(owner, for: peer)]
    var slots: [UInt32] = []
    switch address {
    case .channel(let name):
      for owner in owners { slots += core.slots(of: owner, channel: name) }
      slots.removeAll { !withEnded && !core.state($0).isLive }
    case .id(let id):
      slots = owners.compactMap { core.find(owner: $0, id: id) }
      if slots.isEmpty { throw .noSuchActivity(id: id.text) }
    }
    return slots.map { SessionPlace(slot: $0, first: core.first($0)) }
  }

  /// The live activities of an owner, for `Stop` without an ID.
  func livePlaces(of owner: UserID?, for peer: Peer) throws(SchedulerError) -> [SessionPlace] {
    core.slots(of: try self.owner(owner, for: peer)).filter { core.state($0).isLive }
      .map { SessionPlace(slot: $0, first: core.first($0)) }
  }
}
