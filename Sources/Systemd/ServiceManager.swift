internal import CSystemd

/// What a service tells its manager; sd_notify(3). Without a manager (`$NOTIFY_SOCKET` not set)
/// each call does nothing and answers false.
public enum ServiceManager {
  /// The service can be used, or a reload is over.
  @discardableResult
  public static func ready() throws(SystemError) -> Bool { try send("READY=1") }

  /// One line for `systemctl status`; everybody on the machine can read it.
  @discardableResult
  public static func status(_ text: String) throws(SystemError) -> Bool {
    try send("STATUS=\(text.split(whereSeparator: \.isNewline).joined(separator: " "))")
  }

  /// Alive. Send at half of `watchdogInterval`.
  @discardableResult
  public static func watchdog() throws(SystemError) -> Bool { try send("WATCHDOG=1") }

  /// A reload begins; `ready` must follow. One datagram, with the time of CLOCK_MONOTONIC, or
  /// `Type=notify-reload` waits for ever.
  @discardableResult
  public static func reloading() throws(SystemError) -> Bool {
    try send("RELOADING=1\nMONOTONIC_USEC=\(SystemClock.monotonic)")
  }

  /// The service is ending.
  @discardableResult
  public static func stopping() throws(SystemError) -> Bool { try send("STOPPING=1") }

  /// Starting or ending takes longer: be patient for so many microseconds from now.
  @discardableResult
  public static func extendTimeout(microseconds: Int64) throws(SystemError) -> Bool {
    try send("EXTEND_TIMEOUT_USEC=\(max(0, microseconds))")
  }

  /// How many microseconds the manager waits for a `watchdog` before it kills; nil if it does not.
  public static var watchdogInterval: Int64? {
    var interval: UInt64 = 0
    guard unsafe sd_watchdog_enabled(0, &interval) > 0 else { return nil }
    return Int64(clamping: interval)
  }

  private static func send(_ text: String) throws(SystemError) -> Bool {
    try unsafe checkedResult("sd_notify", sd_notify(0, text)) > 0
  }
}
