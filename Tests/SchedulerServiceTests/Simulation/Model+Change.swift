import JSON
import LiveActivity
import SchedulerAPI
import Scheduling

@testable import SchedulerService

extension Model {
  func over(_ life: Life) -> SchedulerError {
    .activityOver(id: life.id, session: life.number, state: life.state, reason: life.reason)
  }

  /// What a handle says against a session.
  func conflicts(_ life: Life, session: Int64?, ifSequence: Int64? = nil) -> [SchedulerError] {
    let isRight =
      (session.map { $0 == life.number } ?? true)
      && (ifSequence.map { $0 == life.sequence } ?? true)
    return isRight ? [] : [.conflict(id: life.id, session: life.number, sequence: life.sequence)]
  }

  private func misstamps(_ life: Life, _ timestamp: WallTime?) -> [SchedulerError] {
    guard let timestamp = timestamp?.microseconds else { return [] }
    var errors: [SchedulerError] = []
    if timestamp > now.wall.microseconds + 86_400_000_000 { errors.append(Self.wrong("timestamp")) }
    if let applied = life.timestamp, timestamp < applied {
      errors.append(
        .outdated(
          timestamp: WallTime(microseconds: timestamp), applied: WallTime(microseconds: applied)))
    }
    return errors
  }

  /// The content state after a change; nil where it stays.
  private func changed(_ life: Life, _ content: Content?, _ patch: JSONText?) -> JSONText? {
    if let content { return content.state }
    guard let patch else { return nil }
    return Plain.merge(life.content, patch)
  }

  // MARK: Update

  /// `Update` of one session; whether it changed anything.
  mutating func update(
    _ first: Int64, _ call: UpdateParameters, _ text: JSONText, by peer: Peer
  ) -> Verdict<Bool> {
    guard var life = lives[first] else { return .refused([]) }
    var errors: [SchedulerError] = isFull ? [Self.full] : []
    errors += conflicts(life, session: call.session, ifSequence: call.ifSequence)
    if !life.state.isLive { errors.append(over(life)) }
    if peer.user != life.owner, !life.remoteUpdates {
      errors.append(.remoteUpdatesStopped(id: life.id))
    }
    errors += misstamps(life, call.timestamp)
    if errors.isEmpty, let timestamp = call.timestamp?.microseconds, timestamp == life.timestamp,
      life.stamped == text
    {
      return .done(false)
    }
    if let state = changed(life, call.content, call.patch) {
      errors += tooLarge(life.request.attributes, state)
      life.content = state
    }
    if let content = call.content {
      life.relevanceScore = content.relevanceScore
      life.stale = content.staleDate.map { .date($0.microseconds.toMillisecond) } ?? .never
    } else {
      if let score = call.relevanceScore { life.relevanceScore = score }
      if let date = call.staleDate { life.stale = .date(date.microseconds.toMillisecond) }
    }
    if let date = life.stale.date(now), life.state == .pending,
      call.content != nil || call.staleDate != nil, let start = life.start.date(now),
      date <= start
    {
      errors.append(Self.wrong("staleDate"))
    }
    guard errors.isEmpty else { return .refused(errors) }
    if let timestamp = call.timestamp {
      life.timestamp = timestamp.microseconds
      life.stamped = text
    }
    life.isChanged = true
    let state = life.state
    if state == .pending, let alert = call.alert { life.alert = alert }
    let shown = content(life, at: now)
    emit(.updated, &life, from: state) { event in
      event.by = peer.user
      event.content = shown
      if state != .pending { event.alert = call.alert }
    }
    if state != .pending { reviewStaleness(&life, by: peer.user) }
    return .done(true)
  }

  // MARK: End

  /// `End` of one session; whether it changed anything.
  mutating func end(
    _ first: Int64, _ call: EndParameters, _ text: JSONText, by peer: Peer
  ) -> Verdict<Bool> {
    guard var life = lives[first] else { return .refused([]) }
    var errors = conflicts(life, session: call.session)
    errors += life.state.isLive ? misstamps(life, call.timestamp) : []
    let isAgain =
      call.timestamp != nil && call.timestamp?.microseconds == life.timestamp
      && life.stamped == text
    if errors.isEmpty, isAgain { return .done(false) }
    if !life.state.isLive { errors.append(over(life)) }
    if life.state.isRunning, let state = changed(life, call.content, call.patch) {
      errors += tooLarge(life.request.attributes, state)
      life.content = state
    }
    guard errors.isEmpty else { return .refused(errors) }
    if let timestamp = call.timestamp {
      life.timestamp = timestamp.microseconds
      life.stamped = text
    }
    guard life.state.isRunning else {
      leave(&life, .ended, by: peer.user)
      return .done(true)
    }
    life.isChanged = true
    if let content = call.content {
      life.relevanceScore = content.relevanceScore
      life.stale = content.staleDate.map { .date($0.microseconds.toMillisecond) } ?? .never
    } else if let score = call.relevanceScore {
      life.relevanceScore = score
    }
    let changesContent = call.content != nil || call.patch != nil || call.relevanceScore != nil
    var isImmediate = call.dismissal == .immediate
    if case .after(let date) = call.dismissal {
      life.dismissal = .date(date.microseconds.toMillisecond)
      isImmediate = life.dismissal.isReached(now)
    }
    finish(&life, nominal: now.wall.microseconds, .ended, by: peer.user, changesContent, call.alert)
    if isImmediate { dismiss(&life, at: now.wall.microseconds, due: nil, by: peer.user) }
    return .done(true)
  }

