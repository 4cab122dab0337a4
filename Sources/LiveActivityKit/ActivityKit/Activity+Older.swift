public import FoundationEssentials
internal import LiveActivity

extension Activity {
  /// The content state now.
  @available(*, deprecated, message: "Use content")
  public var contentState: ContentState { content.state }

  /// The content state now, then each later one.
  @available(*, deprecated, message: "Use contentUpdates")
  public var contentStateUpdates: ContentStateUpdates {
    let (record, link) = (record, link)
    return ActivitySequence {
      link.monitor.catchUp()
      return record.listen(\.contents, newest: 1000) { [$0.activity.content] }
    } _: { [self] in
      decoded($0)?.state
    }
  }

  /// Requests an activity that begins at once.
  @available(*, deprecated, message: "Use request(attributes:content:pushType:)")
  public static func request(
    attributes: Attributes, contentState: ContentState, pushType: PushType? = nil
  ) throws -> Activity<Attributes> {
    try request(
      attributes: attributes, content: ActivityContent(state: contentState, staleDate: nil),
      pushType: pushType)
  }

  /// Schedules an activity.
  @available(
    *, deprecated,
    message: "Use request(attributes:content:pushType:style:alertConfiguration:start:)"
  )
  public static func request(
    attributes: Attributes, content: ActivityContent<ContentState>, pushType: PushType? = nil,
    style: ActivityStyle, alertConfiguration: AlertConfiguration, startDate: Date
  ) throws -> Activity<Attributes> {
    try request(
      attributes: attributes, content: content, pushType: pushType, style: style,
      alertConfiguration: alertConfiguration, start: startDate)
  }

  /// Replaces the content state; the stale date goes.
  @available(*, deprecated, message: "Use update(_:)")
  public func update(using contentState: ContentState) async {
    await update(ActivityContent(state: contentState, staleDate: nil))
  }

  /// Replaces the content state, and tells the person.
  @available(*, deprecated, message: "Use update(_:alertConfiguration:)")
  public func update(
    using contentState: ContentState, alertConfiguration: AlertConfiguration?
  ) async {
    await update(
      ActivityContent(state: contentState, staleDate: nil), alertConfiguration: alertConfiguration)
  }

  /// Ends it, with a final content state if there is one.
  @available(*, deprecated, message: "Use end(_:dismissalPolicy:)")
  public func end(
    using contentState: ContentState? = nil, dismissalPolicy: ActivityUIDismissalPolicy = .default
  ) async {
    await end(
      contentState.map { ActivityContent(state: $0, staleDate: nil) },
      dismissalPolicy: dismissalPolicy)
  }
}
