import ActivityStore
import JSON
import LiveActivity
import SchedulerAPI
import Scheduling

@testable import SchedulerService

extension World {
  // MARK: Update, end

  func drawUpdate(_ dice: inout Dice, _ address: Address, _ life: Life?) -> UpdateParameters {
    if dice.chance(15), var again = dice.one(of: sentUpdates.suffix(6)) {
      again.address = address
      if case .channel = address { (again.session, again.ifSequence) = (nil, nil) }
      return again
    }
    var call = UpdateParameters(address)
    switch dice.below(4) {
    case 0, 1: call.content = content(&dice)
    case 2: call.patch = Plain.object(&dice, isPatch: true)
    default: break
    }
    if call.content == nil {
      if dice.chance(30) { call.staleDate = date(&dice) }
      if dice.chance(20) { call.relevanceScore = Double(dice.below(5)) }
    }
    if dice.chance(40) { call.alert = alert(&dice) }
    call.timestamp = timestamp(&dice, life)
    sentUpdates.append(call)
    return call
  }

  func drawEnd(_ dice: inout Dice, _ address: Address, _ life: Life?) -> EndParameters {
    // The end that this very activity was sent, sent again: of one that never began, too.
    if dice.chance(15),
      let same = sentEnds.last(where: { $0.address == address && $0.timestamp != nil })
    {
      return same
    }
    if dice.chance(15), var again = dice.one(of: sentEnds.suffix(4)) {
      again.address = address
      if case .channel = address { again.session = nil }
      return again
    }
    var call = EndParameters(address)
    switch dice.below(4) {
    case 0: call.content = content(&dice)
    case 1: call.patch = Plain.object(&dice, isPatch: true)
    default: break
    }
    if call.content == nil, dice.chance(15) { call.relevanceScore = Double(dice.below(5)) }
    if dice.chance(40) { call.alert = alert(&dice) }
    call.dismissal = dice.one(of: [nil, .immediate, .default, .after(date(&dice))]) ?? nil
    call.timestamp = timestamp(&dice, life)
    sentEnds.append(call)
    return call
  }

  /// A call for one session, as the service makes it: its ID and owner, then the slot.
  func onOne<Reply>(
    _ text: @autoclosure () -> String, _ id: ActivityID, _ owner: UserID?, _ peer: Peer,
    _ matches: (Reply, Reply) -> Bool, predict: (inout Model, Int64) -> Verdict<Reply>,
    call: (Engine, UInt32) throws(SchedulerError) -> Reply
  ) throws(SimulationFailure) {
    try expect(
      text(),
      { model in
        guard owner == nil || owner == peer.user || peer.isAdmin else {
          return .refused([Model.permission("owner")])
        }
        guard let life = model.life(id, of: owner ?? peer.user) else {
          return .refused([.noSuchActivity(id: id.text)])
        }
        return predict(&model, life.first)
      }, matches,
      { (engine) throws(SchedulerError) in
        let slot = try engine.slot(of: id, owner: engine.owner(owner, for: peer))
        return try call(engine, slot)
      })
  }

  func update(_ dice: inout Dice) throws(SimulationFailure) {
    let (peer, id) = (peer(&dice), id(&dice))
    let owner = owner(&dice, peer)
    let life = model.life(id, of: owner ?? peer.user)
    var call = drawUpdate(&dice, .id(id), life)
    call.owner = owner
    call.session = session(&dice, life)
    call.ifSequence = sequence(&dice, life)
    let text = call.plain(id)
    try onOne(
      "\(peer.user.rawValue) Update \(call.text)", id, owner, peer, { $0 == $1 },
      predict: { $0.update($1, call, text, by: peer) },
      call: { (engine, slot) throws(SchedulerError) in
        try engine.update(slot, id, call, by: peer, shared: nil, at: now)
      })
  }

  func end(_ dice: inout Dice) throws(SimulationFailure) {
    let (peer, id) = (peer(&dice), id(&dice))
    let owner = owner(&dice, peer)
    let life = model.life(id, of: owner ?? peer.user)
    var call = drawEnd(&dice, .id(id), life)
    call.owner = owner
    call.session = session(&dice, life)
    let text = call.plain(id)
    try onOne(
      "\(peer.user.rawValue) End \(call.text)", id, owner, peer, { $0 == $1 },
      predict: { $0.end($1, call, text, by: peer) },
      call: { (engine, slot) throws(SchedulerError) in
        try engine.end(slot, id, call, by: peer, shared: nil, at: now)
      })
  }

  // MARK: Cancel, stop, dismiss, act

  func cancel(_ dice: inout Dice) throws(SimulationFailure) {
    let (peer, id) = (peer(&dice), id(&dice))
    let owner = owner(&dice, peer)
    let session = session(&dice, model.life(id, of: owner ?? peer.user))
    let onlyThis = dice.chance(60)
    try onOne(
      "\(peer.user.rawValue) Cancel \(id.text) \(session ?? 0) this: \(onlyThis)", id, owner, peer,
      { $0 == $1 },
      predict: { $0.cancel($1, session: session, onlyThis: onlyThis, by: peer) },
      call: { (engine, slot) throws(SchedulerError) in
        try engine.cancel(slot, id, session: session, onlyThis: onlyThis, by: peer, at: now)
      })
  }

