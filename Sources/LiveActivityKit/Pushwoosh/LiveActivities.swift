public import FoundationEssentials
internal import JSON
internal import LiveActivity
internal import SchedulerAPI

/// Pushwoosh's module of that name: live activities by the caller's Activity IDs.
///
/// All of it is synchronous, as there; completions are called before the call returns. There is no
/// Pushwoosh server here: the daemon takes its part, and `server` tells a program what that server
/// would have heard, for a server of one's own.
public enum LiveActivities {
  /// Schedules an activity that begins at `startDate` with an alert. Throws where the date is past, and
  /// stores nothing then. A live activity of the same Activity ID is replaced.
  @discardableResult
  public static func schedule<Attributes: PushwooshLiveActivityAttributes>(
    attributes: Attributes, contentState: Attributes.ContentState, at startDate: Date,
    alertTitle: String, alertBody: String
  ) throws -> Activity<Attributes> {
    try Activity.request(
      attributes: attributes, content: ActivityContent(state: contentState, staleDate: nil),
      pushType: .token, style: .standard,
      alertConfiguration: AlertConfiguration(
        title: LocalizedStringResource(alertTitle), body: LocalizedStringResource(alertBody)),
      start: startDate)
  }

  /// Cancels an activity by its Activity ID, at once and whatever its state: what is pending never
  /// starts. Of none by that ID nothing happens.
  public static func cancel<Attributes: PushwooshLiveActivityAttributes>(
    _ activityType: Attributes.Type, activityId: String
  ) {
    cancel(activityType, activityId: activityId, completion: logging("cancel"))
  }

  /// The same; `completion` is given why it could not be.
  public static func cancel<Attributes: PushwooshLiveActivityAttributes>(
    _ activityType: Attributes.Type, activityId: String,
    completion: @escaping ((any Error)?) -> Void
  ) {
    let link = DaemonLink.current
    completing(completion) {
      try link.mustBeReachable()
      let type = Activity<Attributes>.typeName
      let found = link.monitor.sessions(ofType: type).filter { $0.key.id.text == activityId }
      for record in found {
        var call = CancelParameters(.id(record.key.id))
        call.session = record.key.session
        do { _ = try link.calls.call(call) } catch LinkFailure.refused(.activityOver) {}
        report(.cancelled(activityId: activityId))
      }
      link.monitor.catchUp()
      if found.isEmpty { throw LinkFailure.refused(.noSuchActivity(id: activityId)) }
    }
  }

  // MARK: Without types of one's own

  /// Watches activities that `defaultStart` and pushes of `DefaultLiveActivityAttributes` begin.
  public static func defaultSetup() { setup(DefaultLiveActivityAttributes.self) }

  /// Begins an activity of `DefaultLiveActivityAttributes`, replacing a live one of the same ID. What
  /// JSON cannot say is refused and logged.
  public static func defaultStart(
    _ activityId: String, attributes: [String: Any], content: [String: Any]
  ) {
    defaultStart(
      activityId, attributes: attributes, content: content, completion: logging("start"))
  }

  /// The same; `completion` is given why it could not be.
  public static func defaultStart(
    _ activityId: String, attributes: [String: Any], content: [String: Any],
    completion: @escaping ((any Error)?) -> Void
  ) {
    completing(completion) {
      _ = try Activity.request(
        attributes: DefaultLiveActivityAttributes(
          data: try attributes.mapValues { AnyCodable(try JSONValue(anyOf: $0)) },
          pushwoosh: PushwooshLiveActivityAttributeData(activityId: activityId)),
        content: ActivityContent(
          state: DefaultLiveActivityAttributes.ContentState(
            data: try content.mapValues { AnyCodable(try JSONValue(anyOf: $0)) }),
          staleDate: nil),
        pushType: .token)
    }
  }

  // MARK: Errors

  /// Calls `completion` once, before it returns.
  static func completing(_ completion: ((any Error)?) -> Void, _ body: () throws -> Void) {
    do { try body() } catch let failure as LinkFailure {
      return completion(failure.publicError)
    } catch {
      return completion(error)
    }
    completion(nil)
  }

  static func logging(_ what: String) -> ((any Error)?) -> Void {
    { error in
      if let error { LiveActivityLog.write("cannot \(what): \(error)") }
    }
  }
}

extension DaemonLink {
  /// Throws where there is no daemon; after it what there is is known.
  func mustBeReachable() throws(LinkFailure) {
    monitor.begin()
    if monitor.catchUp() { return }
    _ = try calls.call(GetStatusParameters())
  }
}
