import JSON
import LiveActivity
import SchedulerAPI
import Scheduling

@testable import SchedulerService

/// How a life repeats, as the model keeps it: every so many minutes of the hour in UTC, or hours of the
/// day in a zone that is whole hours east, whose dates are plain multiples.
struct Serie: Hashable {
  var rule: Repeat
  var until: Int64?
  var count: Int64?
  var made: Int64 = 1
  var slot: When
  var next = When.never
  var last: Int64?
  var skipped: Int64?
  var startBy: When
  var stale: When
  var end: When
  var reminders: [Int64]

  /// How far apart the calendar's dates are; nil where it counts elapsed time.
  var grid: Int64? { rule.calendar.flatMap(Serie.grid) }

  static func grid(_ calendar: String) -> Int64? {
    calendar.hasPrefix("*:0/")
      ? Int64(calendar.dropFirst(4)).map { $0 * Dice.minute }
      : Int64(calendar.dropFirst(2).prefix { $0 != ":" }).map { $0 * 60 * Dice.minute }
  }

  static func calendar(minutes: Int) -> String { "*:0/\(minutes)" }
  static func calendar(hours: Int) -> String { "0/\(hours):00" }
}

/// An update that waits.
struct Plan: Hashable {
  var due: When
  var row: Int64
  var by: UserID
  var call: UpdateParameters

  static func == (a: Plan, b: Plan) -> Bool { a.row == b.row && a.due == b.due }
  func hash(into hasher: inout Hasher) { hasher.combine(row) }
}

extension Model {
  // MARK: Dates

  /// The first date of a calendar after another one.
  private func date(of rule: Repeat, after date: Int64) -> Int64 {
    guard let grid = rule.calendar.flatMap(Serie.grid) else { return date }
    let east = land.east(of: rule)
    // Never below zero here: the earliest zone is twelve hours west, the dates are of this century.
    return ((date + east) / grid + 1) * grid - east
  }

  private func isWithin(_ serie: Serie, _ date: Int64?) -> Bool {
    guard let date, date <= WallTime.latest.microseconds else { return false }
    return serie.until.map { date <= $0 } ?? true
  }

  /// How often a span has passed since an instant, on its own clock.
  private func passed(_ span: Int64, since slot: When) -> Int64 {
    let time =
      if case .elapsed(let instant) = slot {
        now.boottime.microseconds - instant
      } else {
        now.wall.microseconds - (slot.date(now) ?? 0)
      }
    return time < 0 ? -1 : time / span
  }

  func following(_ serie: Serie, from slot: When) -> When {
    if let count = serie.count, serie.made >= count { return .never }
    var next = When.never
    if serie.grid != nil {
      let base = max(now.wall.microseconds, slot.date(now) ?? 0, serie.skipped ?? 0)
      next = .date(date(of: serie.rule, after: base))
    } else if let every = serie.rule.every?.microseconds {
      next = slot.later(by: max(1, passed(every, since: slot) + 1) * every)
    }
    return isWithin(serie, next.date(now)) ? next : .never
  }

  /// The one after a pending occurrence, wherever that was moved to.
  func following(_ serie: Serie, pendingFrom start: When) -> When {
    guard let moved = start.date(now), let slot = serie.slot.date(now), moved > slot else {
      return following(serie, from: serie.slot)
    }
    guard let every = serie.rule.every?.microseconds else { return following(serie, from: start) }
    return following(serie, from: serie.slot.later(by: (moved - slot) / every * every))
  }

  func renewNext(_ life: inout Life) {
    guard let serie = life.serie else { return }
    life.serie?.next = following(serie, pendingFrom: life.start)
  }

  private func lastReached(_ serie: Serie, from slot: When) -> When {
    if let grid = serie.grid {
      let limit = min(now.wall.microseconds, serie.until ?? .max)
      let last = date(of: serie.rule, after: limit) - grid
      return .date(max(slot.date(now) ?? 0, last))
    }
    guard let every = serie.rule.every?.microseconds else { return slot }
    let count = passed(every, since: slot)
    guard count > 0 else { return slot }
    let last = slot.later(by: count * every)
    return isWithin(serie, last.date(now)) ? last : slot
  }

  // MARK: Making one

  /// The series of a request and its first start; throws what is wrong with it.
  func newSerie(_ call: RequestParameters) throws(Refused) -> (Serie, When, LocalStart?) {
    guard let rule = call.repeats else { throw Refused([]) }
    var (start, local) = try startTerm(call.start, call.wallStart, allowPast: call.allowPast)
    var skipped: Int64?
    if rule.calendar != nil {
      land.know(rule)
      let isGiven = call.start != nil || call.wallStart != nil
      let base = isGiven ? (start.date(now) ?? 0) - 1 : now.wall.microseconds
      local = nil
      if isGiven { skipped = base }
      start = .date(date(of: rule, after: base))
      guard (start.date(now) ?? 0) <= WallTime.latest.microseconds else {
        throw Refused([Self.wrong("repeat.calendar")])
      }
    }
    var serie = Serie(
      rule: rule, until: rule.until?.microseconds, count: rule.count, slot: start,
      startBy: When(call.startBy), stale: When(call.stale), end: When(call.end),
      reminders: (call.reminders ?? []).map(\.microseconds))
    serie.skipped = skipped
    if let until = serie.until, (start.date(now) ?? now.wall.microseconds) > until {
      throw Refused([Self.wrong("repeat.untilDate")])
    }
    serie.next = following(serie, from: start)
    return (serie, start, local)
  }

  /// What may not be a date where it repeats.
  func dated(_ serie: Serie) -> [SchedulerError] {
    [(serie.startBy, "startByDate"), (serie.stale, "staleDate"), (serie.end, "endDate")]
      .compactMap { when, field in
        if case .date = when { Self.wrong(field) } else { nil }
      }
  }

