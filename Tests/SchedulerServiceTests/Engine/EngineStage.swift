import ActivityStore
import JSON
import LiveActivity
import SchedulerAPI
import Scheduling
import Testing

@testable import SchedulerService

/// An engine on a real file, in time that stands still until it is moved.
final class EngineStage {
  static let root = Peer(user: .root, groups: [0], isAdmin: true)
  static let ann = Peer(user: UserID(1001), groups: [100])
  static let bob = Peer(user: UserID(1002), groups: [100])

  let directory: Directory
  private var opened: Engine?
  var now = ClockReading(
    wall: WallTime(microseconds: 1_796_149_800_000_000), boottime: BootTime(microseconds: 0))
  let settings: Settings
  /// The machine's zones; those of the next start, if they are changed.
  var zones: Zones

  init(zones: Zones = Zones(tz: "UTC"), _ change: (inout Settings) -> Void = { _ in }) throws {
    var settings = Settings()
    settings.reserveBytes = 0
    change(&settings)
    self.settings = settings
    self.zones = zones
    directory = try Directory()
    try reopen()
  }

  var engine: Engine {
    get throws { try #require(opened) }
  }

  /// The daemon is killed and starts again.
  func reopen() throws {
    opened = nil
    var options = StoreOptions()
    options.reserveBytes = 0
    options.logFrames = 16
    let (store, _) = try ActivityStore.open(
      directory: directory.path, now: now.wall, options: options)
    opened = try Engine(
      loading: store, settings: settings, at: now, bootID: "boot", isSynchronised: true,
      hashKey: (1, 2), zones: zones)
  }

  /// Looks through the wall times, as the service does before it fires anything.
  @discardableResult
  func sweep() throws -> [ActivityEvent] {
    while try engine.sweepZones(among: 2, at: now) {}
    return try commit()
  }

  /// Time goes on, and what is due happens and is kept.
  @discardableResult
  func pass(_ seconds: Int64) throws -> [ActivityEvent] {
    now.wall.microseconds += seconds * 1_000_000
    now.boottime.microseconds += seconds * 1_000_000
    _ = try engine.advance(to: now, limit: 1000)
    return try commit()
  }

  /// The batch is kept; the events that it made.
  @discardableResult
  func commit() throws -> [ActivityEvent] {
    switch try engine.commit() {
    case .nothing: return []
    case .kept(let rows): return try rows.map { try engine.records.event($0) }
    case .undone(let error): throw error
    }
  }

  /// The batch does not reach the disk.
  func failToCommit() throws {
    try engine.store.failNextCommits(1)
    guard case .undone = try engine.commit() else {
      Issue.record("it was kept")
      return
    }
  }

  @discardableResult
  func request(
    _ id: String, by peer: Peer = ann, audience: [Audience] = [],
    _ fill: (inout RequestParameters) -> Void = { _ in }
  ) throws -> Activity {
    var call = RequestParameters()
    call.id = ActivityID(stored: id)
    if !audience.isEmpty { call.audience = audience }
    fill(&call)
    var resolved = ResolvedAudience()
    for name in audience {
      switch name {
      case .everyone: resolved.isEveryone = true
      case .user(let text): resolved.users.insert(try #require(UInt32(text)))
      case .group(let text): resolved.groups.insert(try #require(UInt32(text)))
      }
    }
    return try engine.request(call, by: peer, audience: resolved, at: now).reply.activity
  }

  func get(_ id: String, by peer: Peer = ann, session: Int64? = nil) throws -> Activity {
    var call = GetParameters(id: ActivityID(stored: id))
    call.session = session
    return try engine.get(call, by: peer).activity
  }

  func slot(_ id: String, of peer: Peer = ann) throws -> UInt32 {
    try engine.slot(of: ActivityID(stored: id), owner: peer.user)
  }

  /// A call for many, all in one batch.
  func forMany(_ work: FanOut.Work, by peer: Peer = ann) throws -> FanOut {
    let fanOut = FanOut(work, peer: peer, places: try engine.places(work, by: peer))
    try fanOut.step(engine, limit: 1000, at: now)
    return fanOut
  }

  /// Lets go all that is older than now.
  func retain(seconds: Int64 = 0) throws {
    let rules = try engine.retentionRules(
      cutoff: now.wall.microseconds - seconds * 1_000_000, eventsPerOwner: 100_000)
    var hasMore = true
    while hasMore {
      let step = try engine.store.retentionStep(rules)
      try engine.forget(step.removedSessions)
      hasMore = step.hasMore
    }
  }

  static func state(_ text: String) -> Content {
    Content(state: JSONText(trusted: Array(text.utf8)))
  }
  static func after(_ seconds: Int64) -> Moment { .after(.seconds(seconds)) }
  static func alert(_ title: String) throws -> Alert { try Alert(title: title, body: "") }
}
