public import LiveActivity

/// What few sessions have, kept beside what all have.
public struct Aside: Hashable, Sendable {
  /// What is told before the start, the first to come first; of a pending session only.
  public var reminders: [SessionReminder] = []
  /// The updates that are to come by themselves, in the order in which they were asked for.
  public var planned: [SessionUpdate] = []

  /// The series that it is an occurrence of.
  public var series: Series?

  /// Nothing.
  public init() {}

  /// Whether there is nothing.
  public var isEmpty: Bool { reminders.isEmpty && planned.isEmpty && series == nil }
}

/// What a person is told some time before the start.
public struct SessionReminder: Hashable, Sendable {
  /// How long before the start.
  public var before: TimeSpan
  /// What has become of it.
  public var state: Reminder.State

  /// A reminder.
  public init(before: TimeSpan, state: Reminder.State = .ahead) {
    self.before = before
    self.state = state
  }

  /// Its deadline, by the start that it comes before.
  func term(before start: Term) -> Term {
    start.moved(by: Int64(0).subtractingClamped(before.microseconds))
  }
}

/// An update that is to come by itself.
public struct SessionUpdate: Hashable, Sendable {
  /// What it does to the content state.
  public enum Change: UInt8, Sendable {
    /// Nothing.
    case none
    /// Another takes its place; the row holds it.
    case whole
    /// The row holds what is merged into it then.
    case merged
  }

  /// When.
  public var due: Term
  /// The event that took it, which holds content and alert.
  public var row: Int64
  /// Who asked for it.
  public var by: UserID
  /// What it does to the content state.
  public var change: Change
  /// What becomes of the stale date.
  public var stale: StaleRule
  /// Whether it brings an alert.
  public var hasAlert: Bool

  /// An update.
  public init(
    due: Term, row: Int64, by: UserID, change: Change, stale: StaleRule = .keep,
    hasAlert: Bool = false
  ) {
    self.due = due
    self.row = row
    self.by = by
    self.change = change
    self.stale = stale
    self.hasAlert = hasAlert
  }
}

extension Session {
  /// The reminders with their dates, by a reading of the clocks.
  public func reminders(at reading: ClockReading) -> [Reminder] {
    aside.reminders.compactMap { reminder in
      reminder.term(before: start).date(at: reading).map {
        Reminder(before: reminder.before, date: max($0, .earliest), state: reminder.state)
      }
    }
  }

  /// The planned updates with their dates, the next one first.
  public func plannedUpdates(at reading: ClockReading) -> [(update: SessionUpdate, date: WallTime?)]
  {
    let start = nominalStart(at: reading)
    return aside.planned.map { ($0, $0.due.date(at: reading, start: start)) }
      .enumerated().sorted {
        let (a, b) = ($0.element.1 ?? .latest, $1.element.1 ?? .latest)
        return a != b ? a < b : $0.offset < $1.offset
      }
      .map { (update: $0.element.0, date: $0.element.1) }
  }

  /// Visits the terms of what stands beside the rest.
  @inline(__always)
  func visitAside(_ visit: (Deadline, Term) -> Void) {
    if state == .pending, let next = aside.reminders.first(where: { $0.state == .ahead }) {
      visit(.reminder, next.term(before: start))
    }
    guard state.isLive else { return }
    for update in aside.planned { visit(.planned, update.due) }
  }

  /// Visits the next occurrence, which comes after all else of the same instant.
  @inline(__always)
  func visitNext(_ visit: (Deadline, Term) -> Void) {
    guard state != .pending, state != .dismissed, let series = aside.series else { return }
    visit(.next, series.next)
  }

  /// The start is this from here on: reminders that are past already are skipped.
  mutating func renewReminders(at reading: ClockReading) {
    guard hasAside else { return }
    for index in aside.reminders.indices {
      let isPast = aside.reminders[index].term(before: start).isReached(at: reading)
      aside.reminders[index].state = isPast ? .skipped : .ahead
    }
  }

  /// The reminders are these from here on.
  mutating func setReminders(_ spans: [TimeSpan], at reading: ClockReading) {
    aside.reminders = Set(spans).sorted { $0.microseconds > $1.microseconds }
      .map { SessionReminder(before: $0) }
    renewReminders(at: reading)
  }
}
