import JSON
import LiveActivity

/// Which activity: whose, and its ID.
struct ActivityKey: Hashable {
  let owner: UserID?
  let id: ActivityID
}

extension ActivityView {
  var key: ActivityKey { ActivityKey(owner: owner, id: ActivityID(stored: rawID)) }
}

/// The sessions that a watcher sees, kept up to date.
struct LiveTable {
  private var activities: [ActivityKey: ActivityView] = [:]
  /// Those that an event has changed since they were asked for.
  private var changed: Set<ActivityKey> = []

  var needsReading: Bool { !changed.isEmpty }

  mutating func removeAll() {
    activities = [:]
    changed = []
  }

  mutating func take(_ activity: ActivityView) {
    activities[activity.key] = activity.state == "dismissed" ? nil : activity
  }

  mutating func remove(_ key: ActivityKey) { activities[key] = nil }

  mutating func note(_ event: EventView) {
    guard !event.rawID.isEmpty else { return }
    note(ActivityKey(owner: event.owner, id: ActivityID(stored: event.rawID)))
  }

  mutating func note(_ key: ActivityKey) { changed.insert(key) }

  mutating func noteAll() { changed.formUnion(activities.keys) }

  mutating func forgetChanged() { changed = [] }

  /// Those that have changed; nil if there are more than that.
  mutating func takeChanged(most: Int) -> [ActivityKey]? {
    guard changed.count <= most else { return nil }
    defer { changed = [] }
    return Array(changed)
  }

  mutating func replaceAll(by read: LiveTable) { activities = read.activities }

  var all: Dictionary<ActivityKey, ActivityView>.Values { activities.values }

  var count: Int { activities.count }
}
