import JSON
import LiveActivity
import SchedulerAPI
import Scheduling

@testable import SchedulerService

extension Model {
  // MARK: Cancel, stop

  /// `Cancel` of one session: the state it was found in, nil where nothing was left to do.
  mutating func cancel(
    _ first: Int64, session: Int64?, onlyThis: Bool = false, by peer: Peer
  ) -> Verdict<ActivityState?> {
    guard var life = lives[first] else { return .refused([]) }
    var errors = conflicts(life, session: session)
    if life.state == .dismissed {
      if errors.isEmpty, session != nil, life.isCancelled { return .done(nil) }
      errors.append(over(life))
    }
    guard errors.isEmpty else { return .refused(errors) }
    let state = life.state
    leave(&life, .cancelled, by: peer.user, endsSeries: !onlyThis)
    return .done(state)
  }

  /// `Stop` of one session; whether it changed anything.
  mutating func stop(_ first: Int64, session: Int64?, by peer: Peer) -> Verdict<Bool> {
    guard var life = lives[first] else { return .refused([]) }
    var errors = conflicts(life, session: session)
    if !life.state.isLive { errors.append(over(life)) }
    guard errors.isEmpty else { return .refused(errors) }
    guard life.remoteUpdates else { return .done(false) }
    life.remoteUpdates = false
    let owner = life.owner
    life.plans.removeAll { $0.by != owner }
    life.isChanged = true
    let state = life.state
    emit(.remoteUpdatesStopped, &life, from: state) { $0.by = peer.user }
    return .done(true)
  }

  // MARK: Dismiss, act

  mutating func dismiss(_ call: DismissParameters, by peer: Peer) -> Verdict<Bool> {
    guard var life = life(call.id, of: call.owner ?? peer.user), maySee(life, peer) else {
      return .refused([.noSuchActivity(id: call.id.text)])
    }
    var errors = conflicts(life, session: call.session)
    if life.state == .dismissed { errors.append(over(life)) }
    guard errors.isEmpty else { return .refused(errors) }
    if life.owner == peer.user || !life.audience.includes(peer) {
      leave(&life, .dismissedByPerson, by: peer.user)
      return .done(true)
    }
    // An admin sees it although it is off their screen: nothing is left to do.
    if hidden[life.first]?.contains(peer.user) == true { return .done(false) }
    let state = life.state
    emit(.dismissed, &life, from: state, isChange: false) { event in
      event.reason = .dismissedByPerson
      event.by = peer.user
    }
    for number in waiting(life.first) {
      guard var notice = notices[number] else { continue }
      if notice.person == peer.user {
        settle(number, .withdrawn, by: peer.user)
      } else if notice.person == nil, notice.settled[peer.user] == nil {
        notice.settled[peer.user] = .some(nil)
        notices[number] = notice
      }
    }
    hidden[life.first, default: []].insert(peer.user)
    return .done(true)
  }

  mutating func act(_ call: ActParameters, by peer: Peer) -> Verdict<Bool> {
    let full: [SchedulerError] = isFull ? [Self.full] : []
    guard var life = life(call.id, of: call.owner ?? peer.user), maySee(life, peer) else {
      return .refused(full + [.noSuchActivity(id: call.id.text)])
    }
    var errors = full + conflicts(life, session: call.session)
    if life.state == .dismissed { errors.append(over(life)) }
    if life.request.actions?.contains(where: { $0.name == call.action }) != true {
      errors.append(.noSuchAction(call.action))
    }
    guard errors.isEmpty else { return .refused(errors) }
    let state = life.state
    emit(.action, &life, from: state, isChange: false) { event in
      event.by = peer.user
      event.action = call.action
    }
    return .done(true)
  }

  // MARK: Alerts

  /// Whether a person has still to be told of an alert.
  func isOpen(_ notice: Notice, for peer: Peer) -> Bool {
    guard notice.isOpen, !notice.isPutOff, notice.settled[peer.user] == nil else { return false }
    if let person = notice.person { return person == peer.user }
    return lives[notice.first].map { $0.owner == peer.user || isInAudience($0, peer) } ?? false
  }

