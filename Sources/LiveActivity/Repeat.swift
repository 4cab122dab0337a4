/// How an activity repeats; the interface's `Repeat`.
public struct Repeat: Hashable, Sendable {
  /// A calendar expression (systemd.time(7), CALENDAR EVENTS).
  public var calendar: String?
  /// The zone of a calendar that names none; the machine's where there is none.
  public var zone: String?
  /// Whether the calendar follows the machine's zone; then it has no `zone`.
  public var isFloating = false
  /// Otherwise: how long after the nominal start before, at least a second.
  public var every: TimeSpan?
  /// No occurrence starts after this date.
  public var until: WallTime?
  /// How many occurrences there are to be.
  public var count: Int64?

  /// At the dates of a calendar.
  public init(calendar: String, zone: String? = nil, isFloating: Bool = false) {
    self.calendar = calendar
    self.zone = zone
    self.isFloating = isFloating
  }

  /// So long after the nominal start before.
  public init(every: TimeSpan) { self.every = every }
}
