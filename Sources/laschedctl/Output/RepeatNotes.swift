import JSON
import TimeExpressions

extension ActivityView {
  /// What a person should know of how the next dates of a repeat come about: that clocks skip a time, or
  /// show it twice.
  func repeatNotes(machine: TimeZoneRules) -> [String] {
    guard let rule = node["repeat"], let text = rule["calendar"]?.string,
      let calendar = try? CalendarExpression.parse(text)
    else { return [] }
    var zone = machine
    if let name = rule["zone"]?.string, calendar.zoneName == nil {
      guard let named = try? TimeReader.zones.rules(name) else { return [] }
      zone = named
    }
    let rules = try? calendar.rules(zone: zone) { name throws(TimeZoneError) in
      try TimeReader.zones.rules(name)
    }
    guard let rules else { return [] }
    let dates = [state == "pending" ? date("startDate") : nil, date("nextStartDate")]
    return dates.compactMap { date in
      // Dates are whole milliseconds, rounded up.
      guard let date, let found = calendar.next(after: date - 1000, in: rules),
        found.microseconds <= date, let adjustment = found.adjustment
      else { return nil }
      return "\(found.wallTime.text): \(adjustment)"
    }
  }
}
