import JSON
import LiveActivity
import SchedulerAPI
import Scheduling
import Varlink

@testable import SchedulerService

extension Model {
  static func permission(_ what: String) -> SchedulerError { .notPermitted(why: what) }
  static let full = SchedulerError.storeUnavailable(why: "the disk is full")

  static func wrong(_ field: String) -> SchedulerError {
    .invalidDate(field: field, value: "", why: "")
  }

  /// `Request` for an ID; `audience` is what its names come to.
  mutating func request(
    _ call: RequestParameters, id: ActivityID, by peer: Peer, audience: ResolvedAudience
  ) -> Verdict<RequestReply> {
    var errors: [SchedulerError] = isFull ? [Self.full] : []
    let owner = call.owner ?? peer.user
    if owner != peer.user, !peer.isAdmin { errors.append(Self.permission("owner")) }
    if call.audience?.isEmpty == false, !peer.isAdmin { errors.append(Self.permission("audience")) }
    errors += refusals(of: call, owner: owner)
    // It is resolved whether it comes to count or not.
    if let wall = call.wallStart, land.resolve(wall) == nil {
      errors.append(Self.wrong("start.local"))
    }
    let current = life(id, of: owner)
    var sent = call
    sent.id = nil
    sent.owner = nil
    guard let live = current, live.state.isLive || live.goesOn else {
      errors += tooLarge(call.attributes, call.content?.state)
      return create(call, sent.canonical, id, owner, audience, by: peer, after: current, errors)
    }
    let repeatsWork = call.ifExists == .update || call.ifExists == .replace
    if live.made == sent.canonical, !live.isChanged || !repeatsWork {
      guard errors.isEmpty else { return .refused(errors) }
      return .done(RequestReply(activity: show(live, at: now), created: false))
    }
    let exists = SchedulerError.activityExists(id: live.id, session: live.number, state: live.state)
    switch call.ifExists {
    case .fail:
      errors += tooLarge(call.attributes, call.content?.state)
      return .refused(errors + [exists])
    case .keep:
      errors += tooLarge(call.attributes, call.content?.state)
      guard errors.isEmpty else { return .refused(errors) }
      return .done(RequestReply(activity: show(live, at: now), created: false))
    case .replace:
      errors += tooLarge(call.attributes, call.content?.state)
      return create(call, sent.canonical, id, owner, audience, by: peer, after: live, errors)
    case .update:
      guard live.state.isLive else {
        errors += tooLarge(call.attributes ?? live.request.attributes, call.content?.state)
        return .refused(errors + [over(live)])
      }
      if let type = call.attributesType, type != live.request.type { errors.append(exists) }
      if let attributes = call.attributes, attributes != live.request.attributes ?? .emptyObject {
        errors.append(exists)
      }
      if call.bound, live.state == .pending, live.serie != nil {
        errors.append(.service(.invalidParameter("bound")))
      }
      return update(live, call, by: peer, audience: audience, errors)
    }
  }

  private func refusals(of call: RequestParameters, owner: UserID) -> [SchedulerError] {
    let type = call.attributesType ?? Activity.defaultAttributesType
    let keys = [
      EnabledKey(owner: owner), EnabledKey(owner: owner, attributesType: type),
      EnabledKey(owner: owner, application: call.application),
      EnabledKey(owner: owner, attributesType: type, application: call.application),
    ]
    var errors: [SchedulerError] = keys.filter { disabled.contains($0) }.map {
      .activitiesDisabled(attributesType: $0.attributesType, application: $0.application)
    }
    if !settings.isEnabled {
      errors.append(.activitiesDisabled(attributesType: nil, application: nil))
    }
    return errors
  }

  func tooLarge(_ attributes: JSONText?, _ state: JSONText?) -> [SchedulerError] {
    let bytes = (attributes?.byteCount ?? 2) + (state?.byteCount ?? 2)
    guard bytes > settings.payloadMaxBytes else { return [] }
    return [.payloadTooLarge(bytes: Int64(bytes), limit: Int64(settings.payloadMaxBytes))]
  }

  // MARK: Dates

  /// The start of a rule; throws what is wrong with it.
  func startTerm(_ moment: Moment?) throws(Refused) -> When {
    switch moment {
    case nil: return .date(now.wall.microseconds)
    case .at(let date):
      let start = date.microseconds.toMillisecond
      let error = SchedulerError.startDateNotInFuture(
        startDate: WallTime(microseconds: start), now: now.wall)
      guard start > now.wall.microseconds else { throw Refused([error]) }
      guard start <= WallTime.latest.microseconds else { throw Refused([Self.wrong("start.at")]) }
      return .date(start)
    case .after(let span):
      let instant = now.boottime.microseconds + span.microseconds
      let date = now.wall.microseconds + span.microseconds
      guard span.microseconds > 0 else {
        throw Refused([
          .startDateNotInFuture(startDate: WallTime(microseconds: date), now: now.wall)
        ])
      }
      guard date <= WallTime.latest.microseconds else {
        throw Refused([Self.wrong("start.afterUSec")])
      }
      return .elapsed(instant.toMillisecond)
    }
  }

