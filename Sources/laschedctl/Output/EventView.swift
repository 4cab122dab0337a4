import JSON
import LiveActivity
import TimeExpressions

/// The interface's `Event` as it came, as a row for people or line tools.
struct EventView {
  let node: JSONNode
  /// Who was told of the alert that it is about, where it says that nobody else will be.
  var told: [String]?

  var kind: String { harmless(node["kind"]?.string ?? "") }
  var sequence: Int64 { node["sequence"]?.int64 ?? 0 }
  var id: String { harmless(node["id"]?.string ?? "") }
  var rawID: String { node["id"]?.string ?? "" }
  var session: Int64? { node["session"]?.int64 }
  var date: Int64 { instant(node["date"]) ?? 0 }
  var owner: UserID? { user("owner") }
  /// The state that it led to.
  var to: String { harmless(node["to"]?.string ?? "") }

  private func user(_ key: String) -> UserID? {
    node[key]?.int64.flatMap { UInt32(exactly: $0) }.map { UserID($0) }
  }

  /// `pending>active`; the one state where it did not change, `-` where there is none.
  var states: String {
    let states = [node["from"]?.string, node["to"]?.string].compactMap { $0 }.map(harmless)
    if states.isEmpty { return "-" }
    return states.count == 2 && states[0] == states[1] ? states[0] : states.joined(separator: ">")
  }

  /// What else there is to it, as `name=value` words.
  var details: String {
    var words: [String] = []
    func add(_ name: String, _ text: String?) {
      if let text { words.append("\(name)=\(text)") }
    }
    func quoted(_ text: String?) -> String? { text.map { "\"\(harmless($0))\"" } }
    add("reason", node["reason"]?.string.map(harmless))
    add("start", instant(node["startDate"] ?? node["activity"]?["startDate"]).map(TimeText.utc))
    add("was", instant(node["formerStartDate"]).map(TimeText.utc))
    add("cause", node["cause"]?.string.map(harmless))
    if let local = (node["localStart"] ?? node["activity"]?["localStart"]),
      let time = local["local"]?.string, let zone = local["zone"]?.string
    {
      let isFloating = local["floating"]?.bool == true
      add("local", harmless(time) + "[\(harmless(zone))\(isFloating ? ",floating" : "")]")
    }
    if let skipped = instant(node["skippedDate"]) { add("skipped", TimeText.utc(skipped)) }
    add("end", instant(node["endDate"] ?? node["activity"]?["endDate"]).map(TimeText.utc))
    if let due = instant(node["dueDate"]), due != date { add("due", TimeText.utc(due)) }
    if let late = node["latenessUSec"]?.int64, late > 0 {
      add("late", TimeFormat.span(microseconds: late))
    }
    add("alert", quoted(node["alert"]?["title"]?.string))
    if let settled = node["alertSequence"]?.int64 { add("about", "\(settled)") }
    add("outcome", node["alertOutcome"]?.string.map(harmless))
    add("action", node["action"]?.string.map(harmless))
    if let state = node["content"]?["state"] {
      add("content", harmless(state.displayed(indented: false)))
    }
    if let told { add("told", told.isEmpty ? "nobody" : told.joined(separator: ",")) }
    if let enabled = node["enabled"]?.bool { add("enabled", enabled ? "yes" : "no") }
    add("type", node["attributesType"]?.string.map(harmless))
    add("application", quoted(node["application"]?.string))
    if let step = node["stepUSec"]?.int64 { add("step", TimeFormat.span(microseconds: step)) }
    if let by = user("by"), by != owner { add("by", Users.name(by)) }
    return words.joined(separator: " ")
  }

  /// What is worth a word of it to a person who looks on.
  var brief: String {
    var words: [String] = []
    if let late = node["latenessUSec"]?.int64, late >= 1_000_000 {
      words.append("\(TimeText.length(late)) late")
    }
    if let reason = node["reason"]?.string, reason != kind { words.append(harmless(reason)) }
    switch node["cause"]?.string {
    case "zone": words.append("the machine's zone changed")
    case "tzdata": words.append("the zone's rules changed")
    default: break
    }
    if let title = node["alert"]?["title"]?.string { words.append("\"\(harmless(title))\"") }
    if let outcome = node["alertOutcome"]?.string { words.append(harmless(outcome)) }
    if let action = node["action"]?.string { words.append(harmless(action)) }
    if let state = node["content"]?["state"] {
      words.append(harmless(state.displayed(indented: false)))
    }
    if let enabled = node["enabled"]?.bool { words.append(enabled ? "yes" : "no") }
    if let step = node["stepUSec"]?.int64 {
      words.append("by \(TimeFormat.span(microseconds: step))")
    }
    return words.joined(separator: " ")
  }

  /// For line tools: number, date, owner, ID, session, kind, states, details; tabs between them.
  var line: String {
    let words = [
      "\(sequence)", TimeText.utc(date), owner.map(Users.name) ?? "-", id.isEmpty ? "-" : id,
      session.map { "\($0)" } ?? "-", kind, states, details,
    ]
    return words.joined(separator: "\t")
  }

  static let headings = ["EVENT", "DATE", "ID", "WHAT", "STATE", "DETAILS"]

  /// For people.
  func cells(_ zone: TimeZoneRules) -> [Table.Cell] {
    [
      Table.Cell("\(sequence)", .dim), Table.Cell(TimeText.brief(date, zone)),
      Table.Cell(id), Table.Cell(kind, .bold),
      Table.Cell(states, ActivityView.style(ofState: to)), Table.Cell(details),
    ]
  }
}
