internal import CSystemd
internal import Glibc

/// How much a message matters; syslog(3), sd-daemon(3).
public enum LogLevel: UInt8, Comparable, Sendable {
  /// The system is unusable.
  case emergency
  /// Somebody must act at once.
  case alert
  /// A part of the program fails for good.
  case critical
  /// Something could not be done.
  case error
  /// Something may go wrong, or was passed over.
  case warning
  /// Normal, and worth a look.
  case notice
  /// Normal.
  case info
  /// For those who look for a fault.
  case debug

  /// `emergency` is the smallest.
  public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }

  /// Understands the names of `--log-level`: `err`, `warning`, `notice`, `info`, `debug`.
  public init?(name: String) {
    switch name {
    case "err": self = .error
    case "warning": self = .warning
    case "notice": self = .notice
    case "info": self = .info
    case "debug": self = .debug
    default: return nil
    }
  }
}

/// One field of a journal entry; systemd.journal-fields(7).
public struct JournalField: Hashable, Sendable {
  /// Upper-case letters, digits and `_`; not first `_`.
  public let name: String
  /// Any bytes.
  public let value: [UInt8]

  /// A field of any bytes.
  public init(_ name: String, _ value: [UInt8]) {
    self.name = name
    self.value = value
  }
  /// A field of text.
  public init(_ name: String, _ value: String) { self.init(name, Array(value.utf8)) }
  /// A field of a decimal number.
  public init(_ name: String, _ value: some BinaryInteger) { self.init(name, String(value)) }
}

/// Where messages go: native entries if standard error is the journal's, else lines there.
public struct Journal: Sendable {
  /// Where to.
  public enum Destination: Sendable {
    /// sd_journal_sendv(3).
    case journal
    /// `<N>message` lines on standard error; fields are left out.
    case standardError
  }

  /// Where this one writes.
  public let destination: Destination
  /// Messages above it are dropped.
  public var threshold: LogLevel

  /// Writes to `destination`.
  public init(_ destination: Destination, threshold: LogLevel = .info) {
    self.destination = destination
    self.threshold = threshold
  }

  /// Writes where standard error is connected to, by `$JOURNAL_STREAM`; systemd.exec(5).
  public static func detected(threshold: LogLevel = .info) -> Journal {
    let stream = Surroundings.variable("JOURNAL_STREAM")
    return Journal(
      isStream(stream, STDERR_FILENO) ? .journal : .standardError, threshold: threshold)
  }

  /// Whether a message of that level is written at all.
  public func writes(_ level: LogLevel) -> Bool { level <= threshold }

  /// Writes one entry. A log that cannot be written stops nobody.
  public func log(_ level: LogLevel, _ message: String, _ fields: [JournalField] = []) {
    guard writes(level) else { return }
    switch destination {
    case .journal: Self.send(level, message, fields)
    case .standardError: Self.write(LogLines.render(level, message))
    }
  }

  /// Whether `descriptor` is what `device:inode` names.
  static func isStream(_ name: String?, _ descriptor: Int32) -> Bool {
    guard let parts = name?.split(separator: ":", omittingEmptySubsequences: false),
      parts.count == 2, let device = UInt64(parts[0]), let inode = UInt64(parts[1])
    else { return false }
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 && UInt64(status.st_dev) == device
      && UInt64(status.st_ino) == inode
  }

  private static func send(_ level: LogLevel, _ message: String, _ fields: [JournalField]) {
    // All fields in one buffer, and where each ends.
    var buffer: [UInt8] = []
    var ends: [Int] = []
    func add(_ name: String, _ value: some Sequence<UInt8>) {
      buffer += name.utf8
      buffer.append(UInt8(ascii: "="))
      buffer += value
      ends.append(buffer.count)
    }
    add("MESSAGE", message.utf8)
    add("PRIORITY", String(level.rawValue).utf8)
    for field in fields { add(field.name, field.value) }
    unsafe buffer.withUnsafeMutableBytes { bytes in
      var start = 0
      let vectors = unsafe ends.map { end in
        defer { start = end }
        return unsafe iovec(
          iov_base: bytes.baseAddress.map { unsafe $0 + start }, iov_len: end - start)
      }
      _ = unsafe sd_journal_sendv(vectors, Int32(clamping: vectors.count))
    }
  }

  private static func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { bytes in
        unsafe Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
      }
      if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return }
    }
  }
}
