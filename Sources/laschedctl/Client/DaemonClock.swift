import Glibc
import JSON
import LiveActivity
import SchedulerAPI

/// The daemon's time without asking for it again and again: the machine's and a difference, unless
/// it moves on command only.
struct DaemonClock {
  /// Whether it stands still between commands.
  private(set) var standsStill = false
  private var ahead: Int64 = 0
  private var standing: Int64 = 0

  /// Reads the clock, and what kind it is.
  mutating func read(_ daemon: Daemon) throws(Failure) {
    take(info: try daemon.info())
    let asked = machineMicroseconds()
    take(now: try daemon.now().microseconds, askedAt: asked)
  }

  /// Takes what `org.varlink.service.GetInfo` replies: what kind of clock it is.
  mutating func take(info: JSONNode) {
    standsStill =
      info["interfaces"]?.elements.contains { $0.equals(TestClockInterface.name) } ?? false
  }

  /// Takes the daemon's now, of a reply that has just come to a call of then.
  mutating func take(now: Int64, askedAt asked: Int64) {
    standing = now
    let machine = machineMicroseconds()
    // A hair's breadth is the time that the call took.
    let isSame = now > asked - 500_000 && now < machine + 500_000
    ahead = isSame ? 0 : now.subtractingClamped(machine)
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