  private mutating func finish(
    _ life: inout Life, nominal: Int64, _ reason: Reason, by: UserID?, _ changesContent: Bool,
    _ alert: Alert?
  ) {
    var over = life
    let start = over.start.date(now)
    over.stale = over.stale.frozen(now, start: start)
    let shown = content(over, at: now)
    finish(&life, nominal: nominal, reason, by: by) { event in
      if changesContent { event.content = shown }
      event.alert = alert
    }
  }

  mutating func dismiss(_ life: inout Life, at date: Int64, due: Int64?, by: UserID?) {
    let serie = life.serie
    life.serie = nil
    life.state = .dismissed
    life.dismissal = .date(date)
    life.limit = .never
    let late = due.map { max(0, now.wall.microseconds - $0) }
    emit(.dismissed, &life, from: .ended) { event in
      event.by = by
      event.dueDate = due.map { WallTime(microseconds: $0) }
      event.latenessMicroseconds = late
    }
    goOn(serie, after: life)
  }

  /// The connections that sessions were bound to are gone.
  mutating func endBound(_ firsts: [Int64]) {
    for first in firsts {
      guard var life = lives[first], life.state.isLive else { continue }
      if life.state == .pending {
        leave(&life, .ownerGone, by: nil)
      } else {
        life.isChanged = true
        finish(&life, nominal: now.wall.microseconds, .ownerGone, by: nil, false, nil)
      }
    }
  }

  // MARK: Reschedule

  mutating func reschedule(_ call: RescheduleParameters, by peer: Peer) -> Verdict<ActivityReply> {
    var errors: [SchedulerError] = isFull ? [Self.full] : []
    let owner = call.owner ?? peer.user
    if owner != peer.user, !peer.isAdmin { errors.append(Self.permission("owner")) }
    guard var life = life(call.id, of: owner) else {
      return .refused(errors + [.noSuchActivity(id: call.id.text)])
    }
    if let wall = call.wallStart, land.resolve(wall) == nil {
      errors.append(Self.wrong("start.local"))
    }
    errors += conflicts(life, session: call.session, ifSequence: call.ifSequence)
    guard life.state.isLive else { return .refused(errors + [over(life)]) }
    let isPending = life.state == .pending
    let isMoved = call.start != nil || call.wallStart != nil
    if !isPending, isMoved || call.alert != nil {
      errors.append(
        .alreadyStarted(id: life.id, session: life.number, state: life.state))
    }
    if isMoved, isPending {
      do {
        (life.start, life.localStart) =
          call.start == .after(TimeSpan(microseconds: 0))
          ? (.elapsed(now.boottime.microseconds), nil)
          : try startTerm(call.start, call.wallStart)
      } catch { return .refused(errors + error.errors) }
      renewNext(&life)
    }
    if let startBy = call.startBy { life.startBy = When(startBy) }
    if let stale = call.stale { life.stale = When(stale) }
    if let end = call.end { life.end = When(end) }
    if call.noEnd { life.end = .never }
    if let reminders = call.reminders {
      if !isPending {
        errors.append(.alreadyStarted(id: life.id, session: life.number, state: life.state))
      }
      life.setReminders(reminders.map(\.microseconds), now)
    } else if isMoved {
      life.renewReminders(now)
    }
    if !life.reminders.isEmpty, life.alert == nil, call.alert == nil {
      errors.append(Self.wrong("remindersUSec"))
    }
    let nominal = life.nominalStart(now) ?? now.wall.microseconds
    errors += misfits(
      start: nominal, startBy: isPending || call.startBy != nil ? life.startBy : .never,
      stale: isPending || call.stale != nil ? life.stale : .never,
      end: isPending ? life.end : .never)
    if !isPending, call.end != nil { errors += misfitsOfRunning(life, start: nominal) }
    guard errors.isEmpty else { return .refused(errors) }
    if let alert = call.alert { life.alert = alert }
    if let alert = call.endAlert { life.endAlert = alert }
    life.isChanged = true
    if !isPending {
      life.stale = life.stale.counted(from: life.origin)
      life.end = life.end.counted(from: life.origin)
    }
    let state = life.state
    let told = call.start == nil ? [] : waitingReminders(life.first)
    let shown = show(life, at: now)
    emit(.rescheduled, &life, from: state) { event in
      event.by = peer.user
      event.startDate = shown.startDate
      event.endDate = shown.endDate
      if call.wallStart != nil { event.localStart = shown.localStart }
    }
    withdraw(told, by: peer.user)
    life = lives[life.first] ?? life
    if isPending {
      if isMoved, life.start.isReached(now) {
        start(&life, due: nominal, by: peer.user)
      }
    } else {
      reviewStaleness(&life, by: peer.user)
    }
    return .done(ActivityReply(activity: show(life, at: now)))
  }
}
