internal import Glibc

extension Surroundings {
  /// `YYYY-MM-DD HH:MM:SS` in the system's zone, of seconds since 1970; localtime_r(3).
  public static func localTime(_ seconds: Int64) -> String {
    var time = time_t(seconds)
    var parts = unsafe tm()
    guard unsafe localtime_r(&time, &parts) != nil else { return "@\(seconds)" }
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let date = unsafe "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
    return unsafe "\(date) \(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
  }

  /// Reads the machine's zone anew for `localTime`, should it be another; tzset(3).
  public static func readZone() { tzset() }

  /// Makes a zone of the system's database this process's own; false where there is no such zone.
  public static func setZone(_ name: String) -> Bool {
    let isPlain = name.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2F, 0x5F: true
      default: false
      }
    }
    guard isPlain, !name.isEmpty, !name.hasPrefix("/"),
      unsafe access("/usr/share/zoneinfo/\(name)", R_OK) == 0
    else { return false }
    unsafe setenv("TZ", name, 1)
    tzset()
    return true
  }
}
