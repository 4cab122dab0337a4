import JSON
import LiveActivity
import TimeExpressions

/// One activity for people: what is set, a line each.
struct ActivityCard {
  let activity: ActivityView
  let now: Int64
  let zone: TimeZoneRules

  func lines(isColoured: Bool) -> [String] {
    var head = Style.bold.applied(to: activity.id, isColoured) + "  "
    head += activity.style.applied(to: activity.state, isColoured)
    if let reason = activity.text("reason") { head += " (\(harmless(reason)))" }
    head += Style.dim.applied(to: "  session \(activity.session)", isColoured)
    return [head]
      + rows.map { name, value in
        "  " + Style.dim.applied(to: Cells.pad(name, 12), isColoured) + " " + value
      }
  }

  private var rows: [(String, String)] {
    var rows: [(String, String)] = []
    func add(_ name: String, _ value: String?) {
      if let value, !value.isEmpty { rows.append((name, value)) }
    }
    add("title", alert("alert"))
    add("at the end", alert("endAlert"))
    add("owner", activity.owner.map(Users.name))
    add("application", activity.text("application").map(harmless))
    add("type", activity.text("attributesType").map(harmless))
    if let attributes = activity.node["attributes"], attributes.byteCount > 2 {
      add("attributes", harmless(attributes.displayed(indented: false)))
    }
    add("content", activity.contentState)
    add("relevance", activity.node["content"]?["relevanceScore"]?.double.map { "\($0)" })
    let dates: [(String, Int64?)] = [
      ("created", activity.date("createdDate")), ("starts", activity.date("startDate")),
      ("start by", activity.date("startByDate")), ("started", activity.date("startedDate")),
      ("stale", activity.staleDate), ("ends", activity.date("endDate")),
      ("ended", activity.date("endedDate")), ("goes", activity.date("dismissalDate")),
      ("then", activity.date("nextStartDate")),
    ]
    for (name, date) in dates {
      add(
        name, date.map { "\(TimeText.local($0, zone)), \(TimeFormat.distance(from: now, to: $0))" })
    }
    add("repeats", activity.repeats)
    for reminder in activity.reminders {
      let words = "\(TimeText.length(reminder.before)) before the start"
      add("reminds", words + (reminder.state == "ahead" ? "" : ", \(reminder.state)"))
    }
    if activity.wakes { add("wakes", "this machine from suspend") }
    for update in activity.plannedUpdates { add("changes", planned(update)) }
    if let late = activity.node["latenessUSec"]?.int64, late > 0 {
      add("late by", TimeFormat.span(microseconds: late))
    }
    let actions = activity.node["actions"]?.elements.map {
      harmless("\($0["name"]?.string ?? ""): \($0["label"]?.string ?? "")")
    }
    add("actions", actions?.joined(separator: ", "))
    let audience = activity.node["audience"]?.elements.compactMap { $0.string.map(harmless) }
    add("audience", audience?.joined(separator: ", "))
    add("channel", activity.text("channel").map(harmless))
    if activity.node["remoteUpdates"]?.bool == false { add("remote", "updates are cut off") }
    return rows
  }

  /// When, and what it will bring.
  private func planned(_ update: JSONNode) -> String {
    var words: [String] = []
    if let state = update["content"]?["state"] ?? update["patch"] {
      words.append(harmless(state.displayed(indented: false)))
    }
    if let title = update["alert"]?["title"]?.string { words.append("\"\(harmless(title))\"") }
    let date = instant(update["date"]).map {
      "\(TimeText.local($0, zone)), \(TimeFormat.distance(from: now, to: $0))"
    }
    return ([date ?? "after the start"] + words).joined(separator: ": ")
  }

  private func alert(_ key: String) -> String? {
    guard let alert = activity.node[key], let title = alert["title"]?.string else { return nil }
    let body = alert["body"]?.string ?? ""
    return harmless(body.isEmpty ? title : "\(title): \(body)")
  }
}
