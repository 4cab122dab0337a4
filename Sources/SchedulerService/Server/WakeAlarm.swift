internal import LiveActivity
internal import Scheduling
internal import Systemd

/// The timers that wake the machine from suspend, beside the ordinary ones, which alone decide what is
/// due. They are made when there is first something to wake it for.
///
/// They need not hear that the clock was set: the kernel keeps them at their instant, and the ordinary
/// timer is told.
final class WakeAlarm {
  private let loop: EventLoop
  private let probe: () -> WakeAbility
  private let clocks: (wall: TimerDescriptor.Clock, boottime: TimerDescriptor.Clock)
  private let wake: () -> Void
  private var timers: (wall: TimerDescriptor, boottime: TimerDescriptor)?
  private var sources: [EventSource] = []
  /// What they are armed for.
  private(set) var armed = NextDeadlines()
  /// Why nothing can wake the machine.
  private(set) var problem: String?

  /// Alarms that are not made yet; `wake` is called when one goes off. A test says what the kernel says,
  /// and which clocks need no capability.
  init(
    _ loop: EventLoop, probe: @escaping () -> WakeAbility = WakeAbility.probe,
    clocks: (wall: TimerDescriptor.Clock, boottime: TimerDescriptor.Clock) = (
      .realtimeAlarm, .boottimeAlarm
    ), wake: @escaping () -> Void
  ) {
    self.loop = loop
    self.probe = probe
    self.clocks = clocks
    self.wake = wake
  }

  /// Whether the timers are there.
  var isMade: Bool { timers != nil }

  /// Asks what keeps the machine from being woken, if anything. A clock's driver may come later than the
  /// daemon, so this is asked again until there is one.
  func look() -> String? {
    guard timers == nil else { return problem }
    problem =
      switch probe() {
      case .possible: nil
      case .notPermitted: "the daemon lacks the capability CAP_WAKE_ALARM; see lasched(8)"
      case .noClock: "it has no real-time clock whose alarm may wake it"
      case .unknown(let error): "its kernel has no timers for that (\(error))"
      }
    return problem
  }

  /// Arms for the next dates, those that are ahead: once one has come, the machine is awake.
  func arm(for next: NextDeadlines, at now: ClockReading) throws(SystemError) {
    let wall = next.wall.flatMap { $0 > now.wall ? $0 : nil }
    let boottime = next.boottime.flatMap { $0 > now.boottime ? $0 : nil }
    guard armed != NextDeadlines(wall: wall, boottime: boottime) else { return }
    if timers == nil {
      guard problem == nil else { return }
      try make()
    }
    guard let timers else { return }
    if wall != armed.wall { try set(timers.wall, wall?.microseconds) }
    armed.wall = wall
    if boottime != armed.boottime { try set(timers.boottime, boottime?.microseconds) }
    armed.boottime = boottime
  }

  private func set(_ timer: TimerDescriptor, _ instant: Int64?) throws(SystemError) {
    guard let instant else { return try timer.disarm() }
    _ = try timer.arm(at: instant, noticesSets: false)
  }

  private func make() throws(SystemError) {
    let made = (
      wall: try TimerDescriptor(clocks.wall), boottime: try TimerDescriptor(clocks.boottime)
    )
    sources = [
      try loop.addTimer(made.wall, priority: .important) { [weak self] _ in
        self?.armed.wall = nil
        self?.wake()
      },
      try loop.addTimer(made.boottime, priority: .important) { [weak self] _ in
        self?.armed.boottime = nil
        self?.wake()
      },
    ]
    timers = made
  }

  /// They cannot be used any more, for that reason.
  func giveUp(_ error: SystemError) {
    sources = []
    timers = nil
    armed = NextDeadlines()
    problem = "its timers for that fail (\(error))"
  }
}
