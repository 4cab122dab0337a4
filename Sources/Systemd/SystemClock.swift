internal import CSystemd
internal import Glibc

/// Readings of the kernel's clocks in microseconds, rounded down; clock_gettime(2).
public enum SystemClock {
  /// CLOCK_REALTIME, since 1970.
  public static var realtime: Int64 { read(CLOCK_REALTIME) }
  /// CLOCK_BOOTTIME, since boot, suspend included.
  public static var boottime: Int64 { read(CLOCK_BOOTTIME) }
  /// CLOCK_MONOTONIC, since boot, without suspend.
  public static var monotonic: Int64 { read(CLOCK_MONOTONIC) }

  /// Whether the kernel counts the real-time clock as synchronised; nil if it may not be asked.
  ///
  /// adjtimex(2). `ProtectClock=` of systemd.exec(5) forbids even asking: then it is what
  /// systemd-timesyncd.service(8) leaves behind once it has set the clock, and nil without that.
  public static var isSynchronised: Bool? {
    var state = timex()
    let result = unsafe adjtimex(&state)
    guard result != -1 else {
      return unsafe access("/run/systemd/timesync/synchronized", F_OK) == 0 ? true : nil
    }
    return result != TIME_ERROR && state.status & STA_UNSYNC == 0
  }

  private static func read(_ clock: clockid_t) -> Int64 {
    var now = timespec()
    // These three clocks exist on every kernel that systemd runs on.
    unsafe clock_gettime(clock, &now)
    return Int64(now.tv_sec) &* 1_000_000 &+ Int64(now.tv_nsec) / 1000
  }
}

/// The random number of this boot; sd_id128_get_boot(3).
public struct BootID: Hashable, Sendable, CustomStringConvertible {
  /// Its 32 lower-case hexadecimal digits.
  public let description: String

  /// Takes the text of an earlier `description`.
  public init(_ description: String) { self.description = description }

  /// Asks the kernel.
  public static func current() throws(SystemError) -> BootID {
    var id = sd_id128_t()
    try unsafe checkedResult("sd_id128_get_boot", sd_id128_get_boot(&id))
    let digits = Array("0123456789abcdef".utf8)
    let text = unsafe withUnsafeBytes(of: id) { bytes in
      unsafe bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }
    return BootID(String(decoding: text, as: UTF8.self))
  }
}
