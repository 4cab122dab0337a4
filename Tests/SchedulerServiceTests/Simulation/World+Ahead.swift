import LiveActivity
import SchedulerAPI

@testable import SchedulerService

extension World {
  func reminders(_ dice: inout Dice) -> [TimeSpan] {
    (0..<dice.below(4)).map { _ in TimeSpan(microseconds: max(1000, dice.span())) }
  }

  /// Lets a request repeat; most of its other dates are spans then.
  func repeats(_ call: inout RequestParameters, _ dice: inout Dice) {
    if dice.chance(50) {
      call.repeats =
        switch dice.below(4) {
        case 0:
          Repeat(calendar: Serie.calendar(hours: dice.one(of: [1, 6, 12]) ?? 6), zone: "Land")
        case 1:
          Repeat(calendar: Serie.calendar(hours: dice.one(of: [1, 6, 12]) ?? 6), isFloating: true)
        default:
          Repeat(
            calendar: Serie.calendar(minutes: dice.one(of: [1, 5, 20, 30]) ?? 30), zone: "UTC")
        }
    } else {
      call.repeats = Repeat(every: TimeSpan(microseconds: max(Dice.second, dice.span())))
    }
    if dice.chance(25) { call.repeats?.count = Int64(1 + dice.below(4)) }
    if dice.chance(25) { call.repeats?.until = date(&dice) }
    guard dice.chance(90) else { return }
    func span(_ moment: Moment?) -> Moment? {
      guard case .at = moment else { return moment }
      return .after(TimeSpan(microseconds: 60 * Dice.second))
    }
    call.startBy = span(call.startBy)
    call.end = span(call.end)
    call.content?.staleDate = nil
  }

  func plan(_ dice: inout Dice) throws(SimulationFailure) {
    let (peer, id) = (peer(&dice), id(&dice))
    let owner = owner(&dice, peer)
    let life = model.life(id, of: owner ?? peer.user)
    var call = UpdateParameters(.id(id))
    call.owner = owner
    call.session = session(&dice, life)
    call.ifSequence = sequence(&dice, life)
    call.discardsPlanned = dice.chance(15)
    if !call.discardsPlanned || dice.chance(50) {
      call.due = moment(&dice)
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
    }
    let sent = call
    try onOne(
      "\(peer.user.rawValue) Update \(call.text)", id, owner, peer, { $0 == $1 },
      predict: { $0.plan($1, sent, by: peer) },
      call: { (engine, slot) throws(SchedulerError) in
        try engine.update(slot, id, sent, by: peer, shared: nil, at: now)
      })
  }

  func skip(_ dice: inout Dice) throws(SimulationFailure) {
    let (peer, id) = (peer(&dice), id(&dice))
    var call = SkipParameters(id: id)
    call.owner = owner(&dice, peer)
    call.session = session(&dice, model.life(id, of: call.owner ?? peer.user))
    let sent = call
    try onOne(
      "\(peer.user.rawValue) Skip \(call.text)", id, call.owner, peer, { $0 == $1 },
      predict: { $0.skip($1, session: sent.session, by: peer) },
      call: { (engine, _) throws(SchedulerError) in
        try engine.skip(sent, by: peer, at: now).skippedDate
      })
  }
}
