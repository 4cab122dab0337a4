public import JSON
public import LiveActivity

/// `Request`: creates a session, pending with a start, active at once without one.
public struct RequestParameters: SchedulerCall {
  /// The Activity ID; the daemon makes one where there is none.
  public var id: ActivityID?
  /// The program that it comes from.
  public var application: String?
  /// The kind of activity.
  public var attributesType: String?
  /// Its static JSON object.
  public var attributes: JSONText?
  /// Its content.
  public var content: Content?
  /// When the content is out of date, from the start on; not with a stale date in `content`.
  public var staleAfter: TimeSpan?
  /// What is told at the start.
  public var alert: Alert?
  /// What is told at an end that comes by itself.
  public var endAlert: Alert?
  /// What a person can do with it.
  public var actions: [Action]?
  /// When it starts; a span counts from now.
  public var start: Moment?
  /// When it starts, as clocks on the wall show it; not with `start`.
  public var wallStart: WallStart?
  /// Whether a start that is past is taken, and comes at once.
  public var allowPast = false
  /// The last date at which a late start is of use; a span counts from the start.
  public var startBy: Moment?
  /// When it ends by itself; a span counts from the start.
  public var end: Moment?
  /// What to do when a session of the ID is live.
  public var ifExists = IfExists.fail
  /// Whose it is to be; the caller's where there is none.
  public var owner: UserID?
  /// Who is shown it, beside its owner.
  public var audience: [Audience]?
  /// How long before the start a person is reminded of it, with the start alert.
  public var reminders: [TimeSpan]?
  /// How it repeats: then its other dates count from each start.
  public var repeats: Repeat?
  /// The channel that it listens to.
  public var channel: String?
  /// How it is to be updated from elsewhere: by tokens, or by its channel, which must be named then.
  public var pushType: PushKind?
  /// Whether its start is to wake the machine; left out, it does not, or that stays as it is.
  public var wake: Bool?
  /// Whether it ends with the connection that asks.
  public var bound = false

  /// Asks for nothing in particular.
  public init() {}

  /// The stale date, however it is given.
  public var stale: Moment? { content?.staleDate.map { .at($0) } ?? staleAfter.map { .after($0) } }

  /// The method's full name.
  public static let method = SchedulerMethod.request.name

  private enum Key: Int, FieldKey {
    case id, application, attributesType, attributes, content, staleAfterUSec, alert, endAlert
    case actions, start, startByDate, startByAfterUSec, endDate, endAfterUSec, ifExists, owner
    case audience, channel, pushType, bound, remindersUSec, allowPast, `repeat`, wake
    static let names = fieldNames()
  }

  /// Reads the parameters.
  public init(decoding parameters: JSONNode) throws(SchedulerError) {
    let fields = try FieldReader<Key>(call: parameters)
    id = try fields.id(.id)
    application = try fields.name(.application)
    attributesType = try fields.attributesType(.attributesType)
    attributes = try fields.object(.attributes)
    content = try fields.nested(.content, decodeContent)
    try fields.exclude(content?.staleDate != nil, .staleAfterUSec)
    staleAfter = try fields.span(.staleAfterUSec)
    alert = try fields.nested(.alert, decodeAlert)
    endAlert = try fields.nested(.endAlert, decodeAlert)
    actions = try fields.array(.actions, most: Action.most, decodeAction)
    let given = try fields.nested(.start, decodeStart)
    (start, wallStart) = (given?.moment, given?.wall)
    startBy = try fields.moment(.startByDate, .startByAfterUSec)
    end = try fields.moment(.endDate, .endAfterUSec)
    ifExists = try fields.choice(.ifExists) ?? .fail
    owner = try fields.user(.owner)
    audience = try fields.array(.audience, most: Audience.most, decodeAudience)
    channel = try fields.name(.channel)
    pushType = try fields.choice(.pushType)
    if pushType == .channel, channel == nil { throw fields.invalid(.channel) }
    bound = try fields.bool(.bound) ?? false
    repeats = try fields.nested(.repeat, decodeRepeat)
    try fields.exclude(repeats != nil && bound, .bound)
    reminders = try fields.array(.remindersUSec, most: Reminder.most, decodeReminderSpan)
    allowPast = try fields.bool(.allowPast) ?? false
    wake = try fields.bool(.wake)
  }

  /// Writes the members.
  public func encode(_ writer: inout JSONWriter) { encode(&writer, withIfExists: true) }

  private func encode(_ writer: inout JSONWriter, withIfExists: Bool) {
    writer.member("id", id?.text)
    writer.member("application", application)
    writer.member("attributesType", attributesType)
    writer.member("attributes", attributes)
    writer.member("content", content)
    writer.member("staleAfterUSec", staleAfter)
    writer.member("alert", alert)
    writer.member("endAlert", endAlert)
    writer.member("actions", actions)
    writer.member("start", start)
    writer.member("start", wallStart)
    writer.member("startByDate", startBy?.date)
    writer.member("startByAfterUSec", startBy?.span)
    writer.member("endDate", end?.date)
    writer.member("endAfterUSec", end?.span)
    if withIfExists, ifExists != .fail { writer.member("ifExists", ifExists) }
    writer.member("owner", owner)
    writer.member("audience", audience?.map(\.text))
    writer.member("channel", channel)
    writer.member("pushType", pushType)
    writer.flag("bound", bound)
    writer.member("remindersUSec", reminders)
    writer.flag("allowPast", allowPast)
    writer.member("repeat", repeats)
    writer.member("wake", wake)
  }

  /// What makes two requests identical, and what is kept of one: all of it but `ifExists`, in one
  /// form — the interface's order, dates in UTC, spans as spans, payloads as they were sent.
  public var canonical: JSONText {
    var writer = JSONWriter()
    writer.reserve(256 + (attributes?.byteCount ?? 0) + (content?.state.byteCount ?? 0))
    writer.beginObject()
    encode(&writer, withIfExists: false)
    writer.endObject()
    return JSONText(trusted: writer.take())
  }

  /// Reads what `canonical` gave. Throws where it is not that, as out of a damaged store.
  public init(canonical: JSONText) throws(SchedulerError) {
    let node: JSONNode
    do throws(JSONError) {
      node = try canonical.parsed()
    } catch {
      throw .invalidParameter("parameters")
    }
    try self.init(decoding: node)
  }
}

/// What `Request` replies.
public struct RequestReply: SchedulerReply {
  /// The session that there is now.
  public var activity: Activity
  /// Whether the request made it.
  public var created: Bool
  /// Why it cannot wake the machine, in one line, though it is to; nil where it can, or is not to.
  public var wakeProblem: String?

  /// A reply.
  public init(activity: Activity, created: Bool) {
    self.activity = activity
    self.created = created
  }

  private enum Key: Int, FieldKey {
    case activity, created, wakeProblem
    static let names = fieldNames()
  }

  /// Reads the parameters.
  public init(decoding parameters: JSONNode) throws(SchedulerError) {
    let fields = try FieldReader<Key>(reply: parameters)
    activity = try fields.required(.activity, fields.nested(.activity, decodeActivity))
    created = try fields.required(.created, fields.bool(.created))
    wakeProblem = try fields.string(.wakeProblem)
  }

  /// Writes the members.
  public func encode(_ writer: inout JSONWriter) {
    writer.key("activity")
    activity.encode(&writer)
    writer.member("created", created)
    writer.member("wakeProblem", wakeProblem)
  }
}

extension RequestParameters {
  /// What `Request` replies.
  public typealias Reply = RequestReply
}
