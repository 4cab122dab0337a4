internal import ActivityStore
internal import LiveActivity
internal import Scheduling
internal import Systemd

extension Service {
  /// Makes the sockets, timers and signals; the store is loaded.
  func start() throws(ServiceFailure) {
    do throws(SystemError) {
      try lookUpAdminGroup()
      turnSource = try loop.addDeferred(.off) { [weak self] in self?.turn() }
      housekeeping = try loop.addDeferred(.off, priority: .idle) { [weak self] in
        self?.keepHouse()
      }
      pulse = try Pulse(loop) { [weak self] kind in self?.pulse(kind) }
      signals.append(
        try loop.addSignal(.hangUp) { [weak self] in self?.reload() })
      if !clock.isTest {
        try makeTimers()
        wakeAlarm = WakeAlarm(loop) { [weak self] in self?.turn() }
        lookAtWake()
      }
      watchZones()
    } catch {
      throw ServiceFailure(.failure, "\(error)")
    }
    do throws(SystemError) { try listen() } catch {
      throw ServiceFailure(.cannotCreate, "\(error)")
    }
    journal.log(
      .info,
      "lasched \(Self.version) runs with \(engine.core.sessionCount) sessions, "
        + "store \(engine.store.storeID)",
      id: MessageID.daemonStarted)
    if let interval = ServiceManager.watchdogInterval {
      watchdogInterval = interval / 2
      pulse?.wake(.watchdog, at: SystemClock.monotonic + watchdogInterval)
    }
    _ = try? ServiceManager.ready()
    scheduleTurn()
  }

  private func lookUpAdminGroup() throws(SystemError) {
    let name = engine.settings.adminGroup
    adminGroup = name.isEmpty ? nil : try Accounts.group(named: name)
  }

