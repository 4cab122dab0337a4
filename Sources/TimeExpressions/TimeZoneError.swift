/// Why a zone's rules cannot be had. Never answered by falling back to UTC.
public struct TimeZoneError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure, for programs.
  public struct Code: Hashable, Sendable {
    private let number: UInt8
    private init(_ number: UInt8) { self.number = number }

    /// No zone of this name.
    public static let unknown = Code(0)
    /// The name is not one that a zone could have.
    public static let badName = Code(1)
    /// The data is not TZif (RFC 9636), or not whole.
    public static let damaged = Code(2)
    /// The zone counts leap seconds (`right/…`), which the system clock does not.
    public static let leapSeconds = Code(3)
    /// The file could not be read; `errno` says why.
    public static let unreadable = Code(4)
  }

  /// The kind of failure.
  public let code: Code
  /// The zone asked for, harmless to show.
  public let zone: String
  /// What is wrong.
  public let problem: String
  /// What would be right.
  public let hint: String
  /// The system's error number, where there is one.
  public let errno: Int32?

  init(_ code: Code, zone: String, problem: String, hint: String, errno: Int32? = nil) {
    self.code = code
    self.zone = harmless(zone[...], limit: 80)
    self.problem = problem
    self.hint = hint
    self.errno = errno
  }

  /// `zone 'Europe/Berln': there is no such zone; did you mean Europe/Berlin?`.
  public var description: String { "zone '\(zone)': \(problem); \(hint)" }

  /// No zone of this name; `suggestion` is one that was perhaps meant.
  public static func unknown(_ name: String, suggestion: String? = nil) -> TimeZoneError {
    TimeZoneError(
      .unknown, zone: name, problem: "there is no such zone",
      hint: suggestion.map { "did you mean \($0)?" }
        ?? "zones are named as Europe/Berlin; an offset as +01:00 will do")
  }
}
