public import FoundationEssentials
internal import LiveActivity
internal import SchedulerAPI

/// What an activity on Linux can have beyond ActivityKit's.
public struct ActivityOptions: Sendable {
  /// Something that a person can do with it; the program hears of it by `actionUpdates`.
  public struct Action: Hashable, Sendable {
    /// The name that the program hears: 1 to 128 of `A-Za-z0-9._-`.
    public var name: String
    /// What the person reads.
    public var label: String

    /// An action.
    public init(name: String, label: String) {
      self.name = name
      self.label = label
    }
  }

  /// What is to be done when an activity of the ID is live.
  public enum ExistingActivity: Hashable, Sendable {
    /// The request is refused.
    case fail
    /// That one is kept, and given back.
    case keep
    /// That one is dismissed, in one step with the request.
    case replace
    /// That one is updated.
    case update
  }

  /// The Activity ID, whatever the attributes say.
  public var id: String?
  /// What to do when an activity of the ID is live; nil: `replace` where the ID was named, else `fail`.
  public var ifExists: ExistingActivity?
  /// What a person can do with it, at most 8.
  public var actions: [Action] = []
  /// When it ends by itself.
  public var endDate: Date?
  /// When it ends by itself, in seconds from its start; not with `endDate`.
  public var endAfter: TimeInterval?
  /// What is told at an end that comes by itself.
  public var endAlert: AlertConfiguration?
  /// The last date at which a late start is of use.
  public var startByDate: Date?
  /// Who is shown it beside its owner: `everyone`, `user:NAME`, `group:NAME`. Root only.
  public var audience: [String] = []
  /// The channel that it listens to.
  public var channel: String?
  /// How long before the start its alert is told beforehand, in seconds; at most 16.
  public var reminders: [TimeInterval] = []
  /// Whether a suspended machine is to wake up for the start.
  public var wakesMachine = false

  /// Nothing beyond ActivityKit's.
  public init() {}

  func apply(to call: inout RequestParameters) throws {
    do throws(InvalidValue) {
      if !actions.isEmpty {
        call.actions = try actions.map { action throws(InvalidValue) in
          try LiveActivity.Action(name: action.name, label: action.label)
        }
      }
      if !audience.isEmpty {
        call.audience = try audience.map { entry throws(InvalidValue) in try Audience(entry) }
      }
    } catch {
      throw LiveActivityError(.malformed, error.why)
    }
    call.endAlert = try endAlert?.alert()
    if let endDate {
      guard endAfter == nil else {
        throw LiveActivityError(
          .invalidDate, "an end date and a span until the end exclude each other")
      }
      call.end = .at(try WallTime(endDate, "the end date"))
    } else if let endAfter {
      guard endAfter >= 0, endAfter < 1e10 else {
        throw LiveActivityError(.invalidDate, "the span until the end, \(endAfter) s, is none")
      }
      call.end = .after(TimeSpan(microseconds: Int64((endAfter * 1_000_000).rounded())))
    }
    if !reminders.isEmpty {
      call.reminders = try reminders.map { seconds in
        guard seconds > 0, seconds < 1e10 else {
          throw LiveActivityError(.invalidDate, "a reminder \(seconds) s before the start is none")
        }
        return TimeSpan(microseconds: Int64((seconds * 1_000_000).rounded()))
      }
    }
    if wakesMachine { call.wake = true }
    if let startByDate { call.startBy = .at(try WallTime(startByDate, "the last date of use")) }
    if let channel { call.channel = channel }
    if let ifExists {
      call.ifExists =
        switch ifExists {
        case .fail: .fail
        case .keep: .keep
        case .replace: .replace
        case .update: .update
        }
    }
  }
}