  private func listen() throws(SystemError) {
    let passed = options.passed.filter { $0.name == "varlink" && $0.isUnixListener }
    for descriptor in passed {
      try descriptor.setNonBlocking()
      try addListener(descriptor.number)
    }
    guard passed.isEmpty else { return }
    let path = options.socketPath
    if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
      try Files.makeDirectories(
        String(path[..<slash]), mode: options.isUserService ? 0o700 : 0o755)
    }
    let socket = try UnixSocket.listen(at: path, mode: options.isUserService ? 0o600 : 0o666)
    ownSocket = path
    try addListener(socket.release())
  }

  private func addListener(_ number: Int32) throws(SystemError) {
    var source: EventSource?
    source = try loop.addDescriptor(number, .readable) { [weak self] _ in
      self?.accept(from: number)
    }
    if let source { listeners.append(source) }
  }

  private func makeTimers() throws(SystemError) {
    let realtime = try TimerDescriptor(.realtime)
    let boottime = try TimerDescriptor(.boottime)
    timers = [
      try loop.addTimer(realtime, priority: .important) { [weak self] reading in
        self?.armed.wall = nil
        if reading == .clockWasSet { self?.noteSet() }
        self?.turn()
      },
      try loop.addTimer(boottime, priority: .important) { [weak self] _ in
        self?.armed.boottime = nil
        self?.turn()
      },
    ]
    realtimeTimer = realtime
    boottimeTimer = boottime
    _ = try realtime.arm(at: .max)
  }

  /// Arms the timers for the next deadlines: exactly, and only where they have changed.
  func arm() {
    guard let realtimeTimer, let boottimeTimer else { return }
    armWake()
    // While commits fail, due work waits for the retry.
    if pausedUntil != nil { return }
    let next = engine.core.nextDeadlines
    do throws(SystemError) {
      if next.wall != armed.wall || armed.wall == nil {
        // Without a deadline it still tells when the clock is set.
        let isPolling = clockStorm.isPolling(at: SystemClock.monotonic)
        if try realtimeTimer.arm(
          at: next.wall?.microseconds ?? .max, noticesSets: !isPolling)
        {
          noteSet()
          scheduleTurn()
        }
        armed.wall = next.wall
      }
      if next.boottime != armed.boottime {
        if let instant = next.boottime {
          _ = try boottimeTimer.arm(at: instant.microseconds)
        } else {
          try boottimeTimer.disarm()
        }
        armed.boottime = next.boottime
      }
    } catch {
      journal.log(.error, "A timer cannot be armed: \(error)")
      loop.exit(ServiceFailure.Code.failure.rawValue)
    }
  }

  /// The wall clock was set, or the machine resumed.
  private func noteSet() {
    clockWasSet = true
    let now = SystemClock.monotonic
    switch clockStorm.note(at: now) {
    case .nothing: return
    case .pollAndTell:
      journal.log(
        .warning,
        "The clock is set more than \(ClockStorm.most) times a second: it is looked at once a second"
      )
    case .poll: break
    }
    pulse?.wake(.clockStorm, at: now + 1_000_000)
  }

  /// Amid a storm: looks at the clock itself, and arms the timer once more, in the end as ever.
  private func pollClock() {
    let now = SystemClock.monotonic
    clockWasSet = true
    armed.wall = nil
    if clockStorm.isPolling(at: now) { pulse?.wake(.clockStorm, at: now + 1_000_000) }
    turn()
  }

  // MARK: At times of its own

  private func pulse(_ kind: Pulse.Kind) {
    switch kind {
    case .watchdog:
      _ = try? ServiceManager.watchdog()
      pulse?.wake(.watchdog, at: SystemClock.monotonic + watchdogInterval)
      turn()
    case .status: tellStatus()
    case .retry:
      turn()
      // It may have failed again, for somebody else, before this came.
      if let pausedUntil { pulse?.wake(.retry, at: pausedUntil) }
    case .room: regainRoom()
    case .accept:
      resumeAccepting()
      if acceptPause != 0 { pulse?.wake(.accept, at: acceptPause) }
    case .clockMove:
      answerClockMoves()
      if let move = clockMoves.first, move.isDone { pulse?.wake(.clockMove, at: move.patience) }
    case .clockStorm: pollClock()
    case .zones: lookAtZones()
    case .journal: journal.turnSecond(SystemClock.monotonic)
    case .stop: loop.exit(0)
    }
  }

  /// Tells the service manager how many activities there are and when the next one changes: never
  /// an ID, since everyone can read it, and no countdown.
  func tellStatus() {
    if journal.hasUntold, pulse?.isSet(.journal) == false {
      pulse?.wake(.journal, at: (SystemClock.monotonic / 1_000_000 + 1) * 1_000_000)
    }
    let counts = engine.core.counts
    let next = engine.core.nextDate.map { $0.microseconds / 1_000_000 }
    let status = Status(active: counts.active, pending: counts.pending, next: next)
    guard status != lastStatus else { return }
    let now = SystemClock.monotonic
    guard now >= nextStatus else {
      pulse?.wake(.status, at: nextStatus)
      return
    }
    lastStatus = status
    nextStatus = now + 1_000_000
    _ = try? ServiceManager.status(status.text)
  }

  // MARK: Configuration

  static func readSettings(
    _ options: ServiceOptions
  ) -> (settings: Settings, warnings: [ConfigurationWarning]) {
    guard let file = options.configurationFile else {
      return Settings.read(
        Configuration.load(name: "lasched.conf", directories: options.configurationDirectories))
    }
    do throws(SystemError) {
      return Settings.read(try Configuration.load(file: file))
    } catch {
      return (
        Settings(),
        [ConfigurationWarning(file: file, line: nil, message: "\(error.reason); ignored")]
      )
    }
  }

  static func log(_ warning: ConfigurationWarning, to journal: JournalMirror) {
    journal.log(.warning, warning.description, id: MessageID.configurationWarning)
  }

  /// SIGHUP: reads the configuration anew. What cannot be used is a warning; READY=1 follows in any
  /// case.
  private func reload() {
    _ = try? ServiceManager.reloading()
    let (settings, warnings) = Self.readSettings(options)
    for warning in warnings { Self.log(warning, to: journal) }
    let oldGroup = engine.settings.adminGroup
    engine.settings = settings
    engine.core.limits = settings.limits
    if settings.adminGroup != oldGroup {
      do throws(SystemError) { try lookUpAdminGroup() } catch {
        journal.log(.warning, "The group \(settings.adminGroup) cannot be looked up: \(error)")
      }
    }
    journal.log(.info, "The configuration was read anew")
    lookAtWake()
    // Should a change of theirs have gone unseen. Looking costs a while in which nothing fires.
    if engine.zonesDiffer() { lookAtZones() }
    _ = try? ServiceManager.ready()
    scheduleTurn()
  }
}

/// What `systemctl status` shows.
struct Status: Hashable {
  var active: Int
  var pending: Int
  /// Seconds since 1970.
  var next: Int64?

  var text: String {
    let date = next.map { "; next at \(Surroundings.localTime($0))" } ?? ""
    return "\(active) active, \(pending) pending\(date)"
  }
}
