import JSON
import LiveActivity
import SchedulerAPI
import TimeExpressions

/// The interface's `Activity` as it came, read field by field: what a newer daemon adds, a state
/// that is not known here too, is shown and never in the way.
struct ActivityView {
  let node: JSONNode

  var id: String { harmless(text("id") ?? "") }
  var rawID: String { text("id") ?? "" }
  var state: String { harmless(text("state") ?? "") }
  var session: Int64 { node["session"]?.int64 ?? 0 }
  var sequence: Int64 { node["sequence"]?.int64 ?? 0 }

  var owner: UserID? { node["owner"]?.int64.flatMap { UInt32(exactly: $0) }.map { UserID($0) } }

  func text(_ key: String) -> String? { node[key]?.string }

  func date(_ key: String) -> Int64? { instant(node[key]) }

  var staleDate: Int64? { instant(node["content"]?["staleDate"]) }

  /// Whether a start of it that is ahead wakes the machine.
  var wakes: Bool {
    node["wake"]?.bool == true && (state == "pending" || date("nextStartDate") != nil)
  }

  /// What a person is told before the start.
  var reminders: [(before: Int64, date: Int64, state: String)] {
    guard let all = node["reminders"]?.elements else { return [] }
    return all.compactMap { reminder in
      guard let before = reminder["beforeUSec"]?.int64, let date = instant(reminder["date"]) else {
        return nil
      }
      return (before, date, harmless(reminder["state"]?.string ?? ""))
    }
  }

  /// The updates that are to come by themselves, the next one first.
  var plannedUpdates: [JSONNode] { node["plannedUpdates"].map { Array($0.elements) } ?? [] }

  /// How it repeats, in words.
  var repeats: String? {
    guard let rule = node["repeat"] else { return nil }
    var words: [String] = []
    if let calendar = rule["calendar"]?.string {
      words.append(harmless(calendar))
      let zone = rule["zone"]?.string.map(harmless) ?? ""
      if rule["floating"]?.bool == true {
        words.append("wherever the machine then is")
      } else if !zone.isEmpty, !calendar.hasSuffix(zone) {
        words.append(zone)
      }
    } else if let every = rule["everyUSec"]?.int64 {
      words.append("every \(TimeFormat.span(microseconds: every))")
    }
    if let until = instant(rule["untilDate"]) { words.append("until \(TimeText.utc(until))") }
    if let count = rule["count"]?.int64 { words.append("\(count) times in all") }
    return words.joined(separator: ", ")
  }

  /// What happens to it next by itself.
  var next: (what: String, date: Int64)? {
    let change = instant(plannedUpdates.first?["date"])
    let candidates: [(String, Int64?)] =
      switch state {
      case "pending": [("starts", date("startDate"))]
      case "active": [("changes", change), ("stale", staleDate), ("ends", date("endDate"))]
      case "stale": [("changes", change), ("ends", date("endDate"))]
      case "ended":
        [("goes", date("nextStartDate") == nil ? date("dismissalDate") : nil)]
      default: []
      }
    let again = state == "pending" ? nil : date("nextStartDate")
    return (candidates + [("repeats", again)]).compactMap { what, date in date.map { (what, $0) } }
      .min { $0.1 < $1.1 }
  }

  /// What says most about it in one line: a title, the content state, or the attributes.
  var summary: String {
    for alert in ["alert", "endAlert"] {
      if let title = node[alert]?["title"]?.string, !title.isEmpty { return harmless(title) }
    }
    let content = contentState
    guard content.isEmpty, let attributes = node["attributes"], attributes.byteCount > 2 else {
      return content
    }
    return harmless(attributes.displayed(indented: false))
  }

  /// The content state on one line; nothing for `{}`.
  var contentState: String {
    guard let state = node["content"]?["state"], state.byteCount > 2 else { return "" }
    return harmless(state.displayed(indented: false))
  }

  var style: Style { ActivityView.style(ofState: state) }

  static func style(ofState state: String) -> Style {
    switch state {
    case "pending": .cyan
    case "active": .green
    case "stale": .yellow
    case "ended", "dismissed": .dim
    default: .plain
    }
  }
}

extension JSONNode {
  /// `{}`.
  static var nothing: JSONNode { JSONDocument.emptyObject.root }
}

/// A date of the interface in microseconds since 1970; nil for anything else.
func instant(_ node: JSONNode?) -> Int64? {
  guard let text = node?.string, let date = try? WallTime(rfc3339: text) else { return nil }
  return date.microseconds
}
