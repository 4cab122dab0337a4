internal import ActivityStore
internal import LiveActivity
internal import SchedulerAPI
internal import Scheduling
internal import Systemd
internal import Varlink

/// The daemon: one thread that decides everything, on one event loop.
///
/// A turn reads the clocks once, fires what is due, carries out the calls that have come, commits
/// all of it at once, and only then lets anybody hear of it.
public final class Service {
  let options: ServiceOptions
  let loop: EventLoop
  var clock: DaemonClock
  let engine: Engine
  var journal: JournalMirror
  let worker: BackgroundWorker
  let description: VarlinkService

  var listeners: [EventSource] = []
  var connections: [Int: Connection] = [:]
  var connectionsOfUser: [UserID: Int] = [:]
  var nextConnection = 0
  var adminGroup: UInt32?
  /// Users whose names have been compared with the store's, those that are being looked up, and
  /// those who turned out to be somebody else.
  var met: Set<UserID> = []
  var meeting: [UserID: [Connection]] = [:]
  var introduced: [(user: UserID, name: String)] = []
  var replaced: [UserID] = []
  var limiter = RateLimiter()
  var buffer = [UInt8](repeating: 0, count: 64 << 10)

  /// Those with calls to carry out, in order of arrival.
  var ready: [Connection] = []
  /// Those that took part in the current batch.
  var taking: [Connection] = []
  /// Those that are fed part by part.
  var fed: [Int: Connection] = [:]
  /// Sessions whose connection is gone.
  var abandoned: [(slot: UInt32, first: Int64)] = []
  /// Calls whose names have been looked up.
  var lookedUp: [(connection: Connection, call: LookedUpRequest)] = []
  /// A look through the store that goes on.
  var storeCheck: StoreCheck?
  /// Calls for many activities that are not through yet.
  var fanOuts: [RunningFanOut] = []
  /// A move of the test clock that is not through yet, and those that wait for theirs.
  var clockMoves: [ClockMove] = []
  /// The test clock, and the move it was in, as they were before the current batch.
  var clockBefore = DaemonClock.machine
  var movedBefore: (move: ClockMove, kind: ClockMove.Kind)?

  var turnSource: EventSource?
  var isTurnDue = false
  var realtimeTimer: TimerDescriptor?
  var boottimeTimer: TimerDescriptor?
  var armed = NextDeadlines()
  /// What wakes the machine, and what the journal knows to keep it from that.
  var wakeAlarm: WakeAlarm?
  var toldWakeProblem: String?
  var timers: [EventSource] = []
  var signals: [EventSource] = []
  var pulse: Pulse?
  var housekeeping: EventSource?
  var nextRetention: Int64 = 0
  /// The directories of the zones and of `/etc/localtime`.
  var zoneWatch: DirectoryWatch?
  var zoneSource: EventSource?
  var unfoldedRows = 0
  var acceptPause: Int64 = 0

  /// The offset of the wall clock from the elapsed one at the last turn.
  var lastOffset: Int64
  /// The same before the step that the current batch tells of.
  var offsetBefore: Int64?
  var clockWasSet = false
  var clockStorm = ClockStorm()
  /// It was asked to end.
  var isStopping = false
  /// When the wall clock was last set forward, on CLOCK_BOOTTIME.
  var lastForwardStep: Int64?
  /// Commits failed lately: due work waits until then, on CLOCK_MONOTONIC.
  var pausedUntil: Int64?
  var failures = 0
  var lastStatus: Status?
  var nextStatus: Int64 = 0
  var watchdogInterval: Int64 = 0
  /// The path that it made and removes at the end.
  var ownSocket: String?

  /// Opens the state directory, rebuilds what is in it, and listens. Nothing runs until `run`.
  public init(_ options: ServiceOptions) throws(ServiceFailure) {
    self.options = options
    clock = options.testClock.map { DaemonClock.standing(at: $0) } ?? .machine
    journal = JournalMirror(Journal.detected(threshold: options.logLevel))
    description = VarlinkService(
      vendor: "lasched", product: "lasched", version: Service.version,
      url: "https://lasched.io/",
      interfaces: Service.interfaces(isTest: options.testClock != nil))
    let running = Running()
    do throws(SystemError) {
      loop = try EventLoop()
      // Before any other thread is made, which would still die of them.
      let stop = { [loop, running] in
        if let service = running.service { service.beginStop() } else { loop.exit(0) }
      }
      signals = [
        try loop.addSignal(.terminate, priority: .important, stop),
        try loop.addSignal(.interrupt, priority: .important, stop),
      ]
      worker = try BackgroundWorker(loop)
    } catch {
      throw ServiceFailure(.failure, "\(error)")
    }
    let (settings, warnings) = Service.readSettings(options)
    engine = try Service.open(options, settings, clock.reading, journal)
    lastOffset = engine.core.now.offset
    for warning in warnings { Service.log(warning, to: journal) }
    try start()
    running.service = self
  }

