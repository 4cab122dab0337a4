import JSON
import LiveActivity
import SchedulerAPI

/// What is live for a person, in one line for a shell at login.
///
/// What comes from an activity stands in double quotes and has none itself, so that nothing in it can
/// pass for the line's own words, such as whose it is.
enum LoginLine {
  /// The longest that a daemon may take for each of its answers, in milliseconds.
  private static let patience = 150
  private static let most = 3

  /// Writes the line; nothing where nothing is live or no daemon answers at once.
  static func show(_ context: Context) throws(Failure) -> ExitCode {
    let invocation = context.invocation
    var live: [(activity: ActivityView, now: Int64)] = []
    for choice in try SocketChoice.all(invocation) {
      do throws(Failure) {
        let daemon = try Daemon(choice)
        daemon.patience = patience
        let now = try daemon.now().microseconds
        var list = ListParameters()
        list.states = try Verb.listedStates(invocation)
        list.application = invocation.value(.application)
        list.channel = invocation.value(.channel)
        list.owner = try invocation.owner()
        try daemon.stream(list) { node throws(Failure) in
          for activity in node["activities"]?.elements ?? node.elements {
            live.append((ActivityView(node: activity), now))
          }
        }
      } catch  where error.code == .unreachable {
        continue
      }
    }
    guard !live.isEmpty else { return .done }
    if context.console.form != .text {
      for (activity, _) in live { context.console.value(activity.node) }
      return .done
    }
    live.sort { order($0.activity) < order($1.activity) }
    let zone = TimeReader.zoneToShow()
    let texts = live.prefix(most).map { activity, now in
      var text = ""
      if let owner = activity.owner, owner != Users.own { text = "from \(Users.name(owner)): " }
      let title =
        activity.node["alert"]?["title"]?.string ?? activity.node["attributes"]?["title"]?.string
      text += quoted(title ?? activity.rawID)
      if activity.state == "stale" { text += " (stale)" }
      if let next = activity.next {
        let word = ["starts": "at", "ends": "until"][next.what] ?? next.what
        text += " \(word) \(TimeText.near(next.date, now, zone))"
      }
      return text
    }
    var line = "lasched: " + texts.joined(separator: "; ")
    if live.count > most { line += "; and \(live.count - most) more: laschedctl list" }
    context.console.line(line)
    return .done
  }

  /// One's own first, then what has begun, the most relevant, the earliest.
  private static func order(_ activity: ActivityView) -> (Int, Int, Double, Int64, String) {
    let relevance = activity.node["content"]?["relevanceScore"]?.double ?? 0
    return (
      activity.owner == Users.own ? 0 : 1, activity.state == "pending" ? 1 : 0, -relevance,
      activity.next?.date ?? .max, activity.rawID
    )
  }

  private static func quoted(_ text: String) -> String {
    "\"" + Cells.fit(harmless(text).replacing("\"", with: "'"), 40) + "\""
  }
}
