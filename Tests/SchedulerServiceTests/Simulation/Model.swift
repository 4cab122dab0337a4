import JSON
import LiveActivity
import SchedulerAPI
import Scheduling

@testable import SchedulerService

/// What the model says of a call.
enum Verdict<Reply> {
  /// One of these, whichever rule is looked at first.
  case refused([SchedulerError])
  case done(Reply)
}

/// The daemon as DESIGN describes it, in plain dictionaries and loops: slow, and easy to check. It
/// says what each call replies and which events follow; where time fires several things, it follows
/// the order of those that really came, as long as that order is allowed.
struct Model {
  struct Boot {
    var id: String
    /// How far the clocks are apart, as last written down.
    var offset: Int64
    /// The same at the first sync or step.
    var anchor: Int64?
  }

  var settings: Settings
  var now: ClockReading
  var boot: Boot
  var sequence: Int64 = 0
  var lives: [Int64: Life] = [:]
  var notices: [Int64: Notice] = [:]
  var disabled: Set<EnabledKey> = []
  var hidden: [Int64: Set<UserID>] = [:]
  /// The users' names, and the sessions of those who had a uid before.
  var names: [UserID: String] = [:]
  var former: Set<Int64> = []
  /// Sessions whose connection is gone, until that is durable.
  var orphans: [Int64] = []
  var isFull = false
  /// What the current batch has brought about.
  var batch: [ActivityEvent] = []

  /// What the zones are.
  let land: Land

  init(settings: Settings, now: ClockReading, boot: String, isSynchronised: Bool, land: Land) {
    self.land = land
    self.settings = settings
    self.now = now
    self.boot = Boot(id: boot, offset: now.offset)
    if isSynchronised { self.boot.anchor = now.offset }
  }

  // MARK: Looking

  /// The session of an ID: the current one, or the last that is kept.
  func life(_ id: ActivityID, of owner: UserID) -> Life? {
    let bytes = Array(id.text.utf8)
    return lives.values.filter { $0.owner == owner && Array($0.id.utf8) == bytes }
      .max { $0.number < $1.number }
  }

  var owners: [UserID] { Set(lives.values.map(\.owner)).sorted() }

  func isInAudience(_ life: Life, _ peer: Peer) -> Bool {
    life.audience.includes(peer) && hidden[life.first]?.contains(peer.user) != true
  }

  func maySee(_ life: Life, _ peer: Peer) -> Bool {
    life.owner == peer.user || peer.isAdmin || isInAudience(life, peer)
  }

  /// The notices of a session that somebody waits for, in the order of their numbers.
  func waiting(_ first: Int64) -> [Int64] {
    notices.values.filter { $0.first == first && $0.isOpen }.map(\.number).sorted()
  }

  // MARK: Events

  mutating func emit(
    _ kind: EventKind, _ life: inout Life, from: ActivityState, isChange: Bool = true,
    person: UserID? = nil, base: Alert? = nil,
    _ fill: (inout ActivityEvent) -> Void = { _ in }
  ) {
    sequence += 1
    if isChange { life.sequence = sequence }
    lives[life.first] = life
    var event = ActivityEvent(sequence: sequence, date: now.wall, kind: kind)
    event.id = life.id
    event.owner = life.owner
    event.session = life.number
    event.from = from
    event.to = life.state
    fill(&event)
    batch.append(event)
    guard let alert = event.alert else { return }
    notices[sequence] = Notice(
      number: sequence, original: sequence, first: life.first, alert: alert, person: person,
      isShared: life.isShared, base: base, isPutOff: false,
      deadline: .elapsed(
        now.boottime.microseconds + settings.alertTimeToLive.microseconds))
    keepToLimit(life.owner)
    life = lives[life.first] ?? life
  }

  /// Beyond the limit the oldest is settled as expired.
  private mutating func keepToLimit(_ owner: UserID) {
    guard owner != .root else { return }
    let open = notices.values.filter {
      $0.isOpen && !$0.isPutOff && lives[$0.first]?.owner == owner
    }
    guard open.count > settings.unsettledAlertsPerUser,
      let oldest = open.map(\.number).min()
    else { return }
    settle(oldest, .expired, by: nil)
  }