  private func known(_ number: Int64, to peer: Peer) -> (Notice, Life)? {
    guard let notice = notices[number], !notice.isPutOff, let life = lives[notice.first],
      life.owner == peer.user || isInAudience(life, peer)
    else { return nil }
    return (notice, life)
  }

  mutating func confirm(_ call: ConfirmAlertParameters, by peer: Peer) -> Verdict<Bool> {
    guard let (notice, _) = known(call.sequence, to: peer) else {
      return .refused([.noSuchAlert(sequence: call.sequence)])
    }
    guard isOpen(notice, for: peer) else { return .done(false) }
    settle(call.sequence, call.outcome, by: peer.user)
    return .done(true)
  }

  mutating func snooze(_ call: SnoozeAlertParameters, by peer: Peer) -> Verdict<WallTime> {
    var errors: [SchedulerError] = isFull ? [Self.full] : []
    let none = SchedulerError.noSuchAlert(sequence: call.sequence)
    guard var (notice, life) = known(call.sequence, to: peer) else {
      return .refused(errors + [none])
    }
    let isOthers = notice.isOpen && notice.person.map { $0 != peer.user } ?? false
    if isOthers || !mayPutOff(notice, peer.user) { errors.append(none) }
    if life.state == .dismissed { errors.append(over(life)) }
    let instant = (now.boottime.microseconds + call.span.microseconds).toMillisecond
    let due = WallTime(microseconds: instant + now.offset)
    if call.span.microseconds <= 0 || due > .latest { errors.append(Self.wrong("forUSec")) }
    guard errors.isEmpty else { return .refused(errors) }
    let state = life.state
    emit(.alertSnoozed, &life, from: state, isChange: false) { event in
      event.by = peer.user
      event.dueDate = due
      event.alertSequence = call.sequence
    }
    if notice.isOpen {
      if notice.isShared, notice.person == nil {
        if notice.settled[peer.user] == nil { notice.settled[peer.user] = .some(nil) }
      } else {
        notice.isOpen = false
      }
      notices[call.sequence] = notice
    }
    for other in notices.values
    where other.isPutOff && other.original == call.sequence && other.person == peer.user {
      notices[other.number] = nil
    }
    notices[sequence] = Notice(
      number: sequence, original: call.sequence, first: life.first, alert: notice.alert,
      person: peer.user, isShared: life.isShared, base: notice.base, isPutOff: true,
      deadline: .elapsed(instant))
    return .done(due)
  }

  /// An alert can be put off while it is unsettled, and once it was shown to that person.
  private func mayPutOff(_ notice: Notice, _ user: UserID) -> Bool {
    if let mine = notice.settled[user] {
      // Put off once, it can be again, unless it was taken back from the others since.
      return mine.map { $0 == .shown } ?? (notice.outcome != .withdrawn)
    }
    return notice.isOpen || notice.outcome == nil || notice.outcome == .shown
  }

  // MARK: Enabling

  mutating func setEnabled(_ call: SetEnabledParameters, by peer: Peer) -> Verdict<Bool> {
    let owner = call.owner ?? peer.user
    guard owner == peer.user || peer.isAdmin else { return .refused([Self.permission("owner")]) }
    let key = EnabledKey(
      owner: owner, attributesType: call.attributesType, application: call.application)
    let before = disabled
    if !call.enabled {
      disabled.insert(key)
    } else if call.attributesType == nil, call.application == nil {
      disabled = disabled.filter { $0.owner != owner }
    } else {
      disabled.remove(key)
    }
    guard disabled != before else { return .done(false) }
    sequence += 1
    var event = ActivityEvent(sequence: sequence, date: now.wall, kind: .enabledChanged)
    event.by = peer.user
    event.owner = owner
    event.enabled = call.enabled
    event.attributesType = call.attributesType
    event.application = call.application
    batch.append(event)
    return .done(true)
  }
}
