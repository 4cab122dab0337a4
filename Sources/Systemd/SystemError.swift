internal import Glibc

/// A system call that failed: which, on what, and with which errno(3).
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The call or library function, `bind` for one.
  public let call: String
  /// The errno; positive.
  public let number: Int32
  /// The path or name it was about; empty if there is none.
  public let subject: String

  /// Puts an error together; for callers that refuse on the system's behalf, and for tests.
  public init(_ call: String, _ number: Int32, _ subject: String = "") {
    self.call = call
    self.number = number
    self.subject = subject
  }

  /// Whether it says that there is no such file (ENOENT, ENOTDIR).
  public var isAbsence: Bool { number == ENOENT || number == ENOTDIR }

  /// The system's words for the errno.
  public var reason: String { unsafe String(cString: strerror(number)) }

  /// One line: `bind /run/x: Address already in use`.
  public var description: String {
    subject.isEmpty ? "\(call): \(reason)" : "\(call) \(subject): \(reason)"
  }
}

/// The one place for EINTR and errno: repeats a call while signals interrupt it.
///
/// `body` answers -1 for a failure, as the system's calls do.
@inline(__always)
func checked<Number: FixedWidthInteger & SignedInteger>(
  _ call: StaticString, _ subject: @autoclosure () -> String = "", _ body: () -> Number
) throws(SystemError) -> Number {
  while true {
    let result = body()
    if result != -1 { return result }
    let number = errno
    if number != EINTR { throw SystemError("\(call)", number, subject()) }
  }
}

/// The same for libsystemd, which answers a negative errno.
@inline(__always)
@discardableResult
func checkedResult(_ call: StaticString, _ result: Int32) throws(SystemError) -> Int32 {
  if result < 0 { throw SystemError("\(call)", 0 &- result) }
  return result
}
