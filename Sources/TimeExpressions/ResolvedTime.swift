/// What an expression means once base time and zone are known.
public enum ResolvedTime: Hashable, Sendable {
  /// An instant.
  case date(ResolvedDate)
  /// An elapsed span, which counts from what the caller says; it fits between now and the year 9999.
  case span(microseconds: Int64)
}

/// An instant and how it was come to.
public struct ResolvedDate: Hashable, Sendable {
  /// Microseconds since 1970, UTC; 0 to `Instant.last`.
  public let microseconds: Int64
  /// The rules of the zone it was read in, whose `name` may be told: `Europe/Berlin`, `+01:00`, `UTC`.
  public let zone: TimeZoneRules
  /// The wall time that was asked for, before any adjustment and any sum; nil for `now`, `@SECONDS`.
  public let wallTime: CivilTime?
  /// How the zone came to be: said in the expression, or the caller's.
  public let isZoneGiven: Bool
  /// True when day or time was left out and the next one after now was taken.
  public let isNextOccurrence: Bool
  /// What was done to the wall time, or what else it could have meant; nil if nothing.
  public let adjustment: Adjustment?
}

/// Why an instant is not simply the wall time that was asked for.
public enum Adjustment: Hashable, Sendable {
  /// The zone's clocks skip that time: moved forward by the gap, so many seconds.
  case movedPastGap(bySeconds: Int64)
  /// The zone's clocks show that time twice; the first is taken. The offsets of both, in seconds.
  case firstOfTwo(offset: Int, laterOffset: Int)
  /// `:60` is the next second.
  case leapSecond

  /// Whether the instant shows another wall time than was asked for.
  public var isMove: Bool {
    switch self {
    case .firstOfTwo: false
    case .movedPastGap, .leapSecond: true
    }
  }

  /// One line for people: `clocks skip that time there; moved forward by 1h`.
  public var description: String {
    switch self {
    case .movedPastGap(let seconds):
      "clocks skip that time there; moved forward by "
        + TimeFormat.span(microseconds: seconds * 1_000_000)
    case .firstOfTwo(let offset, let later):
      "clocks show that time twice there; taken as the first (\(TimeFormat.offset(seconds: offset)), "
        + "not \(TimeFormat.offset(seconds: later)))"
    case .leapSecond: "second 60 is taken as the next second"
    }
  }
}

extension Adjustment: CustomStringConvertible {}

/// The range of dates: 1970-01-01T00:00:00Z to 9999-12-31T23:59:59.999999Z.
public enum Instant {
  /// The last instant, in microseconds since 1970.
  public static let last: Int64 = 253_402_300_799_999_999
  static let lastSecond: Int64 = 253_402_300_799

  static let rangeHint = "dates are 1970-01-01 to 9999-12-31"
}