  func stop(_ dice: inout Dice) throws(SimulationFailure) {
    let (peer, id) = (peer(&dice), id(&dice))
    let owner = owner(&dice, peer)
    let session = session(&dice, model.life(id, of: owner ?? peer.user))
    try onOne(
      "\(peer.user.rawValue) Stop \(id.text) \(session ?? 0)", id, owner, peer, { $0 == $1 },
      predict: { $0.stop($1, session: session, by: peer) },
      call: { (engine, slot) throws(SchedulerError) in
        try engine.stop(slot, id, session: session, by: peer, at: now)
      })
  }

  /// A session that a person looks at: often one of somebody else's that they are shown.
  private func seen(_ dice: inout Dice) -> (Peer, ActivityID, UserID?, Life?) {
    let peer = peer(&dice)
    var id = id(&dice)
    var owner = dice.chance(30) ? dice.weighted(Self.peers)?.user : nil
    let shared = model.lives.values.filter { $0.isShared && $0.state != .dismissed }
      .sorted { $0.first < $1.first }
    if dice.chance(50), let life = dice.one(of: shared) {
      (id, owner) = (ActivityID(stored: life.id), life.owner)
    }
    return (peer, id, owner, model.life(id, of: owner ?? peer.user))
  }

  func dismiss(_ dice: inout Dice) throws(SimulationFailure) {
    let (peer, id, owner, life) = seen(&dice)
    var call = DismissParameters(id: id, session: session(&dice, life) ?? life?.number ?? 1)
    call.owner = owner
    try expect(
      "\(peer.user.rawValue) Dismiss \(call.text)", { $0.dismiss(call, by: peer) },
      { _, _ in true },
      { (engine) throws(SchedulerError) in
        try engine.dismiss(call, by: peer, at: now)
        return true
      })
  }

  func act(_ dice: inout Dice) throws(SimulationFailure) {
    let (peer, id, owner, life) = seen(&dice)
    var call = ActParameters(
      id: id, session: session(&dice, life) ?? life?.number ?? 1,
      action: dice.chance(80) ? "go" : "stop")
    call.owner = owner
    try expect(
      "\(peer.user.rawValue) Act \(call.text)", { $0.act(call, by: peer) }, { _, _ in true },
      { (engine) throws(SchedulerError) in
        try engine.act(call, by: peer, at: now)
        return true
      })
  }

  // MARK: Alerts

  private func alertNumber(_ dice: inout Dice) -> Int64 {
    let known = model.notices.keys.sorted()
    if dice.chance(85), let number = dice.one(of: known.suffix(8)) { return number }
    let number = Int64(dice.below(Int(model.sequence) + 3))
    // While the events of a session that retention removes go one by one, either answer is right.
    return model.notices[number] == nil && told[number]?.alert != nil ? 0 : number
  }

  func confirm(_ dice: inout Dice) throws(SimulationFailure) {
    let peer = peer(&dice)
    let call = ConfirmAlertParameters(
      sequence: alertNumber(&dice), wasShown: dice.chance(80))
    try expect(
      "\(peer.user.rawValue) ConfirmAlert \(call.text)", { $0.confirm(call, by: peer) },
      { _, _ in true },
      { (engine) throws(SchedulerError) in
        try engine.confirmAlert(call, by: peer, at: now)
        return true
      })
  }

  func snooze(_ dice: inout Dice) throws(SimulationFailure) {
    let peer = peer(&dice)
    let call = SnoozeAlertParameters(
      sequence: alertNumber(&dice), span: TimeSpan(microseconds: dice.span()))
    try expect(
      "\(peer.user.rawValue) SnoozeAlert \(call.text)", { $0.snooze(call, by: peer) },
      { $0 == $1 },
      { (engine) throws(SchedulerError) in try engine.snoozeAlert(call, by: peer, at: now) })
  }

  func setEnabled(_ dice: inout Dice) throws(SimulationFailure) {
    let peer = peer(&dice)
    var call = SetEnabledParameters(enabled: dice.chance(65))
    call.owner = owner(&dice, peer)
    if dice.chance(50) { call.attributesType = dice.one(of: ["One", "Two", "a/b%"]) }
    if dice.chance(40) { call.application = dice.one(of: ["app.one", "app/%2F.two"]) }
    try expect(
      "\(peer.user.rawValue) SetEnabled \(call.text)", { $0.setEnabled(call, by: peer) },
      { _, _ in true },
      { (engine) throws(SchedulerError) in
        try engine.setEnabled(call, by: peer, at: now)
        return true
      })
  }
}

extension UpdateParameters {
  /// What makes two updates of a session the same.
  func plain(_ id: ActivityID?) -> JSONText {
    var call = self
    call.address = .id(id ?? ActivityID(stored: ""))
    (call.session, call.ifSequence, call.owner, call.everyOwner) = (nil, nil, nil, false)
    return call.text
  }
}

extension EndParameters {
  /// What makes two ends of a session the same.
  func plain(_ id: ActivityID?) -> JSONText {
    var call = self
    call.address = .id(id ?? ActivityID(stored: ""))
    (call.session, call.owner, call.everyOwner) = (nil, nil, false)
    return call.text
  }
}