  /// What does not fit with a start.
  func misfits(start: Int64, startBy: When, stale: When, end: When) -> [SchedulerError] {
    var errors: [SchedulerError] = []
    func fits(_ date: Int64?, _ field: String, _ rule: (Int64) -> Bool) {
      guard let date else { return }
      let range = WallTime.earliest.microseconds...WallTime.latest.microseconds
      if !range.contains(date) || !rule(date) { errors.append(Self.wrong(field)) }
    }
    let latest = (start + settings.activeMax.microseconds).toMillisecond
    fits(startBy.date(now, start: start), "startByDate") { $0 >= start }
    fits(stale.date(now, start: start), "staleDate") { $0 > start }
    fits(end.date(now, start: start), "endDate") { $0 > start && $0 <= latest }
    return errors
  }

  // MARK: Creating

  private mutating func create(
    _ call: RequestParameters, _ made: JSONText, _ id: ActivityID, _ owner: UserID,
    _ audience: ResolvedAudience, by peer: Peer, after old: Life?, _ before: [SchedulerError]
  ) -> Verdict<RequestReply> {
    var errors = before
    let replaces = old.map { $0.state != .dismissed } ?? false
    let present = lives.values.filter { $0.owner == owner && $0.state != .dismissed }.count
    if !peer.isAdmin, present - (replaces ? 1 : 0) >= settings.activitiesPerUser {
      errors.append(.tooManyActivities(limit: Int64(settings.activitiesPerUser)))
    }
    var start: When
    var local: LocalStart?
    var serie: Serie?
    do {
      if call.repeats != nil {
        (serie, start, local) = try newSerie(call)
      } else {
        (start, local) = try startTerm(call.start, call.wallStart, allowPast: call.allowPast)
      }
    } catch { return .refused(errors + error.errors) }
    if let serie { errors += dated(serie) }
    if call.reminders?.isEmpty == false, call.alert == nil {
      errors.append(Self.wrong("remindersUSec"))
    }
    let nominal = start.date(now) ?? now.wall.microseconds
    errors += misfits(
      start: nominal, startBy: When(call.startBy), stale: When(call.stale), end: When(call.end))
    guard errors.isEmpty else { return .refused(errors) }

    if var old, replaces { leave(&old, .replaced, by: peer.user, endsSeries: true) }
    var life = Life(
      first: sequence + 1, id: id.text, owner: owner, number: (old?.number ?? 0) + 1,
      createdDate: now.wall.microseconds, made: made, request: call, audience: audience,
      sequence: sequence + 1, isBound: call.bound, start: start)
    life.content = call.content?.state ?? .emptyObject
    life.relevanceScore = call.content?.relevanceScore
    life.alert = call.alert
    life.endAlert = call.endAlert
    life.localStart = local
    life.startBy = When(call.startBy)
    life.stale = When(call.stale)
    life.end = When(call.end)
    life.serie = serie
    if let reminders = call.reminders { life.setReminders(reminders.map(\.microseconds), now) }
    let shown = show(life, at: now)
    emit(.scheduled, &life, from: .pending) { event in
      event.from = nil
      event.by = peer.user
      event.activity = shown
      event.startDate = shown.startDate
      event.endDate = shown.endDate
    }
    let isNow = call.start == nil && call.wallStart == nil && call.repeats?.calendar == nil
    if isNow || call.allowPast && life.start.isReached(now) {
      self.start(&life, due: nominal, by: peer.user)
    }
    return .done(RequestReply(activity: show(life, at: now), created: true))
  }

  // MARK: Updating by request

