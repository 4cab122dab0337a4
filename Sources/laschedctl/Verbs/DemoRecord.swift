import JSON
import LiveActivity

/// What the demo saw, to be compared with what it should have seen.
struct DemoRecord {
  /// The start date that the daemon gave the match.
  var start: WallTime?
  var cancelFoundPending = false
  private var events: [EventView] = []
  private var sequences: Set<Int64> = []

  /// Takes an event; false if it has come before, as an alert does that is offered again.
  mutating func note(_ event: EventView) -> Bool {
    guard sequences.insert(event.sequence).inserted else { return false }
    events.append(event)
    return true
  }

  private func kinds(_ id: String) -> [String] {
    events.filter { $0.rawID == id && $0.kind != "alertSettled" }.map(\.kind)
  }

  private func first(_ id: String, _ kind: String) -> EventView? {
    events.first { $0.rawID == id && $0.kind == kind }
  }

  /// What was not as it should be; nothing if all was.
  var flaws: [String] {
    var flaws: [String] = []
    func check(_ isRight: Bool, _ flaw: @autoclosure () -> String) {
      if !isRight { flaws.append(flaw()) }
    }
    let expected = ["scheduled", "started", "updated", "updated", "stale", "ended", "dismissed"]
    check(kinds("match") == expected, "the match went \(kinds("match").joined(separator: ", "))")
    check(
      kinds("picnic") == ["scheduled", "dismissed"],
      "the picnic went \(kinds("picnic").joined(separator: ", "))")
    check(cancelFoundPending, "the cancel did not find the picnic pending")
    let cancelled = first("picnic", "dismissed")
    check(cancelled?.node["reason"]?.string == "cancelled", "the picnic was not cancelled")
    let titles = events.filter { $0.kind != "scheduled" }
      .compactMap { $0.node["alert"]?["title"]?.string }
    check(titles == ["Kick-off", "Full time"], "the alerts were \(titles.joined(separator: ", "))")
    let settled = events.filter { $0.node["alertOutcome"]?.string == "shown" }.count
    check(settled == 2, "\(settled) alerts were settled as shown, not 2")
    if let started = first("match", "started"), let start {
      check(started.date >= start.microseconds, "the match began before its date")
    }
    let numbers = events.map(\.sequence)
    check(numbers == numbers.sorted(), "events came out of order")
    check(
      numbers.last.map { $0 - numbers[0] + 1 == Int64(numbers.count) } ?? false,
      "events are missing")
    return flaws
  }
}
