public import FoundationEssentials
internal import LiveActivity

/// Where an activity is in its life.
public enum ActivityState: String, Hashable, Codable, Sendable {
  /// It has started and its content is current.
  case active
  /// It is over and still shown.
  case ended
  /// It is over and gone.
  case dismissed
  /// It has started and its stale date has passed.
  case stale
  /// It is scheduled and has not started.
  case pending

  init(_ state: LiveActivity.ActivityState) {
    switch state {
    case .pending: self = .pending
    case .active: self = .active
    case .stale: self = .stale
    case .ended: self = .ended
    case .dismissed: self = .dismissed
    }
  }
}

/// What becomes of an activity after its end.
public struct ActivityUIDismissalPolicy: Hashable, Sendable {
  enum Value: Hashable, Sendable {
    case standard, immediate
    case after(Date)
  }
  let value: Value

  /// It stays for four hours.
  public static let `default` = ActivityUIDismissalPolicy(value: .standard)
  /// It is gone at once.
  public static let immediate = ActivityUIDismissalPolicy(value: .immediate)

  /// It stays until that date, and four hours at most.
  public static func after(_ date: Date) -> ActivityUIDismissalPolicy {
    ActivityUIDismissalPolicy(value: .after(date))
  }

  func policy() throws -> DismissalPolicy {
    switch value {
    case .standard: .default
    case .immediate: .immediate
    // What is long past is as good as at once.
    case .after(let date) where date.timeIntervalSince1970 < 0: .immediate
    case .after(let date): .after(try WallTime(date, "the dismissal date"))
    }
  }
}

/// How long an activity stays by itself.
public enum ActivityStyle: Hashable, Sendable {
  /// Until it is ended.
  case standard
  /// Until the program that requested it is gone: on Linux, until its connection closes.
  case transient
}

/// How an activity is updated from elsewhere.
public struct PushType: Hashable, Sendable {
  enum Value: Hashable, Sendable {
    case token
    case channel(String)
  }
  let value: Value

  /// By a token of its own.
  public static let token = PushType(value: .token)

  /// By a channel that activities of one user share.
  public static func channel(_ channelId: String) -> PushType {
    PushType(value: .channel(channelId))
  }
}
