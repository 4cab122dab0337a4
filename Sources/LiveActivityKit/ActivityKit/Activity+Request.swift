public import FoundationEssentials
internal import LiveActivity
internal import SchedulerAPI

extension Activity {
  /// Requests an activity that begins at once.
  ///
  /// It is durable when this returns. Throws `ActivityAuthorizationError`, or `LiveActivityError`
  /// where ActivityKit has no name for it, such as where there is no daemon.
  public static func request(
    attributes: Attributes, content: ActivityContent<ContentState>, pushType: PushType? = nil
  ) throws -> Activity<Attributes> {
    try request(attributes: attributes, content: content, pushType: pushType, style: .standard)
  }

  /// Requests an activity that begins at once, with what Linux has beyond ActivityKit.
  public static func request(
    attributes: Attributes, content: ActivityContent<ContentState>, pushType: PushType? = nil,
    style: ActivityStyle, options: ActivityOptions = ActivityOptions()
  ) throws -> Activity<Attributes> {
    try request(
      attributes: attributes, content: content, pushType: pushType, style: style,
      alertConfiguration: nil, start: nil, options: options)
  }

  /// Schedules an activity: it begins at `start`, with the alert. Throws too where that is past.
  public static func request(
    attributes: Attributes, content: ActivityContent<ContentState>, pushType: PushType? = nil,
    style: ActivityStyle = .standard, alertConfiguration: AlertConfiguration, start: Date,
    options: ActivityOptions = ActivityOptions()
  ) throws -> Activity<Attributes> {
    try request(
      attributes: attributes, content: content, pushType: pushType, style: style,
      alertConfiguration: alertConfiguration as AlertConfiguration?, start: start as Date?,
      options: options)
  }

  /// Both at once: with an alert at the start or none, now or at a date.
  static func request(
    attributes: Attributes, content: ActivityContent<ContentState>, pushType: PushType?,
    style: ActivityStyle, alertConfiguration: AlertConfiguration?, start: Date?,
    options: ActivityOptions
  ) throws -> Activity<Attributes> {
    var call = RequestParameters()
    let named =
      options.id ?? (attributes as? any PushwooshLiveActivityAttributes)?.pushwoosh.activityId
      ?? (attributes as? any IdentifiedActivityAttributes)?.activityID
    do throws(InvalidValue) {
      call.id = try ActivityID(named ?? UUID().uuidString)
    } catch {
      throw ActivityAuthorizationError.malformedActivityIdentifier
    }
    if named != nil { call.ifExists = .replace }
    call.attributesType = typeName
    call.attributes = try PayloadCoding.text(attributes, "the attributes")
    call.content = try content.content()
    call.alert = try alertConfiguration?.alert()
    call.start = try start.map { .at(try WallTime($0, "the start date")) }
    if case .channel(let channel)? = pushType?.value {
      (call.channel, call.pushType) = (channel, .channel)
    } else if pushType == .token {
      // Kept by the daemon, so that this program knows it after a restart too.
      call.pushType = .token
    }
    call.bound = style == .transient
    try options.apply(to: &call)
    let link = DaemonLink.current
    call.application = link.daemon.application
    link.monitor.begin()
    let reply: RequestReply
    do throws(LinkFailure) { reply = try link.calls.call(call) } catch { throw error.publicError }
    let record = link.monitor.record(reply.activity)
    if pushType == .token {
      record.wantToken()
      if record.claimToken() { link.tokens.fetch(record) }
    } else {
      record.renounceToken()
    }
    return Activity(record, link, attributes: attributes, content: content)
  }
}
