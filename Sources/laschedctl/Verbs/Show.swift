import JSON
import LiveActivity
import SchedulerAPI
import TimeExpressions

extension Verb {
  static let show = Verb(
    "show", "ID [-p FIELD,… [--value]]", "all there is to know of an activity",
    operands: 1...1, options: [.property, .value, .session, .owner],
    notes: [
      "Fields are the interface's: id, state, startDate, content.state.score, alert.title. "
        + "In a pipe each is a line, name=value."
    ]
  ) { context throws(Failure) in
    let invocation = context.invocation
    let fields = invocation.list(.property)
    if invocation.has(.value), fields == nil {
      throw .usage("--value goes with -p: laschedctl show ID -p FIELD --value")
    }
    var get = GetParameters(id: try invocation.id())
    get.session = try invocation.number(.session)
    get.owner = try invocation.owner()
    let daemon = try context.connect()
    let activity = try daemon.activity(get).node
    if let fields {
      try context.show(fields, of: activity)
    } else if context.console.form != .text {
      context.console.value(activity)
    } else if context.console.isForPeople {
      let card = ActivityCard(
        activity: ActivityView(node: activity), now: try daemon.now().microseconds,
        zone: TimeReader.zoneToShow())
      for line in card.lines(isColoured: context.console.output.isColoured) {
        context.console.line(line)
      }
    } else {
      for member in activity.members {
        context.console.line("\(member.key.string ?? "")=\(plain(member.value))")
      }
    }
    return .done
  }

  /// A value as one word of text: a string as it is, all else as JSON.
  fileprivate static func plain(_ node: JSONNode?) -> String {
    guard let node, !node.isNull else { return "" }
    return node.string.map(harmless) ?? node.displayed(indented: false)
  }
}

extension Context {
  /// Writes some fields, each given by a path of names with dots between them.
  fileprivate func show(_ fields: [String], of activity: JSONNode) throws(Failure) {
    var found: [(name: String, value: JSONNode?)] = []
    for field in fields {
      let path = field.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      guard let first = path.first, Context.fields.contains(first) || activity[first] != nil else {
        let near = nearest(field, among: Context.fields)
        throw .usage(
          "an activity has no field '\(field)'"
            + (near.map { "; did you mean \($0)?" }
              ?? "; they are \(Context.fields.joined(separator: ", "))"))
      }
      var value: JSONNode? = activity
      for name in path { value = value?[name] }
      found.append((field, value))
    }
    guard console.form == .text else { return showJSON(found) }
    for (name, value) in found {
      console.line(invocation.has(.value) ? Verb.plain(value) : "\(name)=\(Verb.plain(value))")
    }
  }

  /// With `--value` one value a line, else one object.
  private func showJSON(_ found: [(name: String, value: JSONNode?)]) {
    if invocation.has(.value) {
      for (_, value) in found {
        if let value { console.value(value) } else { console.line("null") }
      }
      return
    }
    var writer = JSONWriter()
    writer.beginObject()
    for (name, value) in found {
      writer.key(escaping: name)
      if let value { writer.node(value) } else { writer.null() }
    }
    writer.endObject()
    if let node = try? JSONNode(validating: writer.take()) { console.value(node) }
  }

  private static let fields = [
    "id", "owner", "session", "sequence", "state", "reason", "application", "attributesType",
    "attributes", "content", "alert", "endAlert", "actions", "audience", "channel", "startDate",
    "startByDate", "endDate", "dismissalDate", "createdDate", "startedDate", "endedDate",
    "timestamp", "latenessUSec", "remoteUpdates", "pushType", "localStart",
    "reminders", "plannedUpdates", "repeat", "nextStartDate", "wake",
  ]
}
