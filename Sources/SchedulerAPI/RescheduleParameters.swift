public import JSON
public import LiveActivity

/// `Reschedule`: changes when a live session starts or ends, and what is said then. What is not
/// named stays.
public struct RescheduleParameters: SchedulerCall {
  /// The Activity ID.
  public var id: ActivityID
  /// Only if this is the current session.
  public var session: Int64?
  /// Only if nothing has changed since this event.
  public var ifSequence: Int64?
  /// When it is to start; a span counts from now, and none of it is now.
  public var start: Moment?
  /// When it starts, as clocks on the wall show it; not with `start`.
  public var wallStart: WallStart?
  /// The start-by date; a span counts from the start.
  public var startBy: Moment?
  /// The stale date; a span counts from the start.
  public var stale: Moment?
  /// The end date; a span counts from the start.
  public var end: Moment?
  /// Whether it is not to end by itself any more; not with `end`.
  public var noEnd = false
  /// What is told at the start.
  public var alert: Alert?
  /// What is told at an end that comes by itself.
  public var endAlert: Alert?
  /// How long before the start a person is reminded of it; none where it is empty.
  public var reminders: [TimeSpan]?
  /// Whose it is; the caller's where there is none.
  public var owner: UserID?

  /// Changes nothing.
  public init(id: ActivityID) { self.id = id }

  /// What `Reschedule` replies.
  public typealias Reply = ActivityReply
  /// The method's full name.
  public static let method = SchedulerMethod.reschedule.name

  private enum Key: Int, FieldKey {
    case id, session, ifSequence, start, startByDate, startByAfterUSec, staleDate, staleAfterUSec
    case endDate, endAfterUSec, noEnd, alert, endAlert, owner, remindersUSec
    static let names = fieldNames()
  }

  /// Reads the parameters.
  public init(decoding parameters: JSONNode) throws(SchedulerError) {
    let fields = try FieldReader<Key>(call: parameters)
    id = try fields.required(.id, fields.id(.id))
    session = try fields.int(.session)
    ifSequence = try fields.int(.ifSequence)
    let given = try fields.nested(.start, decodeStart)
    (start, wallStart) = (given?.moment, given?.wall)
    startBy = try fields.moment(.startByDate, .startByAfterUSec)
    stale = try fields.moment(.staleDate, .staleAfterUSec)
    end = try fields.moment(.endDate, .endAfterUSec)
    noEnd = try fields.bool(.noEnd) ?? false
    if noEnd { try fields.exclude(end != nil, .noEnd) }
    alert = try fields.nested(.alert, decodeAlert)
    endAlert = try fields.nested(.endAlert, decodeAlert)
    owner = try fields.user(.owner)
    reminders = try fields.array(.remindersUSec, most: Reminder.most, decodeReminderSpan)
  }

  /// Writes the members.
  public func encode(_ writer: inout JSONWriter) {
    writer.member("id", id.text)
    writer.member("session", session)
    writer.member("ifSequence", ifSequence)
    writer.member("start", start)
    writer.member("start", wallStart)
    writer.member("startByDate", startBy?.date)
    writer.member("startByAfterUSec", startBy?.span)
    writer.member("staleDate", stale?.date)
    writer.member("staleAfterUSec", stale?.span)
    writer.member("endDate", end?.date)
    writer.member("endAfterUSec", end?.span)
    writer.flag("noEnd", noEnd)
    writer.member("alert", alert)
    writer.member("endAlert", endAlert)
    writer.member("owner", owner)
    writer.member("remindersUSec", reminders)
  }
}

/// What `Reschedule` and `Get` reply.
public struct ActivityReply: SchedulerReply {
  /// The session.
  public var activity: Activity

  /// A reply.
  public init(activity: Activity) { self.activity = activity }

  private enum Key: Int, FieldKey {
    case activity
    static let names = fieldNames()
  }

  /// Reads the parameters.
  public init(decoding parameters: JSONNode) throws(SchedulerError) {
    let fields = try FieldReader<Key>(reply: parameters)
    activity = try fields.required(.activity, fields.nested(.activity, decodeActivity))
  }

  /// Writes the members.
  public func encode(_ writer: inout JSONWriter) {
    writer.key("activity")
    activity.encode(&writer)
  }
}
