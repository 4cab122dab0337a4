import LiveActivity
import Scheduling
import Systemd
import Testing

@testable import SchedulerService

/// The timers that wake the machine, here on clocks that need no capability.
@Suite struct WakeAlarmTests {
  private let now = ClockReading(
    wall: WallTime(microseconds: SystemClock.realtime),
    boottime: BootTime(microseconds: SystemClock.boottime))

  private func alarm(
    _ ability: WakeAbility = .possible, wake: @escaping () -> Void = {}
  ) throws -> WakeAlarm {
    WakeAlarm(
      try EventLoop(), probe: { ability }, clocks: (.realtime, .boottime), wake: wake)
  }

  /// A date so many hours from now on either clock.
  private func wall(_ hours: Int64) -> WallTime {
    WallTime(microseconds: now.wall.microseconds + hours * 3_600_000_000)
  }
  private func boottime(_ hours: Int64) -> BootTime {
    BootTime(microseconds: now.boottime.microseconds + hours * 3_600_000_000)
  }

  @Test func withNothingToWakeForThereAreNone() throws {
    let alarm = try alarm()
    #expect(alarm.look() == nil)
    try alarm.arm(for: NextDeadlines(), at: now)
    // What has come needs no wake: the machine is awake.
    try alarm.arm(for: NextDeadlines(wall: wall(-1), boottime: now.boottime), at: now)
    #expect(!alarm.isMade)
  }

  @Test func itIsArmedForWhatIsAheadAndForNothingOnceThatIsGone() throws {
    let alarm = try alarm()
    for next in [
      NextDeadlines(wall: wall(2), boottime: boottime(1)), NextDeadlines(boottime: boottime(3)),
      NextDeadlines(wall: .latest), NextDeadlines(),
    ] {
      try alarm.arm(for: next, at: now)
      #expect(alarm.isMade && alarm.armed == next)
    }
    try alarm.arm(for: NextDeadlines(wall: wall(-1), boottime: boottime(1)), at: now)
    #expect(alarm.armed == NextDeadlines(boottime: boottime(1)))
  }

  @Test func itGoesOffOnceAndIsNotArmedForThatAgain() throws {
    let loop = try EventLoop()
    var woken = 0
    let wake = {
      woken += 1
      loop.exit(0)
    }
    let alarm = WakeAlarm(
      loop, probe: { .possible }, clocks: (.realtime, .boottime), wake: wake)
    // Real time has passed this long since, which the reading does not say.
    let start = BootTime(microseconds: 1)
    let before = ClockReading(wall: now.wall, boottime: BootTime(microseconds: 0))
    try alarm.arm(for: NextDeadlines(boottime: start), at: before)
    #expect(try loop.run() == 0)
    #expect(woken == 1 && alarm.armed == NextDeadlines())
    try alarm.arm(for: NextDeadlines(boottime: start), at: now)
    #expect(alarm.armed == NextDeadlines())
  }

  @Test(arguments: [
    (WakeAbility.notPermitted, "CAP_WAKE_ALARM"), (.noClock, "real-time clock"),
    (.unknown(SystemError("timerfd_create", 22)), "timerfd_create"),
  ])
  func whereNothingCanWakeItSaysSoAndArmsNothing(_ ability: WakeAbility, _ word: String) throws {
    let alarm = try alarm(ability)
    #expect(alarm.look()?.contains(word) == true)
    try alarm.arm(for: NextDeadlines(wall: wall(1)), at: now)
    #expect(!alarm.isMade && alarm.armed == NextDeadlines())
  }

  @Test func itIsLookedAtAgainUntilThereIsAClock() throws {
    var ability = WakeAbility.noClock
    let alarm = WakeAlarm(
      try EventLoop(), probe: { ability }, clocks: (.realtime, .boottime), wake: {})
    #expect(alarm.look() != nil)
    ability = .possible
    #expect(alarm.look() == nil)
    try alarm.arm(for: NextDeadlines(wall: wall(1)), at: now)
    #expect(alarm.isMade)
  }

  @Test func onceItsTimersFailThatIsTold() throws {
    let alarm = try alarm()
    try alarm.arm(for: NextDeadlines(wall: wall(1)), at: now)
    alarm.giveUp(SystemError("timerfd_settime", 22))
    #expect(!alarm.isMade && alarm.armed == NextDeadlines())
    #expect(alarm.problem?.contains("timerfd_settime") == true)
  }

  @Test func theMachineItselfCanBeAsked() {
    // Whatever it says, it says the same again, and has armed nothing.
    #expect(WakeAbility.probe() == WakeAbility.probe())
  }

  @Test(arguments: [
    ("", Settings.Wake.warn, 0), ("[Clock]\nWake=refuse\n", .refuse, 0),
    ("[Clock]\nWake=warn\n", .warn, 0), ("[Clock]\nWake=perhaps\n", .warn, 1),
  ])
  func itIsConfigured(_ text: String, _ wake: Settings.Wake, _ warnings: Int) {
    var configuration = Configuration()
    configuration.read(Array(text.utf8), file: "lasched.conf")
    let read = Settings.read(configuration)
    #expect(read.settings.wake == wake && read.warnings.count == warnings)
    for warning in read.warnings {
      #expect(
        warning.description
          == "lasched.conf:2: bad value in Wake=perhaps: warn or refuse expected; ignored")
    }
  }
}
