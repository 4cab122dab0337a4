// Sources that import PushwooshFramework by its name find LiveActivityKit.
@_exported public import LiveActivityKit

/// Pushwoosh's entry point, as far as live activities go.
public final class Pushwoosh: Sendable {
  /// Live activities.
  public typealias LiveActivities = LiveActivityKit.LiveActivities

  private static let shared = Pushwoosh()

  private init() {}

  /// Takes what an application says of itself (`app_id`). There is no server to say it to here.
  public static func initialize(_ configuration: [String: String]) {}

  /// The instance, as the Flutter plugin spells it: `Pushwoosh.getInstance.defaultSetup()`, or with
  /// parentheses.
  public static var getInstance: Pushwoosh { shared }

  /// The instance itself.
  public func callAsFunction() -> Pushwoosh { self }

  /// The instance.
  @available(*, deprecated, message: "Use Pushwoosh.LiveActivities")
  public static func sharedInstance() -> Pushwoosh { shared }

  /// As `LiveActivities.defaultSetup`.
  public func defaultSetup() { LiveActivities.defaultSetup() }

  /// As `LiveActivities.defaultStart`.
  public func defaultStart(
    _ activityId: String, attributes: [String: Any], content: [String: Any]
  ) {
    LiveActivities.defaultStart(activityId, attributes: attributes, content: content)
  }

  /// The same, as the Flutter plugin spells it.
  public func defaultStart(
    _ activityId: String, _ attributes: [String: Any], _ content: [String: Any]
  ) {
    LiveActivities.defaultStart(activityId, attributes: attributes, content: content)
  }

  /// As `LiveActivities.setup`.
  public func setup<Attributes: PushwooshLiveActivityAttributes>(_ activityType: Attributes.Type) {
    LiveActivities.setup(activityType)
  }

  /// As `LiveActivities.sendPushToStartLiveActivity`.
  public func sendPushToStartLiveActivity(token: String) {
    LiveActivities.sendPushToStartLiveActivity(token: token)
  }

  /// As `LiveActivities.sendPushToStartLiveActivity`.
  public func sendPushToStartLiveActivity(
    token: String, completion: @escaping ((any Error)?) -> Void
  ) {
    LiveActivities.sendPushToStartLiveActivity(token: token, completion: completion)
  }

  /// As `LiveActivities.startLiveActivity`.
  public func startLiveActivity(token: String, activityId: String) {
    LiveActivities.startLiveActivity(token: token, activityId: activityId)
  }

  /// As `LiveActivities.startLiveActivity`.
  public func startLiveActivity(
    token: String, activityId: String, completion: @escaping ((any Error)?) -> Void
  ) {
    LiveActivities.startLiveActivity(
      token: token, activityId: activityId, completion: completion)
  }

  /// As `LiveActivities.stopLiveActivity`.
  public func stopLiveActivity() { LiveActivities.stopLiveActivity() }

  /// As `LiveActivities.stopLiveActivity`.
  public func stopLiveActivity(completion: @escaping ((any Error)?) -> Void) {
    LiveActivities.stopLiveActivity(completion: completion)
  }

  /// As `LiveActivities.stopLiveActivity`.
  public func stopLiveActivity(activityId: String) {
    LiveActivities.stopLiveActivity(activityId: activityId)
  }

  /// As `LiveActivities.stopLiveActivity`.
  public func stopLiveActivity(
    activityId: String, completion: @escaping ((any Error)?) -> Void
  ) {
    LiveActivities.stopLiveActivity(activityId: activityId, completion: completion)
  }
}
