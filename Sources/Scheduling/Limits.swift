public import LiveActivity

/// What the core is held to; the configuration's `[Limits]` and `[Alerts]`.
public struct Limits: Hashable, Sendable {
  /// How long a session may be active.
  public var active = TimeSpan.seconds(8 * 3600)
  /// How long a session stays after its end.
  public var ended = TimeSpan.seconds(4 * 3600)
  /// Sessions not dismissed that an ordinary user may have.
  public var activitiesPerUser = 10_000
  /// Unsettled alerts that an ordinary user may have.
  public var unsettledAlertsPerUser = 1000
  /// How long an alert waits for somebody to show it.
  public var alertTimeToLive = TimeSpan.seconds(15 * 60)
  /// A clock step of less is no event.
  public var stepThreshold = TimeSpan.seconds(1)
  /// How far ahead of the clock a timestamp may be.
  public var timestampAhead = TimeSpan.seconds(24 * 3600)

  /// The defaults.
  public init() {}
}
