import LiveActivity
import Notifications
import SchedulerAPI
import Systemd

/// The wiring: daemons, bus, clock and files around the agent that decides. One thread, one loop.
final class NotifyService {
  private let options: NotifyOptions
  private let log: Journal
  private let loop: EventLoop
  private let timer: TimerDescriptor
  private var agent: NotifyAgent
  private var notes: NoteFile?
  private var daemons: [Source: DaemonLink] = [:]
  private var bus: Bus?
  private var server: ServerLink?
  private var launcher: Launcher?
  private var busWatch: PathWatch?
  private var claim: BusSlot?
  private var sources: [EventSource] = []
  private var armedFor: Int64?
  /// When (BOOTTIME) the bus is looked for again.
  private var busRetryAt: Int64?
  private var busPause: Int64 = 1_000_000
  private var status = ""
  /// What was heard while something else was being taken in.
  private var heard: [AgentInput] = []
  private var isTaking = false

  /// The name that it has on the bus: one agent a session.
  static let name = "io.lasched.Notify"

  init(_ options: NotifyOptions) throws(NotifyFailure) {
    self.options = options
    log = Journal.detected(threshold: options.logLevel)
    var known: [AlertKey: AlertNote] = [:]
    do throws(SystemError) {
      let (file, notes) = try NoteFile.open(options.stateDirectory)
      (self.notes, known) = (file, notes)
    } catch {
      // An alert is worth more than a note of it.
      log.log(.warning, "cannot note which alerts were shown: \(error)")
    }
    agent = NotifyAgent(
      NotifyConfiguration.load(options, log), notes: known, at: NotifyService.reading)
    do throws(SystemError) {
      loop = try EventLoop()
      timer = try TimerDescriptor(.boottime)
    } catch {
      throw NotifyFailure(error)
    }
  }

  private static var reading: ClockReading {
    ClockReading(
      wall: WallTime(microseconds: SystemClock.realtime),
      boottime: BootTime(microseconds: SystemClock.boottime))
  }

  /// Serves until a signal ends it.
  func run() throws(NotifyFailure) -> UInt8 {
    do throws(SystemError) {
      for signal in [Signal.terminate, .interrupt] {
        sources.append(try loop.addSignal(signal) { [loop] in loop.exit(0) })
      }
      sources.append(try loop.addSignal(.hangUp) { [weak self] in self?.reload() })
      sources.append(try loop.addTimer(timer) { [weak self] _ in self?.wake() })
      // After whatever has happened: what is due next.
      sources.append(try loop.addPost { [weak self] in self?.settle() })
      for (source, path) in options.daemons {
        daemons[source] = try DaemonLink(source, path, loop, log) { [weak self] in self?.hear($0) }
      }
      connectBus()
      for (_, daemon) in daemons { daemon.read() }
      settle()
      _ = try? ServiceManager.ready()
      let code = try loop.run()
      _ = try? ServiceManager.stopping()
      return code
    } catch {
      throw NotifyFailure(error)
    }
  }

  private func reload() {
    _ = try? ServiceManager.reloading()
    agent.context = NotifyConfiguration.load(options, log)
    _ = try? ServiceManager.ready()
  }

  // MARK: The bus

  private func connectBus() {
    guard bus == nil else { return }
    busRetryAt = nil
    do throws(SystemError) {
      let bus = try Bus(loop, address: Bus.userAddress) { [weak self] in self?.loseBus() }
      self.bus = bus
      launcher = Launcher(bus, log)
      server = try ServerLink(bus, log) { [weak self] in self?.hear($0) }
      claim = try bus.request(name: Self.name) { [weak self] isOwner in
        self?.claim = nil
        if !isOwner { self?.leave() }
      }
      busPause = 1_000_000
      busWatch = nil
    } catch {
      log.log(.info, "no session bus: \(error); waiting for it")
      dropBus()
      watchBus()
      busRetryAt = SystemClock.boottime + busPause
      busPause = min(60_000_000, busPause * 2)
    }
  }

