import ActivityStore
import JSON
import LiveActivity
import SchedulerAPI
import Scheduling

@testable import SchedulerService

extension World {
  /// Makes a call of the engine and holds what comes of it against what the model says. Returns what
  /// the engine replied, nil where it refused.
  @discardableResult
  func expect<Reply>(
    _ text: @autoclosure () -> String, _ predict: (inout Model) -> Verdict<Reply>,
    _ matches: (Reply, Reply) -> Bool, _ call: (Engine) throws(SchedulerError) -> Reply
  ) throws(SimulationFailure) -> Reply? {
    let engine = try engine()
    if engine.failure != nil { isDoomed = true }
    var trial = model
    let verdict = predict(&trial)
    let reply: Reply
    do throws(SchedulerError) { reply = try call(engine) } catch {
      note("\(text()): \(error)")
      if engine.failure != nil { isDoomed = true }
      if isDoomed {
        guard case .storeUnavailable = error else {
          throw SimulationFailure("\(error), although nothing can be stored")
        }
        return nil
      }
      switch verdict {
      case .done(let reply): throw SimulationFailure("refused: \(error), instead of \(reply)")
      case .refused(let errors):
        guard errors.contains(where: { isSame($0, error) }) else {
          throw SimulationFailure("refused: \(error), instead of one of \(errors)")
        }
      }
      return nil
    }
    note("\(text()): \(reply)")
    if engine.failure != nil { isDoomed = true }
    if isDoomed { return reply }
    switch verdict {
    case .refused(let errors):
      throw SimulationFailure("replied: \(reply), instead of a refusal: \(errors)")
    case .done(let expected):
      guard matches(reply, expected) else {
        throw SimulationFailure("replied otherwise: " + difference(reply, expected))
      }
    }
    model = trial
    try compareRows()
    return reply
  }

  private func isSame(_ a: SchedulerError, _ b: SchedulerError) -> Bool {
    switch (a, b) {
    case (.notPermitted, .notPermitted), (.storeUnavailable, .storeUnavailable): true
    case (.invalidDate(let a, _, _), .invalidDate(let b, _, _)): Self.date(a) == Self.date(b)
    default: a == b
    }
  }

  /// The date that a parameter gives, whichever way the caller chose to give it.
  private static func date(_ field: String) -> String {
    switch field {
    case "content.staleDate", "staleAfterUSec": "staleDate"
    case "startByAfterUSec": "startByDate"
    case "endAfterUSec": "endDate"
    default: field
    }
  }

  func note(_ text: String) { log.append("  \(text.prefix(400))") }

  // MARK: Drawing

  func peer(_ dice: inout Dice) -> Peer { dice.weighted(Self.peers) ?? Self.root }

  /// Whose activities a call names.
  func owner(_ dice: inout Dice, _ peer: Peer) -> UserID? {
    guard dice.chance(peer.isAdmin ? 60 : 4) else { return nil }
    return dice.weighted(Self.peers)?.user
  }

  func id(_ dice: inout Dice) -> ActivityID { dice.one(of: Self.ids) ?? Self.ids[0] }

  /// A date near now, often one that something else waits for.
  func date(_ dice: inout Dice) -> WallTime {
    if dice.chance(20) {
      let known = model.lives.values.sorted { $0.first < $1.first }
        .flatMap { $0.terms.compactMap { $0.when.date(now) } }
      if let date = dice.one(of: known) { return WallTime(microseconds: max(0, date)) }
    }
    var date = now.wall.microseconds + dice.span() * (dice.chance(12) ? -1 : 1)
    if dice.chance(40) { date = date / Dice.second * Dice.second }
    return WallTime(microseconds: max(0, date))
  }

  func moment(_ dice: inout Dice) -> Moment {
    dice.chance(50) ? .at(date(&dice)) : .after(TimeSpan(microseconds: dice.span()))
  }

  func alert(_ dice: inout Dice) -> Alert? {
    try? Alert(
      title: "alert \(dice.below(100_000))", body: "", sound: dice.chance(10) ? "bell" : nil,
      urgency: dice.chance(20) ? .critical : nil)
  }

  func content(_ dice: inout Dice) -> Content {
    Content(
      state: Plain.object(&dice), staleDate: dice.chance(40) ? date(&dice) : nil,
      relevanceScore: dice.chance(30) ? Double(dice.below(5)) : nil)
  }

  func session(_ dice: inout Dice, _ life: Life?) -> Int64? {
    guard dice.chance(30) else { return nil }
    return dice.chance(75) ? life?.number ?? 1 : Int64(dice.below(5))
  }

  func sequence(_ dice: inout Dice, _ life: Life?) -> Int64? {
    guard dice.chance(15) else { return nil }
    return (life?.sequence ?? 1) - (dice.chance(70) ? 0 : 1)
  }

  func timestamp(_ dice: inout Dice, _ life: Life?) -> WallTime? {
    guard dice.chance(30) else { return nil }
    if dice.chance(30), let last = life?.timestamp { return WallTime(microseconds: last) }
    return date(&dice)
  }

  // MARK: Request

