internal import CSystemd
internal import Glibc

/// Whether this process can wake the machine from suspend.
public enum WakeAbility: Hashable, Sendable {
  /// It can.
  case possible
  /// It lacks CAP_WAKE_ALARM (capabilities(7)) in the machine's own user namespace.
  case notPermitted
  /// The machine has no real-time clock with an alarm that may wake it.
  case noClock
  /// The kernel has no such timers.
  case unknown(SystemError)

  /// Asks the kernel, and arms nothing; timerfd_create(2), clock_getres(2).
  ///
  /// A timer alone proves nothing: it can be made where there is no such clock, and then never wakes.
  public static func probe() -> WakeAbility {
    for clock in [TimerDescriptor.Clock.realtimeAlarm, .boottimeAlarm] {
      do throws(SystemError) { _ = try TimerDescriptor(clock) } catch {
        return error.number == EPERM || error.number == EACCES ? .notPermitted : .unknown(error)
      }
    }
    var resolution = timespec()
    return unsafe clock_getres(CLOCK_REALTIME_ALARM, &resolution) == 0 ? .possible : .noClock
  }
}