  /// What a signal ends: nothing but the loop, until it serves.
  private final class Running {
    weak var service: Service?
  }

  /// The version that `--version` and `GetStatus` tell.
  public static let version = "0.1.0"

  private static func interfaces(isTest: Bool) -> [(name: String, description: String)] {
    var interfaces = [
      (LiveActivitiesInterface.name, LiveActivitiesInterface.definition),
      (PushInterface.name, PushInterface.definition),
    ]
    if isTest { interfaces.append((TestClockInterface.name, TestClockInterface.definition)) }
    return interfaces
  }

  private static func open(
    _ options: ServiceOptions, _ settings: Settings, _ reading: ClockReading,
    _ journal: JournalMirror
  ) throws(ServiceFailure) -> Engine {
    var random = SystemRandomNumberGenerator()
    let isTest = options.testClock != nil
    let bootID: String
    do throws(SystemError) {
      bootID = isTest ? "test-\(random.next())" : try BootID.current().description
    } catch {
      throw ServiceFailure(.failure, "\(error)")
    }
    // Every two seconds or so of a long load or migration the service manager hears that it goes on.
    let goesOn = { _ = try? ServiceManager.extendTimeout(microseconds: 120_000_000) }
    goesOn()
    do throws(StoreError) {
      let (engine, report) = try Engine.open(
        directory: options.stateDirectory, settings: settings, at: reading, bootID: bootID,
        isSynchronised: !isTest && SystemClock.isSynchronised == true,
        hashKey: (random.next(), random.next()),
        zones: Zones(
          directory: Surroundings.variable("TZDIR"), tz: Surroundings.variable("TZ")),
        progress: goesOn)
      if let lost = report.setAside {
        journal.log(
          .error, "The store was damaged (\(lost.why)) and is set aside as \(lost.path)",
          id: MessageID.storeSetAside)
      }
      for warning in report.warnings { journal.log(.warning, warning) }
      return engine
    } catch {
      throw ServiceFailure(error)
    }
  }

  /// Runs until SIGTERM or SIGINT; returns the exit code.
  public func run() throws(ServiceFailure) -> UInt8 {
    do throws(SystemError) {
      let code = try loop.run()
      stop()
      return code
    } catch {
      throw ServiceFailure(.failure, "\(error)")
    }
  }

  /// SIGTERM or SIGINT. Who has just come, or is between two calls, gets a moment to ask: at a restart
  /// nobody but them would go unanswered, since others wait at the socket for the next daemon.
  func beginStop() {
    guard !isStopping else { return }
    isStopping = true
    _ = try? ServiceManager.stopping()
    for listener in listeners { try? listener.setEnabled(.off) }
    let now = SystemClock.monotonic
    let isAwaited = connections.values.contains { $0.isTalking(at: now) }
    guard isAwaited, let pulse else { return loop.exit(0) }
    pulse.wake(.stop, at: now + Connection.pause)
  }

  /// Carries out what had come before the end.
  private func answerLast() {
    for connection in connections.values.sorted(by: { $0.number < $1.number })
    where connection.wantsInput {
      if connection.receive(into: &buffer), !connection.isReady { makeReady(connection) }
    }
    for _ in 0..<16 where !ready.isEmpty { turn() }
  }

  private func stop() {
    answerLast()
    journal.tellUntold()
    journal.log(.info, "Stopping", id: MessageID.daemonStopping)
    engine.seeClock(clock.reading)
    _ = engine.commit()
    for connection in connections.values {
      connection.flush()
      connection.close()
    }
    worker.stop()
    engine.foldAll()
    if let ownSocket { _ = try? Files.remove(ownSocket) }
  }
}
