import JSON
import LiveActivity

/// Who was told of which alert, as the events of a history say one after the other.
struct ToldPeople {
  private var people: [Int64: [String]] = [:]

  /// The event; with all who were told where an alert has expired for the rest.
  mutating func completed(_ view: EventView) -> EventView {
    guard let alert = view.node["alertSequence"]?.int64,
      let outcome = view.node["alertOutcome"]?.string
    else { return view }
    var view = view
    if outcome == "shown", let by = view.node["by"]?.int64.flatMap({ UInt32(exactly: $0) }) {
      let name = Users.name(UserID(by))
      if people[alert]?.contains(name) != true { people[alert, default: []].append(name) }
    } else if outcome == "expired" {
      view.told = people.removeValue(forKey: alert) ?? []
    }
    return view
  }
}
