import JSON
import LiveActivity
import SchedulerAPI

@testable import SchedulerService

extension Life {
  /// When a reminder comes.
  func when(_ before: Int64) -> When { start.later(by: -before) }

  mutating func setReminders(_ spans: [Int64], _ now: ClockReading) {
    reminders = Set(spans).sorted(by: >).map { ($0, .ahead) }
    renewReminders(now)
  }

  mutating func renewReminders(_ now: ClockReading) {
    for index in reminders.indices {
      reminders[index].state = when(reminders[index].before).isReached(now) ? .skipped : .ahead
    }
  }

  /// The next reminder and the planned updates, with what goes before and after them.
  var aheadTerms: [(deadline: Deadline, when: When)] {
    var terms: [(deadline: Deadline, when: When)] = []
    if state == .pending, let next = reminders.first(where: { $0.state == .ahead }) {
      terms.append((.reminder, when(next.before)))
    }
    if state.isLive { terms += plans.map { (.plan, $0.due) } }
    return terms
  }

  /// Whether it has ended, and another occurrence follows.
  var goesOn: Bool { state == .ended && serie.map { $0.next != .never } == true }

  var nextTerm: [(deadline: Deadline, when: When)] {
    guard state != .pending, state != .dismissed, let serie else { return [] }
    return [(.next, serie.next)]
  }
}

extension Model {
  /// The reminders of a session that somebody waits for.
  func waitingReminders(_ first: Int64) -> [Int64] {
    waiting(first).filter { notices[$0]?.base != nil }
  }

  /// Those that are due: the nearest to the start speaks for all.
  mutating func remind(_ life: inout Life) {
    var told: Int?
    for index in life.reminders.indices where life.reminders[index].state == .ahead {
      guard life.when(life.reminders[index].before).isReached(now) else { break }
      life.reminders[index].state = .skipped
      told = index
    }
    guard let told else { return }
    life.reminders[told].state = .told
    let due = life.when(life.reminders[told].before).date(now) ?? 0
    let before = waitingReminders(life.first)
    let base = life.alert
    let alert = base.map { reworded($0, life) }
    let start = life.start.date(now).map { WallTime(microseconds: $0) }
    let late = max(0, now.wall.microseconds - due)
    emit(.reminded, &life, from: .pending, isChange: false, base: base) { event in
      event.dueDate = WallTime(microseconds: due)
      event.latenessMicroseconds = late
      event.startDate = start
      event.alert = alert
    }
    withdraw(before, by: nil)
    life = lives[life.first] ?? life
  }

  /// The start alert with the distance, as long as the start is ahead.
  func reworded(_ alert: Alert, _ life: Life) -> Alert {
    guard let start = life.start.date(now), start > now.wall.microseconds else { return alert }
    return alert.reminding(of: TimeSpan(microseconds: start - now.wall.microseconds))
  }

  // MARK: Plans

  mutating func plan(_ first: Int64, _ call: UpdateParameters, by peer: Peer) -> Verdict<Bool> {
    guard var life = lives[first] else { return .refused([]) }
    var errors: [SchedulerError] = isFull ? [Self.full] : []
    errors += conflicts(life, session: call.session, ifSequence: call.ifSequence)
    if !life.state.isLive { errors.append(over(life)) }
    if peer.user != life.owner, !life.remoteUpdates {
      errors.append(.remoteUpdatesStopped(id: life.id))
    }
    if let state = call.content?.state ?? call.patch {
      errors += tooLarge(life.request.attributes, state)
    }
    if call.discardsPlanned { life.plans = [] }
    if let moment = call.due {
      var due = When(moment)
      if life.state.isRunning { due = due.counted(from: life.origin) }
      let start = life.nominalStart(now) ?? now.wall.microseconds
      if let date = due.date(now, start: start) {
        let latest = (start + settings.activeMax.microseconds).toMillisecond
        let end = life.end.date(now, start: start) ?? .max
        if date <= now.wall.microseconds || date > end || date > latest || life.plans.count >= 64
          || date > WallTime.latest.microseconds
        {
          errors.append(Self.wrong(moment.span == nil ? "at" : "afterUSec"))
        }
      }
      life.plans.append(Plan(due: due, row: sequence + 1, by: peer.user, call: call))
    }
    guard errors.isEmpty else { return .refused(errors) }
    life.isChanged = true
    let state = life.state
    emit(.updatePlanned, &life, from: state) { $0.by = peer.user }
    return .done(true)
  }

  mutating func applyPlan(_ life: inout Life, due: Int64) {
    let dates = life.plans.map { $0.due.date(now) ?? .max }
    guard let date = dates.min(), let index = dates.firstIndex(of: date) else { return }
    let call = life.plans.remove(at: index).call
    if let content = call.content {
      life.content = content.state
      life.relevanceScore = content.relevanceScore
      life.stale = content.staleDate.map { .date($0.microseconds.toMillisecond) } ?? .never
    } else {
      if let patch = call.patch {
        let merged = Plain.merge(life.content, patch)
        if tooLarge(life.request.attributes, merged).isEmpty { life.content = merged }
      }
      if let score = call.relevanceScore { life.relevanceScore = score }
      if let date = call.staleDate { life.stale = .date(date.microseconds.toMillisecond) }
    }
    let state = life.state
    if state == .pending, let alert = call.alert { life.alert = alert }
    let shown = content(life, at: now)
    let late = max(0, now.wall.microseconds - due)
    emit(.updated, &life, from: state) { event in
      event.dueDate = WallTime(microseconds: due)
      event.latenessMicroseconds = late
      event.content = shown
      if state != .pending { event.alert = call.alert }
    }
    if state != .pending { reviewStaleness(&life, by: nil) }
  }

  func showPlans(_ life: Life, at reading: ClockReading) -> [PlannedUpdate] {
    let start = life.nominalStart(reading)
    let dated = life.plans.map { ($0, $0.due.date(reading, start: start) ?? .max) }
    return dated.sorted { ($0.1, $0.0.row) < ($1.1, $1.0.row) }.map { plan, date in
      var shown = PlannedUpdate(sequence: plan.row, date: WallTime(microseconds: date))
      shown.content = plan.call.content
      shown.content?.staleDate = plan.call.content?.staleDate.map {
        WallTime(microseconds: $0.microseconds)
      }
      if plan.call.content == nil {
        shown.patch = plan.call.patch
        shown.relevanceScore = plan.call.relevanceScore
        shown.staleDate = plan.call.staleDate
      }
      shown.alert = plan.call.alert
      return shown
    }
  }
}
