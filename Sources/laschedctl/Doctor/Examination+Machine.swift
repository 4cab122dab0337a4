import Glibc
import LiveActivity
import SchedulerAPI
import TimeExpressions

/// The machine's clocks and time zones.
extension Examination {
  /// Whether somebody sets the clock right (timedatectl(1), which knows every NTP client's work).
  mutating func clock() {
    let told = ProgramOutput.of("timedatectl", ["show", "--property=NTPSynchronized", "--value"])
    var isSynchronised: Bool? =
      switch told?.text.split(separator: "\n").first {
      case "yes": true
      case "no": false
      default: nil
      }
    if isSynchronised == nil, exists("/run/systemd/timesync/synchronized") { isSynchronised = true }
    switch isSynchronised {
    case true?: add(.fine, "the machine's clock is synchronised")
    case false?:
      add(
        .note, "nothing synchronises the machine's clock, so dates are as right as it is",
        "timedatectl set-ntp true, or another NTP client")
    case nil: add(.note, "it cannot be told whether the machine's clock is synchronised")
    }
  }

  mutating func zones() {
    if let version = TimeReader.zones.version {
      add(.fine, "time zones are those of \(version)")
    } else if (try? TimeReader.zones.rules("Europe/Berlin")) != nil {
      add(.fine, "time zones are there, of a version that they do not tell")
    } else {
      add(
        .wrong, "there is no time zone data in \(TimeReader.zones.directory)",
        "apt-get install tzdata")
    }
    do throws(TimeZoneError) {
      add(.fine, "the zone is \(try TimeReader.zones.localRules(tz: environment("TZ")).name)")
    } catch {
      add(.wrong, "\(error)", "set $TZ or /etc/localtime: timedatectl set-timezone ZONE")
    }
  }

  /// Whether the daemon can wake the machine from suspend, and whether anything asks for that.
  mutating func wakeUps() {
    guard let status else { return }
    guard let problem = status.wakeProblem else {
      add(.fine, "the daemon can wake this machine")
      return
    }
    var resolution = timespec()
    // The kernel knows these clocks only if there is a real-time clock with alarms.
    let hasClock = unsafe clock_getres(CLOCK_REALTIME_ALARM, &resolution) == 0
    let remedy =
      hasClock
      ? "lasched(8), WAKING THE MACHINE, says what the service needs"
      : "keep it awake, for instance with systemd-inhibit"
    if let date = status.nextWakeDate {
      add(
        .wrong,
        "something is to wake this machine at \(TimeText.utc(date.microseconds)), but \(problem)",
        remedy)
    } else {
      add(
        .note,
        "nothing can wake this machine, so what is due while it sleeps comes late: \(problem)",
        hasClock ? "for schedule --wake, " + remedy : remedy)
    }
  }
}