  /// An occurrence starts; its nominal date.
  mutating func begin(_ life: inout Life, due: Int64) -> Int64 {
    guard var serie = life.serie else { return due }
    var due = due
    if life.start == serie.slot {
      let reached = lastReached(serie, from: serie.slot)
      due = reached.date(now) ?? due
      life.start = reached
      serie.slot = reached
      if serie.grid == nil {
        serie.slot = .elapsed(now.boottime.microseconds - max(0, now.wall.microseconds - due))
      }
    }
    if serie.grid != nil { serie.last = serie.slot.date(now) }
    serie.next = following(serie, from: serie.slot)
    life.serie = serie
    return due
  }

  /// The next occurrence of a series whose last one has gone.
  mutating func goOn(_ serie: Serie?, after old: Life) {
    guard var serie, serie.next != .never else { return }
    var sent = old.request
    (sent.id, sent.owner) = (nil, nil)
    var life = Life(
      first: sequence + 1, id: old.id, owner: old.owner, number: old.number + 1,
      createdDate: now.wall.microseconds, made: sent.canonical, request: old.request,
      audience: old.audience, sequence: sequence + 1, isBound: false, start: serie.next)
    life.content = old.request.content?.state ?? .emptyObject
    life.relevanceScore = old.request.content?.relevanceScore
    life.alert = old.request.alert
    life.endAlert = old.request.endAlert
    (life.startBy, life.stale, life.end) = (serie.startBy, serie.stale, serie.end)
    serie.made += 1
    serie.slot = life.start
    serie.next = following(serie, from: serie.slot)
    life.serie = serie
    life.setReminders(serie.reminders, now)
    let shown = show(life, at: now)
    emit(.scheduled, &life, from: .pending) { event in
      event.from = nil
      event.activity = shown
      event.startDate = shown.startDate
      event.endDate = shown.endDate
    }
  }

  // MARK: Clocks

  /// The clock went back, the daemon starts, or zones have changed, which is the cause then.
  mutating func renewSeries(cause: (Repeat) -> MoveCause? = { _ in nil }) {
    for first in lives.values.filter({ $0.serie != nil }).map(\.first).sorted() {
      guard var life = lives[first], var serie = life.serie, serie.grid != nil else { continue }
      let isPending = life.state == .pending
      if isPending, life.start != serie.slot { continue }
      let wall = now.wall.microseconds
      guard let current = (isPending ? serie.slot : serie.next).date(now), current > wall else {
        continue
      }
      var base = max(wall, serie.skipped ?? 0)
      if let last = serie.last, last > wall, last - wall < current - last { base = max(base, last) }
      let date = When.date(date(of: serie.rule, after: base))
      guard isWithin(serie, date.date(now)) else { continue }
      let before = (life.start, serie.next)
      if isPending {
        life.start = date
        serie.slot = date
        serie.next = following(serie, from: date)
      } else {
        serie.next = date
      }
      guard before != (life.start, serie.next) else { continue }
      life.serie = serie
      let isMoved = life.start != before.0
      let told = isMoved ? waitingReminders(first) : []
      if isMoved { life.renewReminders(now) }
      let state = life.state
      let shown = show(life, at: now)
      let cause = isMoved ? cause(serie.rule) : nil
      let former = cause == nil ? nil : self.date(before.0, at: now)
      emit(.rescheduled, &life, from: state) { event in
        event.startDate = shown.startDate
        event.endDate = shown.endDate
        event.formerStartDate = former
        event.cause = cause
      }
      withdraw(told, by: nil)
    }
  }

  // MARK: Skipping

  mutating func skip(_ first: Int64, session: Int64?, by peer: Peer) -> Verdict<WallTime> {
    guard var life = lives[first] else { return .refused([]) }
    var errors: [SchedulerError] = isFull ? [Self.full] : []
    errors += conflicts(life, session: session)
    if life.state == .dismissed { errors.append(over(life)) }
    let none = SchedulerError.noNextOccurrence(id: life.id)
    let isPending = life.state == .pending
    guard errors.isEmpty, var serie = life.serie,
      var date = (isPending ? life.start : serie.next).date(now)
    else { return .refused(errors.isEmpty ? [none] : errors) }
    if isPending { date = max(date, serie.slot.date(now) ?? 0) }
    serie.skipped = date
    var without = serie
    without.made -= 1
    let next =
      isPending
      ? following(without, pendingFrom: life.start) : following(serie, from: serie.next)
    let state = life.state
    if isPending, next == .never {
      leave(&life, .cancelled, by: peer.user, endsSeries: true)
      return .done(WallTime(microseconds: date))
    }
    if isPending {
      life.start = next
      life.localStart = nil
      serie.slot = next
      serie.next = following(serie, from: next)
    } else {
      serie.next = next
    }
    life.serie = serie
    let told = isPending ? waitingReminders(first) : []
    if isPending { life.renewReminders(now) }
    let shown = show(life, at: now)
    emit(.skipped, &life, from: state) { event in
      event.by = peer.user
      event.skippedDate = WallTime(microseconds: date)
      event.startDate = isPending ? shown.startDate : shown.nextStartDate
    }
    withdraw(told, by: peer.user)
    return .done(WallTime(microseconds: date))
  }
}

extension When {
  func later(by span: Int64) -> When {
    switch self {
    case .never: .never
    case .date(let date): .date(date + span)
    case .span(let length): .span(length + span)
    case .elapsed(let instant): .elapsed(instant + span)
    case .carried(let date): .carried(date + span)
    }
  }
}
