internal import CSystemd
internal import Glibc

/// A timerfd that fires at one absolute instant; timerfd_create(2).
///
/// Exact, where sd_event's own timers may be 250 ms late and miss a clock that is set.
public final class TimerDescriptor {
  /// Which clock the instant is on.
  public enum Clock: Sendable {
    /// CLOCK_REALTIME; `read` tells when it was set.
    case realtime
    /// CLOCK_BOOTTIME: counts through suspend, never set.
    case boottime
    /// CLOCK_MONOTONIC: stands still in suspend, never set.
    case monotonic
    /// CLOCK_REALTIME_ALARM: the same as `realtime`, and wakes the machine from suspend.
    case realtimeAlarm
    /// CLOCK_BOOTTIME_ALARM: the same as `boottime`, and wakes the machine from suspend.
    case boottimeAlarm

    var number: Int32 {
      switch self {
      case .realtime: CLOCK_REALTIME
      case .boottime: CLOCK_BOOTTIME
      case .monotonic: CLOCK_MONOTONIC
      case .realtimeAlarm: CLOCK_REALTIME_ALARM
      case .boottimeAlarm: CLOCK_BOOTTIME_ALARM
      }
    }
  }

  /// What reading the timer found.
  public enum Reading: Hashable, Sendable {
    /// The instant has come.
    case expired
    /// The real-time clock was set, or the machine resumed. The instant may have come as well, and
    /// is then not told again: look at the clock, and arm anew.
    case clockWasSet
    /// Nothing has happened.
    case notYet
  }

  /// The kernel cuts absolute times here, in the year 2262.
  static let latest: Int64 = 9_223_372_035_000_000

  /// Its clock.
  public let clock: Clock
  private let descriptor: FileDescriptor

  /// Makes a timer that is not armed.
  public init(_ clock: Clock) throws(SystemError) {
    self.clock = clock
    let number = try checked("timerfd_create") {
      timerfd_create(clock.number, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
    }
    descriptor = FileDescriptor(owning: number)
  }

  /// The descriptor, to be polled for `readable`.
  public var number: Int32 { descriptor.number }

  /// Arms the timer for an instant in microseconds of its clock; replaces the one before.
  ///
  /// A past instant fires at once; one beyond the kernel's end fires there, so look at the clock
  /// when it does. `Int64.max` only waits for the clock to be set. True: the clock was set since
  /// the last look; the timer is armed all the same. Without `noticesSets` it is not told.
  public func arm(
    at microseconds: Int64, noticesSets: Bool = true
  ) throws(SystemError) -> Bool {
    let flags = Int32(TFD_TIMER_ABSTIME)
    guard clock == .realtime, noticesSets else {
      try set(microseconds, flags)
      return false
    }
    do throws(SystemError) {
      try set(microseconds, flags | Int32(TFD_TIMER_CANCEL_ON_SET))
    } catch {
      guard error.number == ECANCELED else { throw error }
      return true
    }
    return false
  }

  /// Lets the timer wait for nothing, not even for its clock to be set.
  public func disarm() throws(SystemError) {
    var never = itimerspec()
    _ = try checked("timerfd_settime") { unsafe timerfd_settime(number, 0, &never, nil) }
  }

  private func set(_ microseconds: Int64, _ flags: Int32) throws(SystemError) {
    // Zero would disarm and a negative time is refused: the first nanosecond is past enough.
    let instant = min(microseconds, Self.latest)
    var value = itimerspec()
    if instant > 0 {
      value.it_value.tv_sec = Int(instant / 1_000_000)
      value.it_value.tv_nsec = Int(instant % 1_000_000) * 1000
    } else {
      value.it_value.tv_nsec = 1
    }
    _ = try checked("timerfd_settime") { unsafe timerfd_settime(number, flags, &value, nil) }
  }

  /// Looks what happened since the last look.
  public func read() -> Reading {
    var count: UInt64 = 0
    do throws(SystemError) {
      _ = try checked("read") {
        unsafe Glibc.read(number, &count, MemoryLayout<UInt64>.size)
      }
      return .expired
    } catch {
      // Reading a timerfd can fail in these two ways only.
      return error.number == ECANCELED ? .clockWasSet : .notYet
    }
  }
}
