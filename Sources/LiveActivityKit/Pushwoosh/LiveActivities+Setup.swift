internal import LiveActivity
internal import Synchronization

extension LiveActivities {
  /// Watches a type's activities, those there are and new ones, and tokens, and tells `server` of
  /// them. Of two activities that carry one Activity ID the newer stays. Doing it twice is doing it once.
  public static func setup<Attributes: PushwooshLiveActivityAttributes>(
    _ activityType: Attributes.Type
  ) {
    let link = DaemonLink.current
    let isNew = watched.withLock { watched in
      watched.insert(Watch(daemon: link.daemon, type: Activity<Attributes>.typeName)).inserted
    }
    guard isNew else { return }
    Task {
      for await token in Activity<Attributes>.pushToStartTokenUpdates {
        report(
          .startToken(token.hexadecimal, attributesType: Activity<Attributes>.typeName))
      }
    }
    Task {
      for await activity in Activity<Attributes>.activityUpdates {
        await endOlder(than: activity)
        Task {
          for await token in activity.pushTokenUpdates {
            report(.updateToken(token.hexadecimal, activityId: activity.id))
          }
        }
      }
      // The link was let go of: a new one may be watched anew.
      watched.withLock {
        _ = $0.remove(Watch(daemon: link.daemon, type: Activity<Attributes>.typeName))
      }
    }
  }

  private struct Watch: Hashable, Sendable {
    let daemon: LiveActivityDaemon
    let type: String
  }

  private static let watched = Mutex<Set<Watch>>([])

  /// The daemon has one activity an ID; others may carry the same ID in their attributes.
  private static func endOlder<Attributes: PushwooshLiveActivityAttributes>(
    than activity: Activity<Attributes>
  ) async {
    let carried = activity.attributes.pushwoosh.activityId
    let created = activity.record.activity.createdDate
    for other in Activity<Attributes>.activities
    where other.id != activity.id && other.attributes.pushwoosh.activityId == carried
      && other.record.activity.createdDate <= created
    {
      await other.end(nil, dismissalPolicy: .immediate)
    }
  }
}
