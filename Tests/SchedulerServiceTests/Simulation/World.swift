import ActivityStore
import LiveActivity
import SQLite
import SchedulerAPI
import Scheduling

@testable import SchedulerService

/// The engine on real files, the clocks, the callers, and beside them the model.
final class World {
  static let root = Peer(user: .root, groups: [0], isAdmin: true)
  static let peers: [(Peer, Int)] = [
    (root, 12), (Peer(user: UserID(900), groups: [27, 100], isAdmin: true), 10),
    (Peer(user: UserID(1001), groups: [100]), 40),
    (Peer(user: UserID(1002), groups: [100, 200]), 20),
    (Peer(user: UserID(1003), groups: [200]), 15),
  ]
  static let ids = ["a", "b", "\u{e9}", "e\u{301}"].map { ActivityID(stored: $0) }
  static let channels = ["one", "two"]

  var directory: Directory
  var live: Engine?
  /// Present where the disk can fail.
  let vfs: FaultyVFS?
  let hashKey: (UInt64, UInt64)
  /// The cutoff of a step of retention that failed since the start.
  var failedRetention: Int64??
  let land: Land

  /// What is so now, was so before the current batch, and what a crash would leave.
  var model: Model
  var before: Model
  var durable: Model
  /// Batches whose commit failed on the way to the disk: a crash may bring one of them back.
  var ghosts: [Model] = []

  // Time: what really passes, how wrong the wall clock is, when this boot was.
  var truth: Int64
  var wallError: Int64
  var bootedAt: Int64
  var bootNumber = 1
  var isSynchronised: Bool
  /// How far the clocks were apart when the last step was noted.
  var notedOffset: Int64

  /// The current batch cannot be committed any more.
  var isDoomed = false
  var failingCommits = 0
  var isDiskBad = false
  var replaced: [UserID] = []
  var names = 0

  /// What watchers were told, and what is known of each session from that alone.
  var told: [Int64: ActivityEvent] = [:]
  var ledger = Ledger()
  /// Sessions by the connection that they are bound to.
  var bound: [Int: [Int64]] = [:]
  var boundBefore: [Int: [Int64]] = [:]
  var fans: [Fan] = []
  var sentRequests: [(call: RequestParameters, id: ActivityID)] = []
  var sentUpdates: [UpdateParameters] = []
  var sentEnds: [EndParameters] = []
  /// What has happened, for people.
  var log: [String] = []
  var stepCount = 0

  init(_ history: History) throws(SimulationFailure) {
    var dice = Dice(history.seed ^ 0x5eed)
    directory = try Directory()
    vfs = dice.chance(50) ? FaultyVFS() : nil
    hashKey = (dice.next(), dice.next())
    land = try Land()
    var settings = Settings()
    settings.payloadMaxBytes = 120
    settings.activitiesPerUser = dice.one(of: [3, 6, 100]) ?? 100
    settings.unsettledAlertsPerUser = dice.one(of: [1, 3, 100]) ?? 100
    settings.reserveBytes = dice.one(of: [0, 4096]) ?? 0
    // Whole milliseconds make deadlines meet; odd microseconds test rounding.
    let odd = dice.chance(50) ? Int64(dice.below(1000)) : 0
    truth = 1_796_149_800_000_000
    wallError = odd
    bootedAt = truth - Int64(dice.below(100_000)) * 1000 - (odd == 0 ? 0 : Int64(dice.below(1000)))
    isSynchronised = dice.chance(70)
    let now = ClockReading(
      wall: WallTime(microseconds: truth + wallError),
      boottime: BootTime(microseconds: truth - bootedAt))
    notedOffset = now.offset
    model = Model(
      settings: settings, now: now, boot: "boot1", isSynchronised: isSynchronised,
      land: land)
    before = model
    durable = model
    try open()
  }

  func engine() throws(SimulationFailure) -> Engine {
    guard let live else { throw SimulationFailure("there is no engine") }
    return live
  }

  // MARK: Clocks

  var now: ClockReading {
    ClockReading(
      wall: WallTime(microseconds: truth + wallError),
      boottime: BootTime(microseconds: truth - bootedAt))
  }

  /// Both clocks go on.
  func pass(_ span: Int64) {
    guard truth + wallError + span < WallTime.latest.microseconds - 2 * Dice.century else { return }
    truth += span
    model.now = now
  }

  /// The wall clock is set.
  func set(by step: Int64) {
    let wall = truth + wallError + step
    let latest = WallTime.latest.microseconds - 2 * Dice.century
    guard wall > Dice.century / 10, wall < latest else { return }
    wallError += step
    model.now = now
  }

  // MARK: Opening

  var options: StoreOptions {
    var options = StoreOptions()
    options.reserveBytes = Int64(model.settings.reserveBytes)
    options.logFrames = 16
    return options
  }

  /// The daemon starts, and finds what is durable.
  func open() throws(SimulationFailure) {
    vfs?.set(nil)
    isDiskBad = false
    failingCommits = 0
    isDoomed = false
    fans = []
    (bound, boundBefore) = ([:], [:])
    replaced = []
    notedOffset = now.offset
    var options = options
    options.vfs = vfs?.name
    do {
      let (store, report) = try ActivityStore.open(
        directory: directory.path, now: now.wall, options: options)
      guard report.setAside == nil else {
        throw SimulationFailure("set aside: \(report.setAside.map { "\($0)" } ?? "")")
      }
      try chooseGhost(store)
      let engine = try Engine(
        loading: store, settings: model.settings, at: now, bootID: "boot\(bootNumber)",
        isSynchronised: isSynchronised, hashKey: hashKey, zones: land.zones)
      live = engine
    } catch let failure as SimulationFailure {
      throw failure
    } catch {
      throw SimulationFailure("cannot open: \(error)")
    }
    let settings = model.settings
    model = durable
    model.settings = settings
    model.now = now
    model.isFull = false
    try settleRetention()
    model.start(boot: "boot\(bootNumber)", isSynchronised: isSynchronised)
    before = model
    model.endBound(model.orphans)
    land.knowOnly(model.lives.values.compactMap { $0.serie?.rule }.filter { $0.calendar != nil })
    model.renewSeries()
    land.know(live?.core.knownZones.keys.map { $0 } ?? [])
    ghosts = []
    try compareRows()
    try checkTold()
  }

  /// What a failed commit left on the disk may be there after all.
  private func chooseGhost(_ store: ActivityStore) throws(SimulationFailure) {
    guard !ghosts.isEmpty else { return }
    var back: [ActivityEvent] = []
    do throws(StoreError) {
      let entries = try store.entries(prefix: "boot/")
      let boot = entries.last.flatMap { BootCoding.boot($0.value) }
      let records = Records(store: store)
      var found: Model?
      for model in [durable] + ghosts.reversed() where found == nil {
        guard model.sequence == store.highestSequence,
          boot == nil || (model.boot.offset == boot?.offset && model.boot.anchor == boot?.anchor)
        else { continue }
        let last = try store.event(model.sequence).map { (row) throws(StoreError) in
          try records.event(row)
        }
        if model.batch.isEmpty || last == model.batch.last { found = model }
      }
      guard let found else { return }
      durable = found
      durable.batch = []
      durable.forgetFormer()
      back = found.batch
    } catch {
      throw SimulationFailure("\(error)")
    }
    for event in back { try tell(event) }
  }
}
