internal import LiveActivity
internal import SchedulerAPI

/// Whether this program may have activities.
public final class ActivityAuthorizationInfo: Sendable {
  private let link: DaemonLink

  /// Of this program, in the daemon that is meant here.
  public init() { link = DaemonLink.current }

  /// Whether requests are taken: the person has not switched this application's off
  /// (`laschedctl disable`), and there is a daemon.
  public var areActivitiesEnabled: Bool { ActivityAuthorizationInfo.isEnabled(link) }

  /// Whether requests are taken, now and whenever that changes.
  public var activityEnablementUpdates: ActivitySequence<Bool> {
    let link = link
    return ActivitySequence {
      link.monitor.begin()
      return link.monitor.enablements(now: ActivityAuthorizationInfo.isEnabled(link))
    } _: { (_: Bool) in
      ActivityAuthorizationInfo.isEnabled(link)
    }
  }

  private static func isEnabled(_ link: DaemonLink) -> Bool {
    var call = GetStatusParameters()
    call.application = link.daemon.application
    return (try? link.calls.call(call))?.activitiesEnabled ?? false
  }

  /// Whether more pushes of high priority are let through than usual: as the daemon's configuration
  /// says, type by type, so of a program as such it is not known, and false.
  public var frequentPushesEnabled: Bool { false }

  /// The same, which does not change while a program runs.
  public var frequentPushEnablementUpdates: ActivitySequence<Bool> {
    ActivitySequence {
      AsyncStream<Bool> { continuation in
        continuation.yield(false)
        continuation.finish()
      }
    } _: {
      $0
    }
  }
}
