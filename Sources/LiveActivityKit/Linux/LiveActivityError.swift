public import FoundationEssentials
internal import SchedulerAPI

/// What ActivityKit has no name for: no daemon, dates that do not fit, values that JSON cannot say.
public struct LiveActivityError: Error, Hashable, Sendable {
  /// The kind of an error.
  public struct Code: Hashable, Sendable {
    enum Value: UInt8 {
      case noDaemon, invalidDate, malformed, over, unknown, outdated, tooMany, refused, push
    }
    let value: Value

    /// There is no daemon, or it does not answer.
    public static let noDaemon = Code(value: .noDaemon)
    /// A date is in the past, or does not fit with the others.
    public static let invalidDate = Code(value: .invalidDate)
    /// A value cannot be said in JSON, or breaks a rule for text.
    public static let malformed = Code(value: .malformed)
    /// The activity has ended.
    public static let activityOver = Code(value: .over)
    /// There is no activity of that ID.
    public static let noSuchActivity = Code(value: .unknown)
    /// A later update was applied already.
    public static let outdated = Code(value: .outdated)
    /// The program asks too often.
    public static let tooManyRequests = Code(value: .tooMany)
    /// Another refusal of the daemon's.
    public static let refused = Code(value: .refused)
  }

  /// The kind of the error.
  public let code: Code
  /// What was wrong, with which value, and what would be right; one line.
  public let description: String
  /// The daemon's name of the error, where it is the daemon's.
  public let name: String?

  init(_ code: Code, _ description: String, name: String? = nil) {
    self.code = code
    self.description = description
    self.name = name
  }
}

extension LiveActivityError: CustomStringConvertible, LocalizedError {
  /// The line, for `localizedDescription`.
  public var errorDescription: String? { description }
}
