public import LiveActivity
internal import Systemd

/// Where the daemon's time comes from: the machine's clocks, or a clock that stands still until
/// a test moves it.
public struct DaemonClock {
  private var test: ClockReading?
  /// How far the machine's clocks were apart, in microseconds.
  private var offset: Int64?

  private init(test: ClockReading?) { self.test = test }

  /// The machine's clocks.
  public static var machine: DaemonClock { DaemonClock(test: nil) }

  /// A clock that stands still at a date, in a boot of its own.
  public static func standing(at date: WallTime) -> DaemonClock {
    DaemonClock(test: ClockReading(wall: date, boottime: BootTime(microseconds: 0)))
  }

  /// Whether time moves only when a test moves it.
  public var isTest: Bool { test != nil }

  /// Both clocks, now.
  ///
  /// They cannot be read at one instant, and a busy machine may do something else in between. Their
  /// offset changes only where the wall clock is set: while what is read may be so, it is kept, and
  /// the date that a span comes to is the same whenever it is asked for.
  public var reading: ClockReading {
    mutating get {
      if let test { return test }
      var tries = 0
      while true {
        let before = SystemClock.boottime
        let wall = SystemClock.realtime
        let after = SystemClock.boottime
        tries += 1
        let possible = (wall - after)...(wall - before + 1)
        if let offset, possible.contains(offset) {
          return ClockReading(
            wall: WallTime(microseconds: wall), boottime: BootTime(microseconds: wall - offset))
        }
        // A new offset is taken from readings close together, if the machine lets them be.
        if after - before > 2, tries < 10 { continue }
        offset = possible.lowerBound
      }
    }
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
