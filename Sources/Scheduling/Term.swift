public import LiveActivity

/// A deadline, or how one will be found; which clock it is on is part of it.
public enum Term: Hashable, Sendable {
  /// There is none.
  case none
  /// A date on CLOCK_REALTIME; clock steps move it nearer or further.
  case date(WallTime)
  /// A span from the nominal start, while that is ahead.
  case fromStart(TimeSpan)
  /// An instant on this boot's CLOCK_BOOTTIME; no clock step moves it.
  case elapsed(BootTime)
  /// An elapsed instant of an earlier boot, kept on the wall clock until this boot's first time
  /// sync or step.
  case carried(WallTime)

  /// Whether there is none.
  public var isNone: Bool { self == .none }

  /// The date it comes to by a reading of the clocks; nil where there is none or the start that it
  /// counts from is not known.
  public func date(at reading: ClockReading, start: WallTime? = nil) -> WallTime? {
    switch self {
    case .none: nil
    case .date(let date), .carried(let date): date
    case .fromStart(let span):
      start.map { WallTime(microseconds: $0.microseconds.addingClamped(span.microseconds)) }
    case .elapsed(let instant):
      WallTime(microseconds: instant.microseconds.addingClamped(reading.offset))
    }
  }

  /// Whether it has been reached, by its own clock; a span from the start never has.
  public func isReached(at reading: ClockReading) -> Bool {
    switch self {
    case .none, .fromStart: false
    case .date(let date), .carried(let date): date <= reading.wall
    case .elapsed(let instant): instant <= reading.boottime
    }
  }

  /// A span from the nominal start becomes an instant on the clock that the start is on.
  func counted(from origin: Term) -> Term {
    guard case .fromStart(let span) = self else { return self }
    return switch origin {
    case .none, .fromStart: self
    case .date(let date):
      .date(WallTime(microseconds: date.microseconds.addingClamped(span.microseconds)))
    case .elapsed(let instant):
      .elapsed(BootTime(microseconds: instant.microseconds.addingClamped(span.microseconds)))
    case .carried(let date):
      .carried(WallTime(microseconds: date.microseconds.addingClamped(span.microseconds)))
    }
  }

  /// The same clock, so many microseconds later; a span from the start grows by them.
  func moved(by microseconds: Int64) -> Term {
    switch self {
    case .none: .none
    case .date(let date):
      .date(WallTime(microseconds: date.microseconds.addingClamped(microseconds)))
    case .fromStart(let span):
      .fromStart(TimeSpan(microseconds: span.microseconds.addingClamped(microseconds)))
    case .elapsed(let instant):
      .elapsed(BootTime(microseconds: instant.microseconds.addingClamped(microseconds)))
    case .carried(let date):
      .carried(WallTime(microseconds: date.microseconds.addingClamped(microseconds)))
    }
  }

  /// What was carried over from an earlier boot is an elapsed instant again, now that the clocks are
  /// known to differ by `offset` microseconds.
  func anchored(by offset: Int64) -> Term {
    guard case .carried(let date) = self else { return self }
    return .elapsed(BootTime(microseconds: date.microseconds.subtractingClamped(offset)))
  }

  /// A date that no longer moves, for what is over.
  func frozen(at reading: ClockReading, start: WallTime?) -> Term {
    guard let date = date(at: reading, start: start) else { return .none }
    return .date(date)
  }
}
