import JSON
import LiveActivity

private enum ReminderKey: Int, FieldKey {
  case beforeUSec, date, state
  static let names = fieldNames()
}

func decodeReminder(
  _ node: JSONNode, _ context: DecodingContext
) throws(SchedulerError) -> Reminder {
  let fields = try FieldReader<ReminderKey>(node, context)
  return Reminder(
    before: try fields.required(.beforeUSec, fields.span(.beforeUSec)),
    date: try fields.required(.date, fields.date(.date)),
    state: try fields.required(.state, fields.choice(.state)))
}

/// How long before the start a person is reminded: a span of at least a millisecond.
func decodeReminderSpan(
  _ node: JSONNode, _ context: DecodingContext
) throws(SchedulerError) -> TimeSpan {
  guard let span = node.int64, span >= 1000 else { throw context.invalid(node) }
  return TimeSpan(microseconds: span)
}

private enum PlannedKey: Int, FieldKey {
  case sequence, date, content, patch, staleDate, relevanceScore, alert
  static let names = fieldNames()
}

func decodePlannedUpdate(
  _ node: JSONNode, _ context: DecodingContext
) throws(SchedulerError) -> PlannedUpdate {
  let fields = try FieldReader<PlannedKey>(node, context)
  var update = PlannedUpdate(
    sequence: try fields.required(.sequence, fields.int(.sequence)),
    date: try fields.date(.date))
  update.content = try fields.nested(.content, decodeContent)
  update.patch = try fields.object(.patch)
  update.staleDate = try fields.date(.staleDate)
  update.relevanceScore = try fields.double(.relevanceScore)
  update.alert = try fields.nested(.alert, decodeAlert)
  return update
}

private enum RepeatKey: Int, FieldKey {
  case calendar, zone, floating, everyUSec, untilDate, count
  static let names = fieldNames()
}

/// `Repeat`: exactly one of calendar and everyUSec.
func decodeRepeat(_ node: JSONNode, _ context: DecodingContext) throws(SchedulerError) -> Repeat {
  let fields = try FieldReader<RepeatKey>(node, context)
  var result: Repeat
  if let calendar = try fields.string(.calendar) {
    guard (1...512).contains(calendar.utf8.count) else { throw fields.invalid(.calendar) }
    try fields.exclude(true, .everyUSec)
    result = Repeat(calendar: calendar, zone: try fields.string(.zone))
    if let zone = result.zone, !(1...255).contains(zone.utf8.count) { throw fields.invalid(.zone) }
    result.isFloating = try fields.bool(.floating) ?? false
    try fields.exclude(result.isFloating, .zone)
  } else if let every = try fields.span(.everyUSec) {
    guard every >= .seconds(1) else { throw fields.invalid(.everyUSec) }
    try fields.exclude(true, .zone)
    try fields.exclude(true, .floating)
    result = Repeat(every: every)
  } else {
    throw context.invalid(node)
  }
  result.until = try fields.date(.untilDate)
  result.count = try fields.int(.count)
  if let count = result.count, count < 1 { throw fields.invalid(.count) }
  return result
}

extension JSONWriter {
  mutating func member(_ name: StaticString, _ value: Repeat?) {
    guard let value else { return }
    object(name) { writer in
      writer.member("calendar", value.calendar)
      writer.member("zone", value.zone)
      writer.flag("floating", value.isFloating)
      writer.member("everyUSec", value.every)
      writer.member("untilDate", value.until)
      writer.member("count", value.count)
    }
  }

  /// Written only where there are any.
  mutating func member(_ name: StaticString, _ reminders: [Reminder]) {
    guard !reminders.isEmpty else { return }
    key(name)
    beginArray()
    for reminder in reminders {
      beginObject()
      member("beforeUSec", reminder.before)
      member("date", reminder.date)
      member("state", reminder.state)
      endObject()
    }
    endArray()
  }

  /// Written only where there are any.
  mutating func member(_ name: StaticString, _ updates: [PlannedUpdate]) {
    guard !updates.isEmpty else { return }
    key(name)
    beginArray()
    for update in updates {
      beginObject()
      member("sequence", update.sequence)
      member("date", update.date)
      member("content", update.content)
      member("patch", update.patch)
      member("staleDate", update.staleDate)
      member("relevanceScore", update.relevanceScore)
      member("alert", update.alert)
      endObject()
    }
    endArray()
  }

  mutating func member(_ name: StaticString, _ spans: [TimeSpan]?) {
    guard let spans else { return }
    key(name)
    beginArray()
    for span in spans { int(span.microseconds) }
    endArray()
  }
}
