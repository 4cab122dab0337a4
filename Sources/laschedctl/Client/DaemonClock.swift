import Glibc
import JSON
import LiveActivity
import SchedulerAPI
import Varlink

/// The daemon's time without asking for it again and again: the machine's and a difference, unless
/// it moves on command only.
struct DaemonClock {
  /// Whether it stands still between commands.
  private(set) var standsStill = false
  private var ahead: Int64 = 0
  private var standing: Int64 = 0

  /// Reads the clock, and what kind it is.
  mutating func read(_ daemon: Daemon) throws(Failure) {
    do throws(VarlinkError) {
      try daemon.connection.send("org.varlink.service.GetInfo")
    } catch {
      throw Failure(error, daemon.choice)
    }
    guard let (info, _) = try daemon.next(milliseconds: daemon.patience) else {
      throw daemon.silent
    }
    standsStill =
      info["interfaces"]?.elements.contains { $0.equals(TestClockInterface.name) } ?? false
    standing = try daemon.now().microseconds
    ahead = standing.subtractingReportingOverflow(machineMicroseconds()).partialValue
    // A hair's breadth is the time that the call took.
    if ahead.magnitude < 500_000 { ahead = 0 }
  }

  /// The daemon's now, in microseconds since 1970.
  var now: Int64 { standsStill ? standing : machineMicroseconds() &+ ahead }
}

/// CLOCK_REALTIME in microseconds.
func machineMicroseconds() -> Int64 {
  var time = timespec()
  unsafe clock_gettime(CLOCK_REALTIME, &time)
  return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
}
