import LiveActivity
import Scheduling

@testable import SchedulerService

extension Model {
  // MARK: What is due

  private enum Due: Hashable {
    case life(Int64)
    case notice(Int64)
  }

  /// What fires, each with its millisecond as a wall date.
  private var due: [(what: Due, date: Int64)] {
    var due: [(Due, Int64)] = []
    for life in lives.values {
      if let date = life.terms.compactMap({ $0.when.firing(now) }).min() {
        due.append((.life(life.first), date))
      }
    }
    for notice in notices.values where notice.isOpen {
      if let date = notice.deadline.firing(now) { due.append((.notice(notice.number), date)) }
    }
    return due
  }

  /// When to wake up next, on each clock.
  var nextDeadlines: NextDeadlines {
    var next = NextDeadlines()
    let whens =
      lives.values.flatMap { $0.terms.map(\.when) }
      + notices.values.filter(\.isOpen).map(\.deadline)
    for when in whens {
      switch when {
      case .never, .span: break
      case .date(let date), .carried(let date):
        let tick = WallTime(microseconds: date.toMillisecond)
        next.wall = next.wall.map { min($0, tick) } ?? tick
      case .elapsed(let instant):
        let tick = BootTime(microseconds: instant.toMillisecond)
        next.boottime = next.boottime.map { min($0, tick) } ?? tick
      }
    }
    return next
  }

  /// Follows `told`, what came of letting time pass: each must be the next to fire, or one of those
  /// that are due at the same millisecond. Returns how many deadlines fired, and says what is wrong.
  mutating func advance(_ told: [ActivityEvent], limit: Int) throws(SimulationFailure) -> Int {
    var fired = 0
    let begin = batch.count
    while fired < limit {
      let waiting = due
      guard let earliest = waiting.map(\.date).min() else { break }
      let position = batch.count - begin
      guard position < told.count else {
        throw SimulationFailure("nothing fired, although due: \(waiting.map(\.what))")
      }
      let event = told[position]
      let next = waiting.first { $0.date == earliest && fires($0.what, event) }
      guard let next else {
        throw SimulationFailure(
          "fired out of turn: \(event.kind) of \(event.id ?? "") \(event.session ?? 0), "
            + "before \(waiting.filter { $0.date == earliest }.map(\.what))")
      }
      switch next.what {
      case .life(let first): fire(first)
      case .notice(let number): fireNotice(number)
      }
      fired += 1
    }
    return fired
  }

  private func fires(_ due: Due, _ event: ActivityEvent) -> Bool {
    switch due {
    case .life(let first):
      guard let life = lives[first], life.isMeant(event) else { return false }
      return event.kind != .alertSettled && event.kind != .alertSnoozed
    case .notice(let number):
      guard let notice = notices[number] else { return false }
      let kind = notice.isPutOff ? EventKind.alertSnoozed : .alertSettled
      return event.kind == kind && event.alertSequence == notice.original
    }
  }

  private mutating func fire(_ first: Int64) {
    guard var life = lives[first] else { return }
    // The earliest that has been reached; at one instant the first in the order of a life.
    var next: (deadline: Life.Deadline, date: Int64)?
    for (deadline, when) in life.terms where when.isReached(now) {
      if deadline == .reminder, life.start.isReached(now) { continue }
      guard let date = when.date(now) else { continue }
      if next.map({ date < $0.date }) ?? true { next = (deadline, date) }
    }
    guard let next else { return }
    switch next.deadline {
    case .start: start(&life, due: next.date, by: nil)
    case .reminder: remind(&life)
    case .plan: applyPlan(&life, due: next.date)
    case .next: leave(&life, .replaced, by: nil, due: next.date)
    case .stale: becomeStale(&life, due: next.date, by: nil)
    case .end: endByItself(&life, due: next.date, .ended)
    case .limit: endByItself(&life, due: next.date, .timeLimit)
    case .dismissal: dismiss(&life, at: next.date, due: next.date, by: nil)
    }
  }

  private mutating func endByItself(_ life: inout Life, due: Int64, _ reason: Reason) {
    let alert = life.endAlert
    let late = max(0, now.wall.microseconds - due)
    finish(&life, nominal: due, reason, by: nil) { event in
      event.dueDate = WallTime(microseconds: due)
      event.latenessMicroseconds = late
      event.alert = alert
    }
  }

  private mutating func fireNotice(_ number: Int64) {
    guard let notice = notices[number], var life = lives[notice.first] else { return }
    guard notice.isPutOff else { return settle(number, .expired, by: nil) }
    notices[number] = nil
    let due = notice.deadline.date(now)
    let late = due.map { max(0, now.wall.microseconds - $0) }
    let state = life.state
    let alert = notice.base.map { reworded($0, life) } ?? notice.alert
    emit(
      .alertSnoozed, &life, from: state, isChange: false, person: notice.person,
      base: notice.base
    ) { event in
      event.dueDate = due.map { WallTime(microseconds: $0) }
      event.latenessMicroseconds = late
      event.alert = alert
      event.alertSequence = notice.original
    }
  }

  // MARK: Clocks

  mutating func noteStep(_ step: Int64) {
    defer { if step < 0 { renewSeries() } }
    guard abs(step) >= settings.stepThreshold.microseconds else { return }
    sequence += 1
    var event = ActivityEvent(sequence: sequence, date: now.wall, kind: .clockStepped)
    event.stepMicroseconds = step
    batch.append(event)
  }

  /// The first sync or step of this boot: what is left of spans is taken from the wall clock.
  mutating func anchor() {
    guard boot.anchor == nil else { return }
    boot.anchor = now.offset
    boot.offset = now.offset
    settleOnBoottime()
  }

  mutating func seeClock() {
    if abs(now.offset - boot.offset) > 1000 { boot.offset = now.offset }
  }

  /// Nothing elapsed is left on the wall clock once this boot's can be trusted.
  mutating func settleOnBoottime() {
    guard let anchor = boot.anchor else { return }
    mapTerms { when in
      if case .carried(let date) = when { .elapsed(date - anchor) } else { when }
    }
  }

  private mutating func mapTerms(_ change: (When) -> When) {
    for (first, var life) in lives where life.state != .dismissed {
      life.mapTerms(change)
      lives[first] = life
    }
    for (number, var notice) in notices {
      notice.deadline = change(notice.deadline)
      notices[number] = notice
    }
  }

  /// The daemon starts with what is durable: in the same boot, or in another, whose elapsed clock
  /// begins anew.
  mutating func start(boot id: String, isSynchronised: Bool) {
    batch = []
    if id != boot.id {
      let offset = boot.offset
      mapTerms { when in
        if case .elapsed(let instant) = when { .carried(instant + offset) } else { when }
      }
      boot = Boot(id: id, offset: now.offset)
    }
    boot.offset = now.offset
    if isSynchronised, boot.anchor == nil { boot.anchor = now.offset }
    settleOnBoottime()
    orphans = lives.values.filter { $0.isBound && $0.state.isLive }.map(\.first).sorted()
  }
}
