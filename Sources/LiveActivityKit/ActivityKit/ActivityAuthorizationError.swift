public import FoundationEssentials
internal import SchedulerAPI
internal import Varlink

/// Why an activity could not be requested, by ActivityKit's names.
public enum ActivityAuthorizationError: Error, Hashable, Sendable, CaseIterable {
  /// Attributes and content state have more than 4096 bytes together (`PayloadTooLarge`).
  case attributesTooLarge
  /// The person takes no requests of this program or type (`ActivitiesDisabled`).
  case denied
  /// Never here: there is no limit over all programs of a machine.
  case globalMaximumExceeded
  /// The Activity ID is empty, longer than 255 bytes, or holds control characters
  /// (`InvalidParameter` of `id`).
  case malformedActivityIdentifier
  /// Never here: a caller is known by its socket.
  case missingProcessIdentifier
  /// The daemon can store nothing at the moment (`StoreUnavailable`).
  case persistenceFailure
  /// An activity of that ID is live (`ActivityExists`).
  case reconnectNotPermitted
  /// The user has as many activities as one may have (`TooManyActivities`).
  case targetMaximumExceeded
  /// This user may not do that (`NotPermitted`).
  case unentitled
  /// The daemon is of a version that does not know the call (`MethodNotFound`, `InterfaceNotFound`).
  case unsupported
  /// Never here: every program may have activities.
  case unsupportedTarget
  /// Never here: there is no foreground that a program would have to be in.
  case visibility
}

extension ActivityAuthorizationError: LocalizedError {
  /// One line for a person.
  public var errorDescription: String? {
    switch self {
    case .attributesTooLarge: "attributes and content state are too large together"
    case .denied: "activities of this program or type are disabled"
    case .globalMaximumExceeded: "there are too many activities on this machine"
    case .malformedActivityIdentifier:
      "the Activity ID is not as it must be: 1 to 255 bytes without control characters"
    case .missingProcessIdentifier: "the caller is not known"
    case .persistenceFailure: "the daemon cannot store anything at the moment"
    case .reconnectNotPermitted: "an activity of that ID is live already"
    case .targetMaximumExceeded: "there are as many activities as a user may have"
    case .unentitled: "this user may not do that"
    case .unsupported: "the daemon does not know the call; is it of an older version?"
    case .unsupportedTarget: "this program may not have activities"
    case .visibility: "the program is not in the foreground"
    }
  }
}

extension ActivityAuthorizationError {
  /// The number of the case, counted from 0 as ActivityKit does.
  public var errorCode: Int { ActivityAuthorizationError.allCases.firstIndex(of: self) ?? 0 }

  /// The domain of the numbers.
  public static var errorDomain: String { "com.apple.ActivityKit.ActivityAuthorization" }

  /// Why it failed: the same as `errorDescription`.
  public var failureReason: String? { errorDescription }

  /// What a person can do about it.
  public var recoverySuggestion: String? {
    switch self {
    case .attributesTooLarge: "Attributes and content state may have 4096 bytes together"
    case .denied: "'laschedctl enable' takes requests again"
    case .malformedActivityIdentifier: "Use 1 to 255 bytes of plain text"
    case .persistenceFailure: "Look at 'laschedctl doctor' and 'journalctl -u lasched'"
    case .reconnectNotPermitted: "Use another ID, or ActivityOptions.ifExists"
    case .targetMaximumExceeded: "End or cancel some"
    case .unentitled: "Act for this user only, or be a member of group lasched"
    case .unsupported: "Update the daemon"
    case .globalMaximumExceeded, .missingProcessIdentifier, .unsupportedTarget, .visibility: nil
    }
  }
}

extension LinkFailure {
  /// As a program hears of it.
  var publicError: any Error {
    switch self {
    case .unreachable, .silent, .closed: LiveActivityError(.noDaemon, description)
    case .notUnderstood: LiveActivityError(.refused, description)
    case .refused(let error):
      error.authorizationError ?? LiveActivityError(error.code, description, name: error.name)
    }
  }
}

extension SchedulerError {
  /// ActivityKit's name of it, where it has one.
  fileprivate var authorizationError: (any Error)? {
    switch self {
    case .payloadTooLarge: ActivityAuthorizationError.attributesTooLarge
    case .activitiesDisabled: ActivityAuthorizationError.denied
    case .service(.invalidParameter("id")): ActivityAuthorizationError.malformedActivityIdentifier
    case .storeUnavailable: ActivityAuthorizationError.persistenceFailure
    case .activityExists: ActivityAuthorizationError.reconnectNotPermitted
    case .tooManyActivities: ActivityAuthorizationError.targetMaximumExceeded
    case .notPermitted, .service(.permissionDenied): ActivityAuthorizationError.unentitled
    case .service(.interfaceNotFound), .service(.methodNotFound), .service(.methodNotImplemented):
      ActivityAuthorizationError.unsupported
    default: nil
    }
  }

  fileprivate var code: LiveActivityError.Code {
    switch self {
    case .startDateNotInFuture, .invalidDate: .invalidDate
    case .activityOver: .activityOver
    case .noSuchActivity: .noSuchActivity
    case .outdated: .outdated
    case .tooManyRequests: .tooManyRequests
    case .service(.invalidParameter): .malformed
    default: .refused
    }
  }
}
