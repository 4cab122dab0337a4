import ActivityStore
import LiveActivity
import SchedulerAPI
import Scheduling

@testable import SchedulerService

/// One call for many activities, beside what the model has made of it so far.
struct Fan {
  let fanOut: FanOut
  let firsts: [Int64]
  var next = 0
  var applied: Int64 = 0
  var skipped: Int64 = 0
  var found: [ActivityState: Int64] = [:]
}

extension World {
  /// Begins a call for a channel, for one ID of every owner, or a `Stop` of all.
  func startFan(_ dice: inout Dice) throws(SimulationFailure) {
    let peer = peer(&dice)
    let everyOwner = dice.chance(peer.isAdmin ? 50 : 4)
    let owner = everyOwner ? nil : owner(&dice, peer)
    let address: Address =
      everyOwner && dice.chance(40)
      ? .id(id(&dice)) : .channel(dice.one(of: Self.channels) ?? "one")
    let work: FanOut.Work
    switch dice.below(8) {
    case 0, 1, 2, 3:
      var call = drawUpdate(&dice, address, nil)
      (call.owner, call.everyOwner, call.session, call.ifSequence) = (owner, everyOwner, nil, nil)
      work = .update(call)
    case 4, 5:
      var call = drawEnd(&dice, address, nil)
      (call.owner, call.everyOwner, call.session) = (owner, everyOwner, nil)
      work = .end(call)
    case 6:
      var call = CancelParameters(address)
      (call.owner, call.everyOwner) = (owner, everyOwner)
      work = .cancel(call)
    default:
      var call = StopParameters()
      call.owner = owner
      work = .stop(call)
    }
    let limit = 1 + dice.below(4)
    let firsts = try expect(
      "\(peer.user.rawValue) \(work)",
      { $0.places(work, by: peer) }, { $0 == $1 },
      { (engine) throws(SchedulerError) in
        try engine.places(work, by: peer).map(\.first)
      })
    guard let firsts, !isDoomed else { return }
    do throws(SchedulerError) {
      let places = try engineOrFail().places(work, by: peer)
      fans.append(Fan(fanOut: FanOut(work, peer: peer, places: places), firsts: firsts))
    } catch {
      throw SimulationFailure("\(error)")
    }
    try stepFan(fans.count - 1, limit: limit)
  }

  private func engineOrFail() throws(SchedulerError) -> Engine {
    guard let live else { throw .storeUnavailable(why: "there is no engine") }
    return live
  }

  /// Carries a call on, and answers it when it is through.
  func stepFan(_ index: Int, limit: Int) throws(SimulationFailure) {
    guard fans.indices.contains(index), !isDoomed else { return }
    let engine = try engine()
    if engine.failure != nil { return }
    var fan = fans.remove(at: index)
    do throws(SchedulerError) {
      try fan.fanOut.step(engine, limit: limit, at: now)
    } catch {
      note("for many: \(error)")
      if engine.failure != nil {
        isDoomed = true
        return
      }
      guard case .storeUnavailable = error, model.isFull, case .update = fan.fanOut.work else {
        throw SimulationFailure("a call for many failed: \(error)")
      }
      return
    }
    if engine.failure != nil {
      isDoomed = true
      return
    }
    model.step(&fan, limit: limit)
    try compareRows()
    let done = fan.fanOut
    note("for many: \(done.applied) applied, \(done.skipped) skipped of \(fan.firsts.count)")
    guard done.applied == fan.applied, done.skipped == fan.skipped, done.found == fan.found else {
      throw SimulationFailure(
        "for many: \(done.applied) applied, \(done.skipped) skipped, \(done.found), not "
          + "\(fan.applied), \(fan.skipped), \(fan.found)")
    }
    if !done.isDone { fans.insert(fan, at: index) }
  }
}

extension Engine {
  /// As the service finds them.
  func places(_ work: FanOut.Work, by peer: Peer) throws(SchedulerError) -> [SessionPlace] {
    switch work {
    case .update(let call):
      try places(
        call.address, owner: call.owner, everyOwner: call.everyOwner, withEnded: false, for: peer)
    case .end(let call):
      try places(
        call.address, owner: call.owner, everyOwner: call.everyOwner, withEnded: false, for: peer)
    case .cancel(let call):
      try places(
        call.address, owner: call.owner, everyOwner: call.everyOwner, withEnded: true, for: peer)
    case .stop(let call): try livePlaces(of: call.owner, for: peer)
    }
  }
}

extension Model {
  /// The sessions that a call for many is for, by their first events.
  func places(_ work: FanOut.Work, by peer: Peer) -> Verdict<[Int64]> {
    let (address, owner, everyOwner, withEnded): (Address?, UserID?, Bool, Bool) =
      switch work {
      case .update(let call): (call.address, call.owner, call.everyOwner, false)
      case .end(let call): (call.address, call.owner, call.everyOwner, false)
      case .cancel(let call): (call.address, call.owner, call.everyOwner, true)
      case .stop(let call): (nil, call.owner, false, false)
      }
    if everyOwner || (owner.map { $0 != peer.user } ?? false), !peer.isAdmin {
      return .refused([Self.permission("for many")])
    }
    let owners = everyOwner ? self.owners : [owner ?? peer.user]
    var firsts: [Int64] = []
    for owner in owners {
      let own = lives.values.filter { $0.owner == owner }.sorted { $0.first < $1.first }
      switch address {
      case nil: firsts += own.filter(\.state.isLive).map(\.first)
      case .id(let id): firsts += life(id, of: owner).map { [$0.first] } ?? []
      case .channel(let name):
        firsts += own.filter {
          $0.request.channel == name && ($0.state.isLive || (withEnded && $0.state == .ended))
        }.map(\.first)
      }
    }
    if case .id(let id) = address, firsts.isEmpty {
      return .refused([.noSuchActivity(id: id.text)])
    }
    return .done(firsts)
  }

  mutating func step(_ fan: inout Fan, limit: Int) {
    let end = min(fan.firsts.count, fan.next + limit)
    while fan.next < end {
      let first = fan.firsts[fan.next]
      fan.next += 1
      guard lives[first] != nil else {
        fan.skipped += 1
        continue
      }
      switch apply(fan.fanOut.work, to: first, by: fan.fanOut.peer) {
      case .refused: fan.skipped += 1
      case .done(nil): break
      case .done(let state?):
        fan.applied += 1
        if case .cancel = fan.fanOut.work { fan.found[state, default: 0] += 1 }
      }
    }
  }

  /// The state that it was found in; nil where nothing was left to do.
  private mutating func apply(
    _ work: FanOut.Work, to first: Int64, by peer: Peer
  ) -> Verdict<ActivityState?> {
    let state = lives[first]?.state
    func told(_ verdict: Verdict<Bool>) -> Verdict<ActivityState?> {
      switch verdict {
      case .refused(let errors): .refused(errors)
      case .done(let isApplied): .done(isApplied ? state : nil)
      }
    }
    switch work {
    case .update(let call): return told(update(first, call, call.plain(nil), by: peer))
    case .end(let call): return told(end(first, call, call.plain(nil), by: peer))
    case .cancel(let call): return cancel(first, session: call.session, by: peer)
    case .stop(let call): return told(stop(first, session: call.session, by: peer))
    }
  }
}
