public import JSON
public import LiveActivity

private enum Key: Int, FieldKey {
  case id, owner, session, sequence, state, reason, application, attributesType, attributes
  case content, alert, endAlert, actions, audience, channel, startDate, startByDate, endDate
  case dismissalDate, createdDate, startedDate, endedDate, timestamp, latenessUSec, remoteUpdates
  case reminders, plannedUpdates, pushType, localStart, `repeat`, nextStartDate, wake
  static let names = fieldNames()
}

func decodeActivity(
  _ node: JSONNode, _ context: DecodingContext
) throws(SchedulerError) -> Activity {
  let fields = try FieldReader<Key>(node, context)
  var activity = Activity(
    id: try fields.required(.id, fields.string(.id)),
    owner: try fields.required(.owner, fields.user(.owner)),
    session: try fields.required(.session, fields.int(.session)),
    sequence: try fields.required(.sequence, fields.int(.sequence)),
    state: try fields.required(.state, fields.choice(.state)),
    attributesType: try fields.required(.attributesType, fields.string(.attributesType)),
    attributes: try fields.required(.attributes, fields.object(.attributes)),
    content: try fields.required(.content, fields.nested(.content, decodeContent)),
    createdDate: try fields.required(.createdDate, fields.date(.createdDate)))
  activity.reason = try fields.choice(.reason)
  activity.application = try fields.string(.application)
  activity.alert = try fields.nested(.alert, decodeAlert)
  activity.endAlert = try fields.nested(.endAlert, decodeAlert)
  activity.actions = try fields.required(.actions, fields.array(.actions, decodeAction))
  activity.audience = try fields.required(.audience, fields.array(.audience, decodeString))
  activity.channel = try fields.string(.channel)
  activity.startDate = try fields.date(.startDate)
  activity.startByDate = try fields.date(.startByDate)
  activity.endDate = try fields.date(.endDate)
  activity.dismissalDate = try fields.date(.dismissalDate)
  activity.startedDate = try fields.date(.startedDate)
  activity.endedDate = try fields.date(.endedDate)
  activity.timestamp = try fields.date(.timestamp)
  activity.latenessMicroseconds = try fields.int(.latenessUSec)
  activity.localStart = try fields.nested(.localStart, decodeLocalStart)
  activity.remoteUpdates = try fields.required(.remoteUpdates, fields.bool(.remoteUpdates))
  activity.reminders = try fields.array(.reminders, decodeReminder) ?? []
  activity.plannedUpdates = try fields.array(.plannedUpdates, decodePlannedUpdate) ?? []
  activity.pushType = try fields.choice(.pushType)
  activity.repeats = try fields.nested(.repeat, decodeRepeat)
  activity.nextStartDate = try fields.date(.nextStartDate)
  activity.wake = try fields.bool(.wake) ?? false
  return activity
}

extension Activity {
  /// Writes the interface's `Activity`, an object.
  public func encode(_ writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", id)
    writer.member("owner", owner)
    writer.member("session", session)
    writer.member("sequence", sequence)
    writer.member("state", state)
    writer.member("reason", reason)
    writer.member("application", application)
    writer.member("attributesType", attributesType)
    writer.member("attributes", attributes)
    writer.member("content", content)
    writer.member("alert", alert)
    writer.member("endAlert", endAlert)
    writer.member("actions", actions)
    writer.member("audience", audience)
    writer.member("channel", channel)
    writer.member("startDate", startDate)
    writer.member("startByDate", startByDate)
    writer.member("endDate", endDate)
    writer.member("dismissalDate", dismissalDate)
    writer.member("createdDate", createdDate)
    writer.member("startedDate", startedDate)
    writer.member("endedDate", endedDate)
    writer.member("timestamp", timestamp)
    writer.member("latenessUSec", latenessMicroseconds)
    writer.member("remoteUpdates", remoteUpdates)
    writer.member("reminders", reminders)
    writer.member("plannedUpdates", plannedUpdates)
    writer.member("pushType", pushType)
    writer.member("localStart", localStart)
    writer.member("repeat", repeats)
    writer.member("nextStartDate", nextStartDate)
    writer.flag("wake", wake)
    writer.endObject()
  }

  /// Reads the interface's `Activity`, such as `laschedctl show --json` prints. Throws
  /// `InvalidParameter` with the path of what is missing or wrong.
  public init(decoding node: JSONNode) throws(SchedulerError) {
    self = try decodeActivity(node, DecodingContext(root: node, isCall: false))
  }
}
