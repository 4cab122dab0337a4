public import LiveActivity

/// How a series repeats.
public enum RepeatRule: Hashable, Sendable {
  /// At the dates of a calendar expression, by the rules of a zone.
  case calendar(String, zone: String)
  /// So long after the nominal start before, in elapsed time.
  case every(TimeSpan)
}

/// What the occurrences of a series begin with, beside the texts that the request holds.
public struct SeriesTemplate: Hashable, Sendable {
  /// The start-by, stale and end dates: spans from the start, or none.
  public var startBy = Term.none
  public var stale = Term.none
  public var end = Term.none
  /// Whether there is a start alert.
  public var hasAlert = false
  /// Whether there is an end alert.
  public var hasEndAlert = false
  /// Whether its audience is wider than its owner.
  public var isShared = false
  /// Whether each start wakes the machine.
  public var wakes = false
  /// The channel that it listens to.
  public var channel: String?
  /// The reminders.
  public var reminders: [TimeSpan] = []

  init() {}
}

/// A series, as its current session carries it; the next occurrence takes it over.
public struct Series: Hashable, Sendable {
  /// How it repeats.
  public var rule: RepeatRule
  /// No occurrence starts after this date.
  public var until: WallTime?
  /// How many occurrences there are to be.
  public var count: Int64?
  /// How many there have been, this one included.
  public var made: Int64 = 1
  /// The date of the rule that this occurrence stands for, wherever its start was moved.
  public var slot: Term
  /// The occurrence after this one; none where there is none left.
  public var next = Term.none
  /// The last date of a calendar that has come.
  public var last: WallTime?
  /// Only later dates come: a date that was skipped, or the last moment before the one from which on
  /// it was asked for.
  public var skipped: WallTime?
  /// What each occurrence begins with.
  public var template = SeriesTemplate()

  init(rule: RepeatRule, slot: Term) {
    self.rule = rule
    self.slot = slot
  }

  /// Puts another term in the place of each.
  mutating func mapTerms(_ change: (Term) -> Term) {
    slot = change(slot)
    next = change(next)
  }
}

/// A request for a series.
public struct SeriesRequest: Hashable, Sendable {
  /// How it repeats.
  public var rule: RepeatRule
  /// No occurrence starts after this date.
  public var until: WallTime?
  /// How many occurrences there are to be.
  public var count: Int64?

  /// A series of that rule.
  public init(rule: RepeatRule, until: WallTime? = nil, count: Int64? = nil) {
    self.rule = rule
    self.until = until
    self.count = count
  }
}

extension Session {
  /// The date of the occurrence after this one, by a reading of the clocks.
  public func nextStartDate(at reading: ClockReading) -> WallTime? {
    aside.series?.next.date(at: reading)
  }

  /// Whether a series goes on after it.
  public var hasNext: Bool { hasAside && aside.series.map { !$0.next.isNone } ?? false }
}