  private mutating func update(
    _ live: Life, _ call: RequestParameters, by peer: Peer, audience: ResolvedAudience,
    _ before: [SchedulerError]
  ) -> Verdict<RequestReply> {
    var errors = before
    var life = live
    let isPending = live.state == .pending
    let isMoved = call.start != nil || call.wallStart != nil
    if peer.user != live.owner, !live.remoteUpdates {
      errors.append(.remoteUpdatesStopped(id: live.id))
    }
    errors += tooLarge(call.attributes ?? live.request.attributes, call.content?.state)
    if let content = call.content {
      life.content = content.state
      life.relevanceScore = content.relevanceScore
    }
    if call.content != nil || call.stale != nil { life.stale = When(call.stale) }
    if let end = call.end { life.end = When(end) }
    if let alert = call.endAlert { life.endAlert = alert }
    if isPending {
      if isMoved {
        do {
          (life.start, life.localStart) = try startTerm(
            call.start, call.wallStart, allowPast: call.allowPast)
        } catch { return .refused(errors + error.errors) }
        (life.request.start, life.request.wallStart) = (call.start, call.wallStart)
        renewNext(&life)
      }
      if let startBy = call.startBy { life.startBy = When(startBy) }
      if let alert = call.alert { life.alert = alert }
      if let application = call.application { life.request.application = application }
      if let actions = call.actions { life.request.actions = actions }
      if let channel = call.channel { life.request.channel = channel }
      if let names = call.audience {
        life.request.audience = names
        life.audience = audience
      }
      if call.bound { life.isBound = true }
      if let wake = call.wake { life.request.wake = wake }
      if let reminders = call.reminders {
        life.setReminders(reminders.map(\.microseconds), now)
        life.request.reminders = reminders
        life.serie?.reminders = reminders.map(\.microseconds)
      } else if isMoved {
        life.renewReminders(now)
      }
      if !life.reminders.isEmpty, life.alert == nil { errors.append(Self.wrong("remindersUSec")) }
      if let startBy = call.startBy { life.request.startBy = startBy }
      if let end = call.end { life.request.end = end }
      if let alert = call.alert { life.request.alert = alert }
      if let alert = call.endAlert { life.request.endAlert = alert }
      if let content = call.content { life.request.content = content }
      if call.content != nil || call.stale != nil {
        life.request.staleAfter = call.staleAfter
        if call.content == nil { life.request.content?.staleDate = nil }
      }
      if call.bound { life.request.bound = true }
      if var serie = life.serie {
        if call.startBy != nil { serie.startBy = When(call.startBy) }
        if call.content != nil || call.stale != nil { serie.stale = When(call.stale) }
        if call.end != nil { serie.end = When(call.end) }
        errors += dated(serie)
        life.serie = serie
      }
    }
    let nominal = life.nominalStart(now) ?? now.wall.microseconds
    if isPending {
      errors += misfits(start: nominal, startBy: life.startBy, stale: life.stale, end: life.end)
    } else if call.end != nil {
      errors += misfitsOfRunning(life, start: nominal)
    }
    guard errors.isEmpty else { return .refused(errors) }

    life.isChanged = true
    if life.state.isRunning {
      life.stale = life.stale.counted(from: life.origin)
      life.end = life.end.counted(from: life.origin)
    }
    let state = life.state
    let told = isPending && isMoved ? waitingReminders(life.first) : []
    life.sequence = sequence + 1
    let shown = show(life, at: now)
    emit(.updated, &life, from: state) { event in
      event.by = peer.user
      event.content = shown.content
      event.activity = shown
      event.startDate = shown.startDate
      event.endDate = shown.endDate
      if !isPending { event.alert = call.alert }
    }
    withdraw(told, by: peer.user)
    life = lives[life.first] ?? life
    if !isPending { reviewStaleness(&life, by: peer.user) }
    if isPending, isMoved, life.start.isReached(now) {
      start(&life, due: nominal, by: peer.user)
    }
    return .done(RequestReply(activity: show(life, at: now), created: false))
  }

  /// What does not fit of the end that a running session is to have.
  func misfitsOfRunning(_ life: Life, start: Int64) -> [SchedulerError] {
    var errors = misfits(start: start, startBy: .never, stale: .never, end: life.end)
    guard let date = life.end.date(now, start: start) else { return errors }
    let latest = life.limit.date(now).map { $0.toMillisecond } ?? .max
    if date <= now.wall.microseconds || date > latest { errors.append(Self.wrong("endDate")) }
    return errors
  }

  mutating func reviewStaleness(_ life: inout Life, by: UserID?) {
    let isPast = life.stale.isReached(now)
    if life.state == .stale, !isPast {
      life.state = .active
      emit(.fresh, &life, from: .stale) { $0.by = by }
    } else if life.state == .active, isPast, let due = life.stale.date(now) {
      becomeStale(&life, due: due, by: by)
    }
  }
}

/// What is wrong with a call; any one of these may be said.
struct Refused: Error {
  let errors: [SchedulerError]
  init(_ errors: [SchedulerError]) { self.errors = errors }
}

extension RequestParameters {
  var type: String { attributesType ?? Activity.defaultAttributesType }
}
