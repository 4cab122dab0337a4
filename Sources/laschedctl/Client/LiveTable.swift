import JSON
import LiveActivity
import SchedulerAPI

/// The sessions that a watcher sees, kept up to date.
struct LiveTable {
  private struct Key: Hashable {
    let owner: UserID?
    let id: ActivityID
  }

  private var activities: [Key: ActivityView] = [:]
  /// Those that an event has changed since they were read.
  private var changed: Set<Key> = []

  var needsReading: Bool { !changed.isEmpty }

  mutating func removeAll() {
    activities = [:]
    changed = []
  }

  mutating func take(_ activity: ActivityView) {
    let key = Key(owner: activity.owner, id: ActivityID(stored: activity.rawID))
    changed.remove(key)
    if activity.state == "dismissed" {
      activities[key] = nil
    } else {
      activities[key] = activity
    }
  }

  mutating func note(_ event: EventView) {
    guard !event.rawID.isEmpty else { return }
    changed.insert(Key(owner: event.owner, id: ActivityID(stored: event.rawID)))
  }

  /// Reads what has changed: one by one, or all at once where that is less.
  mutating func read(_ daemon: Daemon, _ monitor: MonitorParameters) throws(Failure) {
    guard changed.count <= 50 else { return try readAll(daemon, monitor) }
    for key in changed {
      var get = GetParameters(id: key.id)
      get.owner = key.owner
      do throws(Failure) {
        take(try daemon.activity(get))
      } catch  where error.code == .noSuchActivity || error.code == .notPermitted {
        activities[key] = nil
      }
    }
    changed = []
  }

  private mutating func readAll(
    _ daemon: Daemon, _ monitor: MonitorParameters
  ) throws(Failure) {
    var list = ListParameters()
    list.states = [.pending, .active, .stale, .ended]
    list.owner = monitor.owner
    list.everyOwner = monitor.everyOwner
    list.application = monitor.application
    var read = LiveTable()
    let wanted = monitor.ids.map(Set.init)
    try daemon.stream(list) { node throws(Failure) in
      for element in node["activities"]?.elements ?? node.elements {
        let activity = ActivityView(node: element)
        if wanted?.contains(ActivityID(stored: activity.rawID)) ?? true { read.take(activity) }
      }
    }
    self = read
  }

  /// The next deadline first; those without one last.
  var sorted: [ActivityView] {
    activities.values.sorted { LiveTable.order($0) < LiveTable.order($1) }
  }

  static func order(_ activity: ActivityView) -> (Int, Int64, String) {
    (activity.state == "ended" ? 1 : 0, activity.next?.date ?? .max, activity.rawID)
  }

  /// When something happens next, of each.
  var nextDates: [Int64] { activities.values.compactMap { $0.next?.date } }

  var count: Int { activities.count }
}
