import LiveActivity
import SchedulerAPI

/// A date, or how one will be found, as the model keeps it. Plain microseconds throughout.
enum When: Hashable {
  case never
  /// On the wall clock.
  case date(Int64)
  /// From the nominal start, which is not known yet.
  case span(Int64)
  /// On this boot's elapsed clock.
  case elapsed(Int64)
  /// Elapsed, of an earlier boot: on the wall clock until this boot's first sync or step.
  case carried(Int64)

  init(_ moment: Moment?) {
    switch moment {
    case nil: self = .never
    case .at(let date): self = .date(date.microseconds.toMillisecond)
    case .after(let span): self = .span(span.microseconds)
    }
  }

  /// The date that it comes to by a reading of the clocks.
  func date(_ now: ClockReading, start: Int64? = nil) -> Int64? {
    switch self {
    case .never: nil
    case .date(let date), .carried(let date): date
    case .span(let span): start.map { $0 + span }
    case .elapsed(let instant): instant + now.offset
    }
  }

  func isReached(_ now: ClockReading) -> Bool {
    switch self {
    case .never, .span: false
    case .date(let date), .carried(let date): date <= now.wall.microseconds
    case .elapsed(let instant): instant <= now.boottime.microseconds
    }
  }

  /// The millisecond at which it fires, as a wall date; nil where that is still ahead.
  func firing(_ now: ClockReading) -> Int64? {
    switch self {
    case .never, .span: return nil
    case .date(let date), .carried(let date):
      let tick = date.toMillisecond
      return tick <= now.wall.microseconds ? tick : nil
    case .elapsed(let instant):
      let tick = instant.toMillisecond
      return tick <= now.boottime.microseconds ? tick + now.offset : nil
    }
  }

  /// A span counts from the start, once that is on a clock.
  func counted(from origin: When) -> When {
    guard case .span(let span) = self else { return self }
    return switch origin {
    case .never, .span: self
    case .date(let date): .date(date + span)
    case .elapsed(let instant): .elapsed(instant + span)
    case .carried(let date): .carried(date + span)
    }
  }

  /// What it was when its session went over.
  func frozen(_ now: ClockReading, start: Int64?) -> When {
    date(now, start: start).map { .date($0) } ?? .never
  }
}

extension Int64 {
  /// Rounded up, so that nothing is early.
  var toMillisecond: Int64 {
    let rest = ((self % 1000) + 1000) % 1000
    return rest == 0 ? self : self + 1000 - rest
  }
}
