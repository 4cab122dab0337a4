import ActivityStore
import LiveActivity
import SQLite
import SchedulerAPI
import Scheduling

@testable import SchedulerService

extension World {
  func perform(_ step: Step) throws(SimulationFailure) {
    var dice = Dice(step.seed)
    stepCount += 1
    log.append("\(step.kind) at \(now.wall.rfc3339), \(now.boottime.microseconds)")
    switch step.kind {
    case .request: try request(&dice)
    case .reschedule: try reschedule(&dice)
    case .update: try update(&dice)
    case .end: try end(&dice)
    case .plan: try plan(&dice)
    case .skip: try skip(&dice)
    case .cancel: try cancel(&dice)
    case .stop: try stop(&dice)
    case .dismiss: try dismiss(&dice)
    case .act: try act(&dice)
    case .confirm: try confirm(&dice)
    case .snooze: try snooze(&dice)
    case .setEnabled: try setEnabled(&dice)
    case .fanOut: try startFan(&dice)
    case .fanOn: try stepFan(dice.below(fans.count), limit: 1 + dice.below(4))
    case .disconnect: try disconnect(&dice)
    case .rename: try rename(&dice)
    case .list: try list(&dice)
    case .history: try history(&dice)
    case .tick: pass(dice.span())
    case .toNext: try passToNext(&dice)
    case .turn: try turn(limit: dice.chance(30) ? 1 + dice.below(3) : 1000)
    case .suspend: pass(dice.span() + Dice.hour * Int64(dice.below(30)))
    case .stepClock: stepClock(&dice)
    case .drift: set(by: Int64(dice.below(1800)) - 900)
    case .sync: isSynchronised = true
    case .zones: try changeZones(&dice)
    case .commit: try commit()
    case .failCommits: try failCommits(1 + dice.below(2))
    case .fillDisk: fillDisk(&dice)
    case .heal: try heal()
    case .crash: try crash()
    case .powerCut: try cutPower(&dice)
    case .reboot: try reboot(&dice)
    case .restart: try restart()
    case .fold: try fold(1 + dice.below(20))
    case .checkpoint: try checkpoint()
    case .retain: try retain(&dice)
    case .configure: try configure(&dice)
    case .compare: try compareWithStore()
    }
    if !isDoomed { try compareRows() }
  }

  // MARK: Time

  private func passToNext(_ dice: inout Dice) throws(SimulationFailure) {
    let next = model.nextDeadlines
    let spans = [
      next.wall.map { $0.microseconds - now.wall.microseconds },
      next.boottime.map { $0.microseconds - now.boottime.microseconds },
    ]
    guard let span = spans.compactMap({ $0 }).min() else { return }
    let late: Int64 = dice.one(of: [0, 0, 0, -1, 1, 1000, Dice.second]) ?? 0
    pass(max(0, span + late))
    if dice.chance(80) { try turn(limit: 1000) }
    if dice.chance(50) { try commit() }
  }

  private func stepClock(_ dice: inout Dice) {
    let unit: Int64 = dice.one(of: [1000, Dice.second, Dice.hour, Dice.day, Dice.century]) ?? 1000
    let step = unit * Int64(1 + dice.below(3)) + (dice.chance(20) ? 1 : 0)
    set(by: dice.chance(50) ? step : -step)
  }

  /// What the service does first in each of its turns.
  func turn(limit: Int) throws(SimulationFailure) {
    if try sweep(among: limit) { return }
    let engine = try engine()
    let step = now.offset - notedOffset
    let count = engine.rows.count
    let before = model.batch.count
    let isMore = engine.advance(to: now, limit: limit)
    if engine.failure != nil { isDoomed = true }
    if !isDoomed {
      model.endBound(model.orphans)
      let told = try rendered(Array(engine.rows[count...]))
      let ended = model.batch.count - before
      let fired = try model.advance(Array(told.dropFirst(ended)), limit: limit)
      if isMore, fired < limit { throw SimulationFailure("more is due after \(fired)") }
      if !isMore, fired == limit, !model.nothingIsDue {
        throw SimulationFailure("nothing more is due after \(fired)")
      }
      try compareRows()
    }
    guard !isMore else { return }
    if step.magnitude > 1000 {
      notedOffset = now.offset
      engine.noteStep(step, at: now)
      engine.anchor(at: now)
      engine.seeClock(now)
      model.noteStep(step)
      model.anchor()
      model.seeClock()
    } else if isSynchronised, engine.core.hasCarried {
      engine.anchor(at: now)
      model.anchor()
    }
    if engine.failure != nil { isDoomed = true }
    try compareRows()
  }

  // MARK: Batches

