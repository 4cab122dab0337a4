import Glibc
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

  /// Whether the machine's clock can wake it from suspend, for what asks for that.
  mutating func wakeUps() {
    var resolution = timespec()
    // The kernel knows these clocks only if there is a real-time clock with alarms.
    if unsafe clock_getres(CLOCK_REALTIME_ALARM, &resolution) == 0 {
      add(.fine, "the real-time clock can wake this machine")
    } else {
      add(
        .note, "no real-time clock can wake this machine: what is due while it sleeps comes late",
        "keep it awake, for instance with systemd-inhibit")
    }
  }
}
