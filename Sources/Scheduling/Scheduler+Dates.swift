internal import LiveActivity
public import TimeExpressions

// When a series comes: the one place that says so, for the wheel and for what is shown.
extension Scheduler {
  /// What occurrences are apart at least, in microseconds: a calendar that is finer than a second
  /// comes once a second.
  static let shortestRepeat: Int64 = 1_000_000

  /// The rules of a zone that series name; dates that follow from older rules stay until
  /// `renewSeries`.
  public mutating func setZone(_ name: String, _ rules: TimeZoneRules) { zones[name] = rules }

  /// The zones whose rules are known.
  public var knownZones: [String: TimeZoneRules] { zones }

  /// The first date of a calendar after another one; nil where there is none, or where the zone's
  /// rules are not known.
  mutating func calendarDate(
    _ text: String, _ zone: String, after date: WallTime
  ) -> WallTime? {
    guard let rules = zones[zone] else { return nil }
    if calendars[text] == nil {
      if calendars.count > 10_000 { calendars = [:] }
      calendars[text] = try? CalendarExpression.parse(text)
    }
    guard let next = calendars[text]?.next(after: date.microseconds, in: rules) else { return nil }
    let rounded = WallTime(microseconds: next.microseconds.roundedUpToMillisecond)
    return rounded <= .latest ? rounded : nil
  }

  /// The occurrence that follows a date of the rule, ahead of now; none where the series is over.
  mutating func following(_ series: Series, from slot: Term) -> Term {
    if let count = series.count, series.made >= count { return .none }
    let next: Term
    switch series.rule {
    case .calendar(let text, let zone):
      var base = now.wall
      if let date = slot.date(at: now) {
        base = max(
          base, WallTime(microseconds: date.microseconds.addingClamped(Self.shortestRepeat - 1)))
      }
      if let skipped = series.skipped { base = max(base, skipped) }
      // While nobody knows the zone, a date that was known before stays.
      let isKept = zones[zone] == nil && series.next.date(at: now).map { $0 > base } ?? false
      if isKept { return series.next }
      next = calendarDate(text, zone, after: base).map { .date($0) } ?? .none
    case .every(let span):
      next = slot.moved(by: max(1, steps(of: span, since: slot) + 1), times: span)
    }
    return isWithin(series, next) ? next : .none
  }

  /// The occurrence after a pending one, wherever somebody moved that to.
  mutating func following(_ series: Series, pendingFrom start: Term) -> Term {
    guard let moved = start.date(at: now), let slot = series.slot.date(at: now), moved > slot else {
      return following(series, from: series.slot)
    }
    switch series.rule {
    case .calendar: return following(series, from: start)
    case .every(let span):
      let passed = moved.microseconds.subtractingClamped(slot.microseconds) / span.microseconds
      return following(series, from: series.slot.moved(by: passed, times: span))
    }
  }

  /// The start of a pending occurrence was moved: the next one comes after it.
  mutating func renewNext(_ session: inout Session) {
    guard var series = session.aside.series else { return }
    series.next = following(series, pendingFrom: session.start)
    session.aside.series = series
  }

  private func isWithin(_ series: Series, _ term: Term) -> Bool {
    guard let date = term.date(at: now), date <= .latest else { return false }
    return series.until.map { date <= $0 } ?? true
  }

  /// How often a span has passed since an instant, on its own clock; negative where that is ahead.
  private func steps(of span: TimeSpan, since slot: Term) -> Int64 {
    let passed: Int64
    switch slot {
    case .none, .fromStart: return 0
    case .date(let date), .carried(let date):
      passed = now.wall.microseconds.subtractingClamped(date.microseconds)
    case .elapsed(let instant):
      passed = now.boottime.microseconds.subtractingClamped(instant.microseconds)
    }
    guard passed >= 0, span.microseconds > 0 else { return -1 }
    return passed / span.microseconds
  }

  /// Of all dates of the rule from one that has come up to now, the last: a span of downtime makes
  /// one late occurrence. Takes some dozens of looks at the calendar, however long that was.
  mutating func lastReached(_ series: Series, from slot: Term) -> Term {
    switch series.rule {
    case .every(let span):
      let count = steps(of: span, since: slot)
      guard count > 0 else { return slot }
      let last = slot.moved(by: count, times: span)
      return isWithin(series, last) ? last : slot
    case .calendar(let text, let zone):
      let limit = series.until.map { min($0, now.wall) } ?? now.wall
      guard let first = slot.date(at: now), first < limit,
        let second = calendarDate(text, zone, after: first), second <= limit
      else { return slot }
      // Somewhere above `low` is a date that has come; above `high` is none.
      var (low, high) = (first.microseconds, limit.microseconds)
      var width: Int64 = 1_000_000
      while high - width > low {
        let middle = WallTime(microseconds: high - width)
        if calendarDate(text, zone, after: middle).map({ $0 <= limit }) ?? false {
          low = middle.microseconds
          break
        }
        width *= 2
      }
      while high - low > 1 {
        let middle = low + (high - low) / 2
        let next = calendarDate(text, zone, after: WallTime(microseconds: middle))
        if next.map({ $0 <= limit }) ?? false { low = middle } else { high = middle }
      }
      return calendarDate(text, zone, after: WallTime(microseconds: low)).map { .date($0) } ?? slot
    }
  }

  /// The date that a calendar's pending occurrence ought to have, for one that has another: the
  /// first one ahead that has not come yet. A clock that was set back by less than the occurrences
  /// are apart makes none of them come twice; by more, it is not believed when they came.
  mutating func dueDate(_ series: Series, instead current: WallTime) -> WallTime? {
    guard case .calendar(let text, let zone) = series.rule else { return nil }
    var base = now.wall
    if let skipped = series.skipped { base = max(base, skipped) }
    if let last = series.last, last > now.wall {
      let apart = current.microseconds.subtractingClamped(last.microseconds)
      if last.microseconds.subtractingClamped(now.wall.microseconds) < apart {
        base = max(
          base, WallTime(microseconds: last.microseconds.addingClamped(Self.shortestRepeat - 1)))
      }
    }
    guard let date = calendarDate(text, zone, after: base) else { return nil }
    return series.until.map { date <= $0 } ?? true ? date : nil
  }
}

extension Term {
  /// The same clock, so many times a span later; clamped where Int64 ends.
  fileprivate func moved(by count: Int64, times span: TimeSpan) -> Term {
    let (product, overflow) = count.multipliedReportingOverflow(by: span.microseconds)
    return moved(by: overflow ? .max : product)
  }
}
