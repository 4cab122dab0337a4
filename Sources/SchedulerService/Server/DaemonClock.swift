public import LiveActivity
internal import Systemd

/// Where the daemon's time comes from: the machine's clocks, or a clock that stands still until
/// a test moves it.
public struct DaemonClock {
  private var test: ClockReading?

  /// The machine's clocks.
  public static var machine: DaemonClock { DaemonClock(test: nil) }

  /// A clock that stands still at a date, in a boot of its own.
  public static func standing(at date: WallTime) -> DaemonClock {
    DaemonClock(test: ClockReading(wall: date, boottime: BootTime(microseconds: 0)))
  }

  /// Whether time moves only when a test moves it.
  public var isTest: Bool { test != nil }

  /// Both clocks, now.
  public var reading: ClockReading {
    if let test { return test }
    return ClockReading(
      wall: WallTime(microseconds: SystemClock.realtime),
      boottime: BootTime(microseconds: SystemClock.boottime))
  }

  /// Moves a test's wall clock and elapsed clock; both stay within their range.
  mutating func move(wall: Int64, boottime: Int64) {
    guard let now = test else { return }
    let date = now.wall.microseconds.addingClamped(wall)
    test = ClockReading(
      wall: WallTime(
        microseconds: min(
          max(date, WallTime.earliest.microseconds), WallTime.latest.microseconds)),
      boottime: BootTime(microseconds: now.boottime.microseconds.addingClamped(boottime)))
  }
}
