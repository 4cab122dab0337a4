internal import LiveActivity
internal import SchedulerAPI
internal import Synchronization

extension LiveActivities {
  /// What Pushwoosh's server would have been told.
  public enum ServerMessage: Hashable, Sendable {
    /// A push-to-start token, of that attributes type where it is known.
    case startToken(String, attributesType: String?)
    /// The push token of an activity.
    case updateToken(String, activityId: String)
    /// Remote updates of an activity were stopped; nil: of all.
    case stopped(activityId: String?)
    /// An activity was cancelled.
    case cancelled(activityId: String)
  }

  /// Takes what a server is to be told: a program that has one passes it on.
  public static var server: (@Sendable (ServerMessage) -> Void)? {
    get { chosen.withLock { $0 } }
    set { chosen.withLock { $0 = newValue } }
  }

  private static let chosen = Mutex<(@Sendable (ServerMessage) -> Void)?>(nil)

  static func report(_ message: ServerMessage) { server?(message) }

  // MARK: Tokens

  /// Gives the server the token of an activity. The daemon knows its tokens itself.
  public static func startLiveActivity(token: String, activityId: String) {
    startLiveActivity(token: token, activityId: activityId, completion: logging("start"))
  }

  /// The same; `completion` is given why it could not be: no token, no such activity, no daemon.
  public static func startLiveActivity(
    token: String, activityId: String, completion: @escaping ((any Error)?) -> Void
  ) {
    completing(completion) {
      try check(token)
      _ = try DaemonLink.current.calls.call(GetParameters(id: try id(activityId)))
      report(.updateToken(token, activityId: activityId))
    }
  }

  /// Gives the server a push-to-start token.
  public static func sendPushToStartLiveActivity(token: String) {
    sendPushToStartLiveActivity(token: token, completion: logging("send the token"))
  }

  /// The same; `completion` is given why it could not be.
  public static func sendPushToStartLiveActivity(
    token: String, completion: @escaping ((any Error)?) -> Void
  ) {
    completing(completion) {
      try check(token)
      report(.startToken(token, attributesType: nil))
    }
  }

  /// Cuts off remote updates of all activities of this application. They stay: `cancel` takes them away.
  public static func stopLiveActivity() { stopLiveActivity(completion: logging("stop")) }

  /// The same; `completion` is given why it could not be.
  public static func stopLiveActivity(completion: @escaping ((any Error)?) -> Void) {
    let link = DaemonLink.current
    completing(completion) {
      try link.mustBeReachable()
      for record in link.monitor.sessions(ofType: nil) where record.activity.state.isLive {
        var call = StopParameters(id: record.key.id)
        call.session = record.key.session
        do { _ = try link.calls.call(call) } catch LinkFailure.refused(.activityOver) {}
      }
      report(.stopped(activityId: nil))
    }
  }

  /// Cuts off remote updates of an activity. It stays: `cancel` takes it away.
  public static func stopLiveActivity(activityId: String) {
    stopLiveActivity(activityId: activityId, completion: logging("stop"))
  }

  /// The same; `completion` is given why it could not be.
  public static func stopLiveActivity(
    activityId: String, completion: @escaping ((any Error)?) -> Void
  ) {
    completing(completion) {
      _ = try DaemonLink.current.calls.call(StopParameters(id: try id(activityId)))
      report(.stopped(activityId: activityId))
    }
  }

  private static func check(_ token: String) throws {
    guard !token.isEmpty, token.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else {
      throw LiveActivityError(.malformed, "the token is not hexadecimal")
    }
  }

  private static func id(_ text: String) throws -> ActivityID {
    do throws(InvalidValue) { return try ActivityID(text) } catch {
      throw ActivityAuthorizationError.malformedActivityIdentifier
    }
  }
}