  func commit() throws(SimulationFailure) {
    let engine = try engine()
    if engine.failure != nil { isDoomed = true }
    switch engine.commit() {
    case .nothing:
      guard model.batch.isEmpty, !isDoomed else {
        throw SimulationFailure("nothing was kept of \(model.batch.count) events")
      }
      try keep()
    case .kept(let rows):
      guard rows.map(\.sequence) == model.batch.map(\.sequence), !isDoomed else {
        throw SimulationFailure("kept \(rows.count) rows of \(model.batch.count) events")
      }
      note("kept \(rows.count)")
      try keep()
      ghosts = []
    case .undone(let error):
      note("undone: \(error.code)")
      guard failingCommits > 0 || isDiskBad || isDoomed else {
        throw SimulationFailure("the commit failed: \(error)")
      }
      if failingCommits > 0, !isDiskBad {
        failingCommits -= 1
      } else if !isDoomed {
        ghosts.append(model)
      }
      undo(isFull: error.code == .full)
      try compareState()
    }
  }

  private func keep() throws(SimulationFailure) {
    for event in model.batch { try tell(event) }
    model.batch = []
    model.orphans = model.orphans.filter { model.lives[$0]?.state.isLive == true }
    for user in replaced { try engine().forgetFormer(user) }
    replaced = []
    model.forgetFormer()
    for fan in fans { fan.fanOut.keepBatch() }
    before = model
    durable = model
    boundBefore = bound
    try compareState()
  }

  private func undo(isFull: Bool) {
    let undone = model
    model = before
    model.now = now
    model.settings = undone.settings
    model.orphans = undone.orphans.filter { model.lives[$0]?.state.isLive == true }
    bound = boundBefore.filter { bound[$0.key] != nil }
    // What is known of the clocks is no part of a batch.
    model.boot = undone.boot
    model.settleOnBoottime()
    model.isFull = undone.isFull || isFull
    isDoomed = false
    fans = []
    replaced = []
  }

  private func failCommits(_ count: Int) throws(SimulationFailure) {
    try engine().store.failNextCommits(count)
    failingCommits = count
  }

  private func fillDisk(_ dice: inout Dice) {
    guard let vfs else { return }
    var plan = FaultyVFS.Plan()
    plan.code = dice.chance(50) ? 13 : 10
    plan.succeeding = dice.below(8)
    plan.failing = dice.chance(50) ? 1 + dice.below(4) : .max
    plan.onlyGrowth = plan.code == 13 && dice.chance(50)
    plan.tears = dice.chance(30)
    if dice.chance(30) { plan.operations = [.sync] }
    vfs.set(plan)
    isDiskBad = true
  }

  func heal() throws(SimulationFailure) {
    vfs?.set(nil)
    isDiskBad = false
    try engine().store.failNextCommits(0)
    failingCommits = 0
    let wasFull = model.isFull
    let isRegained = try engine().regainReserve()
    guard isRegained == wasFull else {
      throw SimulationFailure("the reserve is \(isRegained ? "" : "not ")back")
    }
    model.isFull = false
  }

  // MARK: Connections, users, settings

  private func disconnect(_ dice: inout Dice) throws(SimulationFailure) {
    guard let connection = dice.one(of: bound.keys.sorted()),
      let firsts = bound.removeValue(forKey: connection)
    else { return }
    let engine = try engine()
    var places: [(slot: UInt32, first: Int64)] = []
    for first in firsts {
      guard let life = model.lives[first] else { continue }
      let slot = try storing { () throws(StoreError) in
        try engine.slot(ofSession: first, owner: life.owner)
      }
      if let slot { places.append((slot, first)) }
    }
    engine.endBound(places, at: now)
    if engine.failure != nil { isDoomed = true }
    model.orphans += firsts
    if !isDoomed { model.endBound(firsts) }
  }

  private func rename(_ dice: inout Dice) throws(SimulationFailure) {
    guard let user = dice.weighted(Self.peers)?.user, user != .root else { return }
    names += 1
    let engine = try engine()
    let isReplaced = engine.meet(user, name: "name\(names)", at: now)
    if engine.failure != nil { isDoomed = true }
    if isReplaced { replaced.append(user) }
    if isDoomed { return }
    guard model.meet(user, name: "name\(names)") == isReplaced else {
      throw SimulationFailure("user \(user) is somebody else: \(isReplaced)")
    }
  }

  private func configure(_ dice: inout Dice) throws(SimulationFailure) {
    var settings = model.settings
    settings.activitiesPerUser = dice.one(of: [2, 6, 100]) ?? 100
    settings.unsettledAlertsPerUser = dice.one(of: [1, 3, 100]) ?? 100
    settings.activeMax = .seconds(dice.one(of: [8 * 3600, 3600, 60]) ?? 60)
    settings.endedMax = .seconds(dice.one(of: [4 * 3600, 600]) ?? 600)
    settings.isEnabled = dice.chance(95)
    model.settings = settings
    let engine = try engine()
    engine.settings = settings
    engine.core.limits = settings.limits
  }
}

extension Model {
  var nothingIsDue: Bool {
    let next = nextDeadlines
    return (next.wall.map { $0 > now.wall } ?? true)
      && (next.boottime.map { $0 > now.boottime } ?? true)
  }
}
