import LiveActivity

/// What is known of sessions from the events alone, and what must hold of these whatever the model
/// says: numbers without gaps, never early, never twice, nothing revives.
struct Ledger {
  private struct Entry {
    var state = ActivityState.pending
    var isStarted = false
    var isCancelled = false
  }

  private var last: Int64 = 0
  private var sessions: [String: Entry] = [:]
  /// The current session by owner and ID.
  private var current: [String: Int64] = [:]

  mutating func note(_ event: ActivityEvent) throws(SimulationFailure) {
    guard event.sequence == last + 1 else {
      throw SimulationFailure("event \(event.sequence) follows event \(last)")
    }
    last = event.sequence
    // The first word about a snooze tells a date that is ahead.
    let isAhead = event.kind == .alertSnoozed && event.alert == nil
    if let due = event.dueDate, event.date < due, !isAhead {
      throw SimulationFailure("early: \(event)")
    }
    guard let id = event.id, let owner = event.owner, let number = event.session else { return }
    let name = "\(owner.rawValue)/\(id.utf8.map { "\($0)" }.joined(separator: "."))"
    let key = "\(name)/\(number)"
    if event.kind == .scheduled {
      if let other = current[name], sessions["\(name)/\(other)"]?.state.isLive == true {
        throw SimulationFailure("two live sessions of one ID: \(event)")
      }
      sessions[key] = Entry()
      current[name] = number
      return
    }
    guard var entry = sessions[key], let to = event.to else {
      throw SimulationFailure("an event of no session: \(event)")
    }
    guard entry.state == event.from else {
      throw SimulationFailure("found in state \(entry.state): \(event)")
    }
    if event.kind == .started {
      guard !entry.isStarted else { throw SimulationFailure("started twice: \(event)") }
      entry.isStarted = true
    }
    guard to.rawValue >= entry.state.rawValue || event.kind == .fresh else {
      throw SimulationFailure("revived: \(event)")
    }
    if entry.state == .dismissed, event.kind != .alertSettled, event.kind != .alertSnoozed {
      throw SimulationFailure("after its end: \(event)")
    }
    if entry.isCancelled, event.alert != nil {
      throw SimulationFailure("alerts although cancelled: \(event)")
    }
    if event.kind == .dismissed, to == .dismissed,
      [.cancelled, .replaced, .dismissedByPerson].contains(event.reason)
    {
      entry.isCancelled = true
    }
    entry.state = to
    sessions[key] = entry
  }
}
