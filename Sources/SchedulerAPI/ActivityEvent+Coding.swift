public import JSON
public import LiveActivity

private enum Key: Int, FieldKey {
  case sequence, date, dueDate, kind, by, id, owner, session, from, to, reason, latenessUSec
  case startDate, endDate, activity, content, alert, alertSequence, alertOutcome, action, enabled
  case attributesType, application, stepUSec, localStart, formerStartDate, cause, skippedDate
  static let names = fieldNames()
}

func decodeEvent(
  _ node: JSONNode, _ context: DecodingContext
) throws(SchedulerError) -> ActivityEvent {
  let fields = try FieldReader<Key>(node, context)
  var event = ActivityEvent(
    sequence: try fields.required(.sequence, fields.int(.sequence)),
    date: try fields.required(.date, fields.date(.date)),
    kind: try fields.required(.kind, fields.choice(.kind)))
  event.dueDate = try fields.date(.dueDate)
  event.by = try fields.user(.by)
  event.id = try fields.string(.id)
  event.owner = try fields.user(.owner)
  event.session = try fields.int(.session)
  event.from = try fields.choice(.from)
  event.to = try fields.choice(.to)
  event.reason = try fields.choice(.reason)
  event.latenessMicroseconds = try fields.int(.latenessUSec)
  event.startDate = try fields.date(.startDate)
  event.endDate = try fields.date(.endDate)
  event.activity = try fields.nested(.activity, decodeActivity)
  event.content = try fields.nested(.content, decodeContent)
  event.alert = try fields.nested(.alert, decodeAlert)
  event.alertSequence = try fields.int(.alertSequence)
  event.alertOutcome = try fields.choice(.alertOutcome)
  event.action = try fields.string(.action)
  event.enabled = try fields.bool(.enabled)
  event.attributesType = try fields.string(.attributesType)
  event.application = try fields.string(.application)
  event.stepMicroseconds = try fields.int(.stepUSec)
  event.localStart = try fields.nested(.localStart, decodeLocalStart)
  event.formerStartDate = try fields.date(.formerStartDate)
  event.cause = try fields.choice(.cause)
  event.skippedDate = try fields.date(.skippedDate)
  return event
}

extension ActivityEvent {
  /// Writes the interface's `Event`, an object.
  public func encode(_ writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("sequence", sequence)
    writer.member("date", date)
    writer.member("dueDate", dueDate)
    writer.member("kind", kind)
    writer.member("by", by)
    writer.member("id", id)
    writer.member("owner", owner)
    writer.member("session", session)
    writer.member("from", from)
    writer.member("to", to)
    writer.member("reason", reason)
    writer.member("latenessUSec", latenessMicroseconds)
    writer.member("startDate", startDate)
    writer.member("endDate", endDate)
    if let activity {
      writer.key("activity")
      activity.encode(&writer)
    }
    writer.member("content", content)
    writer.member("alert", alert)
    writer.member("alertSequence", alertSequence)
    writer.member("alertOutcome", alertOutcome)
    writer.member("action", action)
    writer.member("enabled", enabled)
    writer.member("attributesType", attributesType)
    writer.member("application", application)
    writer.member("stepUSec", stepMicroseconds)
    writer.member("localStart", localStart)
    writer.member("formerStartDate", formerStartDate)
    writer.member("cause", cause)
    writer.member("skippedDate", skippedDate)
    writer.endObject()
  }

  /// Reads the interface's `Event`. Throws `InvalidParameter` with the path of what is missing or
  /// wrong.
  public init(decoding node: JSONNode) throws(SchedulerError) {
    self = try decodeEvent(node, DecodingContext(root: node, isCall: false))
  }
}