  private func drawRequest(_ dice: inout Dice, _ peer: Peer) -> RequestParameters {
    var call = RequestParameters()
    if dice.chance(75) {
      call.start =
        dice.chance(60)
        ? .after(TimeSpan(microseconds: dice.span())) : .at(date(&dice))
    }
    if dice.chance(20) { (call.start, call.wallStart) = (nil, wallStart(&dice)) }
    call.allowPast = dice.chance(8)
    if dice.chance(20) { call.startBy = moment(&dice) }
    if dice.chance(50) { call.content = content(&dice) }
    if call.content?.staleDate == nil, dice.chance(25) {
      call.staleAfter = TimeSpan(microseconds: dice.span())
    }
    if dice.chance(45) { call.end = moment(&dice) }
    if dice.chance(60) { call.alert = alert(&dice) }
    if dice.chance(40) { call.endAlert = alert(&dice) }
    if dice.chance(30), let action = try? Action(name: "go", label: "Go") {
      call.actions = [action]
    }
    if dice.chance(25) { call.application = dice.one(of: ["app.one", "app.two"]) }
    if dice.chance(20) { call.attributesType = dice.one(of: ["One", "Two"]) }
    if dice.chance(20) { call.attributes = Plain.object(&dice) }
    if dice.chance(40) { call.channel = dice.one(of: Self.channels) }
    if dice.chance(peer.isAdmin ? 50 : 2) {
      let names: [[Audience]] = [
        [.everyone], [.user("1002")], [.group("100")], [.user("1001"), .group("200")], [],
      ]
      call.audience = dice.one(of: names)
    }
    call.bound = dice.chance(12)
    if dice.chance(25) { call.reminders = reminders(&dice) }
    if !call.bound, dice.chance(25) { repeats(&call, &dice) }
    if dice.chance(35) { call.wake = dice.chance(80) }
    call.ifExists = dice.one(of: [.fail, .keep, .replace, .replace, .update, .update]) ?? .fail
    return call
  }

  func request(_ dice: inout Dice) throws(SimulationFailure) {
    let peer = peer(&dice)
    var id = id(&dice)
    var call = drawRequest(&dice, peer)
    call.owner = owner(&dice, peer)
    if dice.chance(25), let again = dice.one(of: sentRequests.suffix(12)) {
      let (owner, rule) = (call.owner, call.ifExists)
      (call, id) = (again.call, again.id)
      if dice.chance(30) { call.owner = owner }
      call.ifExists = rule
    }
    // Whose series a request changes is for tests of their own.
    if call.repeats != nil, call.ifExists == .update { call.ifExists = .replace }
    call.id = id
    sentRequests.append((call, id))
    let connection = self.connection(&dice, peer)
    let audience = Self.resolve(call.audience ?? [])
    let reply = try expect(
      "\(peer.user.rawValue) Request \(call.text)",
      { $0.request(call, id: id, by: peer, audience: audience) },
      { $0 == $1 },
      { (engine) throws(SchedulerError) in
        try engine.request(call, by: peer, audience: audience, at: now).reply
      })
    // A request that was refused may have made a zone known too.
    if let names = live?.core.knownZones.keys { land.know(names) }
    guard let reply, call.bound, !isDoomed,
      let life = model.life(id, of: reply.activity.owner), life.isBound
    else { return }
    if reply.created || life.state == .pending { bound[connection, default: []].append(life.first) }
  }

  func connection(_ dice: inout Dice, _ peer: Peer) -> Int {
    Int(peer.user.rawValue) * 2 + dice.below(2)
  }

  private static func resolve(_ names: [Audience]) -> ResolvedAudience {
    var audience = ResolvedAudience()
    for name in names {
      switch name {
      case .everyone: audience.isEveryone = true
      case .user(let text): audience.users.insert(UInt32(text) ?? 0)
      case .group(let text): audience.groups.insert(UInt32(text) ?? 0)
      }
    }
    return audience
  }

  // MARK: Reschedule

  func reschedule(_ dice: inout Dice) throws(SimulationFailure) {
    let peer = peer(&dice)
    var call = RescheduleParameters(id: id(&dice))
    call.owner = owner(&dice, peer)
    let life = model.life(call.id, of: call.owner ?? peer.user)
    call.session = session(&dice, life)
    call.ifSequence = sequence(&dice, life)
    if dice.chance(50) {
      call.start =
        dice.chance(25)
        ? .after(TimeSpan(microseconds: 0))
        : dice.chance(50) ? .at(date(&dice)) : .after(TimeSpan(microseconds: dice.span()))
    }
    if dice.chance(15) { (call.start, call.wallStart) = (nil, wallStart(&dice)) }
    if dice.chance(15) { call.startBy = moment(&dice) }
    if dice.chance(30) { call.stale = moment(&dice) }
    if dice.chance(40) { call.end = moment(&dice) }
    if call.end == nil, dice.chance(15) { call.noEnd = true }
    if dice.chance(20) { call.alert = alert(&dice) }
    if dice.chance(20) { call.endAlert = alert(&dice) }
    if dice.chance(20) { call.reminders = reminders(&dice) }
    try expect(
      "\(peer.user.rawValue) Reschedule \(call.text)", { $0.reschedule(call, by: peer) },
      { $0 == $1 },
      { (engine) throws(SchedulerError) in try engine.reschedule(call, by: peer, at: now) })
  }
}