  mutating func settle(_ number: Int64, _ outcome: AlertOutcome, by: UserID?) {
    guard var notice = notices[number], notice.isOpen, var life = lives[notice.first] else {
      return
    }
    let isForOne = outcome == .shown || outcome == .failed
    if isForOne, let by { notice.settled[by] = .some(outcome) }
    if !(isForOne && notice.isShared && notice.person == nil) {
      notice.isOpen = false
      notice.outcome = outcome
    }
    notices[number] = notice
    if notice.isPutOff {
      notices[number] = nil
      if let person = notice.person { notices[notice.original]?.settled[person] = .some(outcome) }
    }
    let state = life.state
    emit(.alertSettled, &life, from: state, isChange: false) { event in
      event.by = by
      event.alertSequence = notice.original
      event.alertOutcome = outcome
    }
  }

  mutating func withdraw(_ numbers: [Int64], by: UserID?) {
    for number in numbers { settle(number, .withdrawn, by: by) }
  }

  // MARK: A life's steps

  /// The start: due at its nominal date, late or not, unless that is of no use any more.
  mutating func start(_ life: inout Life, due: Int64, by: UserID?) {
    let due = begin(&life, due: due)
    let late = max(0, now.wall.microseconds - due)
    let startBy = life.startBy.date(now, start: due)
    let end = life.end.date(now, start: due)
    if startBy.map({ $0 < now.wall.microseconds }) == true
      || end.map({ $0 <= now.wall.microseconds }) == true
    {
      leave(&life, .missed, by: nil, due: due)
      return
    }
    life.state = .active
    life.startedDate = now.wall.microseconds
    life.lateness = late
    let reminders = waitingReminders(life.first)
    life.reminders = []
    life.startBy = life.startBy.frozen(now, start: due)
    life.start = .date(due)
    life.origin = .elapsed(now.boottime.microseconds - late)
    life.stale = life.stale.counted(from: life.origin)
    life.end = life.end.counted(from: life.origin)
    for index in life.plans.indices {
      life.plans[index].due = life.plans[index].due.counted(from: life.origin)
    }
    var limit = now.boottime.microseconds + settings.activeMax.microseconds
    // A limit lowered since the request touches nothing that exists.
    if let end { limit = max(limit, end - now.offset) }
    life.limit = .elapsed(limit)
    let alert = life.alert
    emit(.started, &life, from: .pending) { event in
      event.by = by
      event.dueDate = WallTime(microseconds: due)
      event.latenessMicroseconds = late
      event.alert = alert
    }
    withdraw(reminders, by: nil)
    life = lives[life.first] ?? life
  }

  mutating func becomeStale(_ life: inout Life, due: Int64, by: UserID?) {
    life.state = .stale
    let late = max(0, now.wall.microseconds - due)
    emit(.stale, &life, from: .active) { event in
      event.by = by
      event.dueDate = WallTime(microseconds: due)
      event.latenessMicroseconds = late
    }
  }

  mutating func finish(
    _ life: inout Life, nominal: Int64, _ reason: Reason, by: UserID?,
    _ fill: (inout ActivityEvent) -> Void
  ) {
    let from = life.state
    let before = waiting(life.first)
    let late = max(0, now.wall.microseconds - nominal)
    let start = life.start.date(now)
    life.stale = life.stale.frozen(now, start: start)
    life.end = life.end.frozen(now, start: start)
    life.origin = .never
    (life.reminders, life.plans) = ([], [])
    life.state = .ended
    life.reason = reason
    life.endedDate = now.wall.microseconds
    life.limit = .elapsed(
      now.boottime.microseconds - late + settings.endedMax.microseconds)
    emit(.ended, &life, from: from) { event in
      event.reason = reason
      event.by = by
      fill(&event)
    }
    withdraw(before, by: by)
    life = lives[life.first] ?? life
  }

  mutating func leave(
    _ life: inout Life, _ reason: Reason, by: UserID?, due: Int64? = nil, endsSeries: Bool = false
  ) {
    var serie = endsSeries ? nil : life.serie
    if life.state == .pending, reason != .missed {
      serie?.skipped = max(life.serie?.slot.date(now) ?? 0, life.start.date(now) ?? 0)
    }
    let from = life.state
    let before = waiting(life.first)
    life.freeze(now)
    if from.isRunning { life.endedDate = now.wall.microseconds }
    life.dismissal = .date(now.wall.microseconds)
    life.state = .dismissed
    life.reason = life.reason ?? reason
    life.isCancelled = reason == .cancelled
    let late = due.map { max(0, now.wall.microseconds - $0) }
    emit(.dismissed, &life, from: from) { event in
      event.reason = reason
      event.by = by
      event.dueDate = due.map { WallTime(microseconds: $0) }
      event.latenessMicroseconds = late
    }
    withdraw(before, by: by)
    life = lives[life.first] ?? life
    goOn(serie, after: life)
  }
}