  private func leave() {
    log.log(.error, "another lasched-notify shows alerts in this session already")
    loop.exit(75)
  }

  private func loseBus() {
    log.log(.info, "the session bus went away; waiting for it")
    dropBus()
    hear(.serverGone)
    watchBus()
    busRetryAt = SystemClock.boottime + busPause
  }

  /// Sees it come where its address is a path.
  private func watchBus() {
    let address = Bus.userAddress
    guard busWatch == nil, address.hasPrefix("unix:path="), !address.contains("%"),
      !address.contains(",")
    else { return }
    busWatch = try? PathWatch(loop, String(address.dropFirst(10))) { [weak self] in
      self?.connectBus()
    }
  }

  private func dropBus() {
    server = nil
    launcher = nil
    claim = nil
    bus = nil
  }

  // MARK: In and out

  private func hear(_ input: AgentInput) {
    heard.append(input)
    guard !isTaking else { return }
    isTaking = true
    while !heard.isEmpty {
      for effect in agent.take(heard.removeFirst(), at: NotifyService.reading) { perform(effect) }
    }
    isTaking = false
  }

  private func perform(_ effect: AgentEffect) {
    switch effect {
    case .note(let key, let note):
      do throws(SystemError) { try notes?.note(key, note) } catch {
        log.log(.warning, "cannot note which alerts were shown: \(error)")
      }
    case .notify(let notice):
      if let server { server.notify(notice) } else { heard.append(.unanswered) }
    case .close(let id): server?.close(id)
    case .confirm(let source, let sequence, let wasShown):
      daemons[source]?.call(ConfirmAlertParameters(sequence: sequence, wasShown: wasShown))
    case .act(let key, let action):
      var call = ActParameters(id: key.id, session: key.session, action: action)
      call.owner = owner(key)
      daemons[key.source]?.call(call)
    case .dismiss(let key):
      var call = DismissParameters(id: key.id, session: key.session)
      call.owner = owner(key)
      daemons[key.source]?.call(call)
    case .snooze(let source, let sequence, let span):
      daemons[source]?.call(SnoozeAlertParameters(sequence: sequence, span: span))
    case .run(let command): launcher?.run(command)
    case .open(let address): launcher?.run(["xdg-open", address])
    case .say(let text): log.log(.warning, text)
    }
  }

  private func owner(_ key: SessionKey) -> UserID? {
    key.owner == agent.context.reader ? nil : key.owner
  }

  // MARK: Time

  private func wake() {
    armedFor = nil
    let now = SystemClock.boottime
    if let retry = busRetryAt, retry <= now { connectBus() }
    if let retry = server?.retryAt, retry <= now { server?.ask() }
    for (_, daemon) in daemons where daemon.patience == 0 { daemon.read() }
    hear(.time)
  }

  /// Arms the timer for what comes first; without anything to come nothing ever wakes it.
  private func settle() {
    let now = SystemClock.boottime
    var due = [agent.nextDeadline, busRetryAt, server?.retryAt].compactMap { $0 }
    due += daemons.values.compactMap(\.patience).map { now + Int64($0) * 1000 }
    let next = due.min()
    if next == nil, armedFor != nil {
      try? timer.disarm()
      armedFor = nil
    } else if let next,
      armedFor.map({ abs($0.subtractingReportingOverflow(next).partialValue) > 500 }) ?? true
    {
      _ = try? timer.arm(at: next)
      armedFor = next
    }
    tell()
  }

  /// Which server and daemons there are, for `systemctl --user status`.
  private func tell() {
    let servers = server?.description ?? "no notification server"
    let followed = Source.allCases.filter { daemons[$0]?.isConnected == true }
    let names =
      followed.isEmpty
      ? "no daemon" : followed.map { "\($0.rawValue)'s daemon" }.joined(separator: " and ")
    let waiting = agent.waitingAlerts
    let text = "\(servers); \(names)" + (waiting > 0 ? "; alerts waiting" : "")
    guard text != status else { return }
    status = text
    _ = try? ServiceManager.status(text)
  }
}
