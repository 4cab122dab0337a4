import JSON
public import LiveActivity

/// A date, or a span that leads to one: from now in a start, from the start elsewhere.
public enum Moment: Hashable, Sendable {
  /// At a date.
  case at(WallTime)
  /// After an elapsed span.
  case after(TimeSpan)

  /// The date, where it is one.
  public var date: WallTime? {
    if case .at(let date) = self { return date }
    return nil
  }

  /// The span, where it is one.
  public var span: TimeSpan? {
    if case .after(let span) = self { return span }
    return nil
  }
}

extension FieldReader {
  /// A date or a span, of which at most one is set.
  func moment(_ date: Key, _ span: Key) throws(SchedulerError) -> Moment? {
    let at = try self.date(date)
    try exclude(at != nil, span)
    if let at { return .at(at) }
    return try self.span(span).map { .after($0) }
  }
}

private enum AlertKey: Int, FieldKey {
  case title, body, sound, urgency
  static let names = fieldNames()
}

func decodeAlert(_ node: JSONNode, _ context: DecodingContext) throws(SchedulerError) -> Alert {
  let fields = try FieldReader<AlertKey>(node, context)
  let title = try fields.required(.title, fields.string(.title))
  let body = try fields.required(.body, fields.string(.body))
  let sound = try fields.string(.sound)
  let urgency: Alert.Urgency? = try fields.choice(.urgency)
  do throws(InvalidValue) {
    return try Alert(title: title, body: body, sound: sound, urgency: urgency)
  } catch {
    // Whichever of the three it is that cannot stand alone.
    if (try? Alert(title: title, body: "")) == nil { throw fields.invalid(.title) }
    throw fields.invalid((try? Alert(title: "", body: body)) == nil ? .body : .sound)
  }
}

private enum ContentKey: Int, FieldKey {
  case state, staleDate, relevanceScore
  static let names = fieldNames()
}

func decodeContent(
  _ node: JSONNode, _ context: DecodingContext
) throws(SchedulerError) -> Content {
  let fields = try FieldReader<ContentKey>(node, context)
  return Content(
    state: try fields.required(.state, fields.object(.state)),
    staleDate: try fields.date(.staleDate), relevanceScore: try fields.double(.relevanceScore))
}

private enum ActionKey: Int, FieldKey {
  case name, label
  static let names = fieldNames()
}

func decodeAction(_ node: JSONNode, _ context: DecodingContext) throws(SchedulerError) -> Action {
  let fields = try FieldReader<ActionKey>(node, context)
  let name = try fields.required(.name, fields.string(.name))
  let label = try fields.required(.label, fields.string(.label))
  do throws(InvalidValue) {
    return try Action(name: name, label: label)
  } catch {
    throw fields.invalid((try? Action(name: name, label: "")) == nil ? .name : .label)
  }
}

func decodeAudience(
  _ node: JSONNode, _ context: DecodingContext
) throws(SchedulerError) -> Audience {
  guard let text = node.string else { throw context.invalid(node) }
  do throws(InvalidValue) {
    return try Audience(text)
  } catch {
    throw context.invalid(node)
  }
}

func decodeString(_ node: JSONNode, _ context: DecodingContext) throws(SchedulerError) -> String {
  guard let text = node.string else { throw context.invalid(node) }
  return text
}

func decodeChoice<Value: Choice>(
  _ node: JSONNode, _ context: DecodingContext
) throws(SchedulerError) -> Value {
  guard let value = Value(node) else { throw context.invalid(node) }
  return value
}

private enum DismissalKey: Int, FieldKey {
  case policy, date
  static let names = fieldNames()
}

/// `Dismissal`: a date with `after`, and only there.
func decodeDismissal(
  _ node: JSONNode, _ context: DecodingContext
) throws(SchedulerError) -> DismissalPolicy {
  let fields = try FieldReader<DismissalKey>(node, context)
  let choice: DismissalChoice = try fields.required(.policy, fields.choice(.policy))
  switch choice {
  case .after: return .after(try fields.required(.date, fields.date(.date)))
  case .immediate, .default:
    try fields.exclude(true, .date)
    return choice == .immediate ? .immediate : .default
  }
}

extension JSONWriter {
  mutating func member(_ name: StaticString, _ moment: Moment?) {
    guard let moment else { return }
    object(name) { writer in
      writer.member("at", moment.date)
      writer.member("afterUSec", moment.span)
    }
  }

  mutating func member(_ name: StaticString, _ alert: Alert?) {
    guard let alert else { return }
    key(name)
    beginObject()
    member("title", alert.title)
    member("body", alert.body)
    member("sound", alert.sound)
    member("urgency", alert.urgency)
    endObject()
  }

  mutating func member(_ name: StaticString, _ content: Content?) {
    guard let content else { return }
    key(name)
    beginObject()
    member("state", content.state)
    member("staleDate", content.staleDate)
    member("relevanceScore", content.relevanceScore)
    endObject()
  }

  mutating func member(_ name: StaticString, _ actions: [Action]?) {
    guard let actions else { return }
    key(name)
    beginArray()
    for action in actions {
      beginObject()
      member("name", action.name)
      member("label", action.label)
      endObject()
    }
    endArray()
  }

  mutating func member(_ name: StaticString, _ policy: DismissalPolicy?) {
    guard let policy else { return }
    object(name) { writer in
      switch policy {
      case .immediate: writer.member("policy", DismissalChoice.immediate)
      case .default: writer.member("policy", DismissalChoice.default)
      case .after(let date):
        writer.member("policy", DismissalChoice.after)
        writer.member("date", date)
      }
    }
  }
}
