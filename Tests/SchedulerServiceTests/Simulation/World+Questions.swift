import ActivityStore
import JSON
import LiveActivity
import SchedulerAPI
import Scheduling

@testable import SchedulerService

extension World {
  /// `List` shows what the caller may see, the next deadline first.
  func list(_ dice: inout Dice) throws(SimulationFailure) {
    let engine = try engine()
    if isDoomed || !engine.rows.isEmpty { return }
    let peer = peer(&dice)
    var call = ListParameters()
    if dice.chance(40) { call.channel = dice.one(of: Self.channels) }
    if dice.chance(40) { call.states = [.active, .ended, .dismissed] }
    call.everyOwner = peer.isAdmin && dice.chance(50)
    let found = try storing { () throws(StoreError) in
      do throws(SchedulerError) {
        var activities: [Activity] = []
        for place in try engine.listed(call, by: peer) {
          do throws(StoreError) {
            if let activity = try engine.listedActivity(place, call) { activities.append(activity) }
          } catch { throw .storeUnavailable(why: "\(error)") }
        }
        return activities
      } catch {
        throw StoreError(.damaged, "\(error)")
      }
    }
    let states = Set(call.states ?? [.pending, .active, .stale])
    let seen = model.lives.values.filter { life in
      (states.contains(life.state) || call.states == nil && life.goesOn)
        && (call.channel == nil || life.request.channel == call.channel)
        && (call.everyOwner || life.owner == peer.user || model.isInAudience(life, peer))
    }
    // Of what is dismissed others see no more.
    let expected = seen.filter {
      call.everyOwner || $0.owner == peer.user || $0.state != .dismissed
    }
    let reading = engine.core.now
    let sorted = expected.map { life in
      (life.terms.compactMap { $0.when.date(reading) }.min() ?? .max, life)
    }.sorted { ($0.0, $0.1.first) < ($1.0, $1.1.first) }
    let shown = sorted.map { model.show($0.1, at: reading) }
    guard found != shown else { return }
    throw SimulationFailure(
      "List \(call.text) by \(peer.user.rawValue): \(found.map { "\($0.id) \($0.session)" }), "
        + "not \(shown.map { "\($0.id) \($0.session)" })")
  }

  /// `History` of an ID tells again what was told.
  func history(_ dice: inout Dice) throws(SimulationFailure) {
    let engine = try engine()
    if isDoomed || !engine.rows.isEmpty { return }
    let (peer, id) = (peer(&dice), id(&dice))
    guard model.life(id, of: peer.user) != nil else { return }
    var call = HistoryParameters()
    call.id = id
    let lives = model.lives.values.filter { life in
      life.owner == peer.user && life.id.utf8.elementsEqual(id.text.utf8)
    }
    let expected = told.values.filter { event in lives.contains { $0.isMeant(event) } }
      .sorted { $0.sequence < $1.sequence }
    var writer = JSONWriter()
    writer.beginArray()
    for event in expected { event.encode(&writer) }
    writer.endArray()
    let text = JSONText(trusted: writer.take())
    do throws(SchedulerError) {
      let found = try HistoryStream(call, engine, by: peer).whole()
      guard found != text else { return }
      throw .storeUnavailable(why: "\(found),\nnot \(text)")
    } catch {
      throw SimulationFailure("History of \(id.text) by \(peer.user.rawValue): \(error)")
    }
  }

  /// What a new daemon would make of the files is what this one has in memory.
  func compareWithStore() throws(SimulationFailure) {
    let engine = try engine()
    guard !isDoomed, engine.rows.isEmpty, ghosts.isEmpty,
      model.boot.anchor == durable.boot.anchor, model.names == durable.names
    else { return }
    let copy = try directory.copy()
    let (found, expected) = try storing { () throws(StoreError) in
      let (store, _) = try ActivityStore.open(
        directory: copy.path, now: now.wall, options: options)
      let other = try Engine(
        loading: store, settings: model.settings, at: engine.core.now,
        bootID: "boot\(bootNumber)", isSynchronised: false, hashKey: (1, 2))
      // It has ended what was bound to connections: that goes with the batch.
      other.core.undoBatch()
      return (try Dump(engine).lines, try Dump(other).lines)
    }
    guard found != expected else { return }
    let (a, b) = (Set(found), Set(expected))
    throw SimulationFailure(
      "memory and store differ:\n    in memory only: \(a.subtracting(b).sorted())\n"
        + "    in the store only: \(b.subtracting(a).sorted())")
  }

  /// At the end all that waits is let happen, one deadline after the other.
  func finish() throws(SimulationFailure) {
    try heal()
    try commit()
    for round in 0..<400 {
      try turn(limit: 1000)
      // What repeats has no end of its own.
      if round == 20 { try endSeries() }
      try commit()
      let next = model.nextDeadlines
      let spans = [
        next.wall.map { $0.microseconds - now.wall.microseconds },
        next.boottime.map { $0.microseconds - now.boottime.microseconds },
      ]
      guard let span = spans.compactMap({ $0 }).min() else { break }
      let before = truth
      pass(max(0, span))
      if truth == before, span > 0 { break }
    }
    try checkTold()
    try compareWithStore()
    try restart()
    let store = try engine().store
    let lines = try storing { () throws(StoreError) in try store.check() }
    if !lines.isEmpty { throw SimulationFailure("the store: \(lines)") }
  }

  private func endSeries() throws(SimulationFailure) {
    for life in model.lives.values.sorted(by: { $0.first < $1.first }) where life.serie != nil {
      let id = ActivityID(stored: life.id)
      try onOne(
        "0 Cancel \(life.id) of \(life.owner.rawValue)", id, life.owner, World.root, { $0 == $1 },
        predict: { $0.cancel($1, session: nil, onlyThis: false, by: World.root) },
        call: { (engine, slot) throws(SchedulerError) in
          try engine.cancel(slot, id, session: nil, onlyThis: false, by: World.root, at: now)
        })
    }
  }
}

/// All that an engine holds in memory, in lines.
struct Dump {
  private(set) var lines: [String] = []

  init(_ engine: Engine) throws(StoreError) {
    for owner in engine.core.owners {
      lines.append("counts of \(owner.rawValue): \(engine.core.counts(of: owner))")
      for slot in engine.core.slots(of: owner) {
        let first = engine.core.first(slot)
        let id = ActivityID(stored: try engine.records.id(ofSession: first))
        let isCurrent = engine.core.find(owner: owner, id: id) == slot
        let session = try engine.records.whole(engine.core.session(slot))
        lines.append("\(first) '\(id.text)' \(isCurrent) \(session)")
      }
      for channel in World.channels {
        let members = engine.core.slots(of: owner, channel: channel).map { engine.core.first($0) }
        lines.append("channel \(channel) of \(owner.rawValue): \(members)")
      }
    }
    for entry in engine.core.unsettledAlerts {
      var entry = entry
      entry.slot = 0
      entry.settledBy.sort()
      lines.append("\(entry)")
    }
    lines.append("disabled \(engine.core.disabledKeys.map { "\($0)" }.sorted())")
    lines.append("next \(engine.core.nextSequence) \(engine.core.nextDeadlines)")
    lines.append("shared \(engine.shared.keys.sorted())")
    lines.append("hidden \(engine.hidden.map { "\($0.key) \($0.value.sorted())" }.sorted())")
    lines.append("names \(engine.ownerNames.map { "\($0.key) \($0.value)" }.sorted())")
    lines.append("former \(engine.former.map { "\($0.key) \($0.value)" }.sorted())")
  }
}
