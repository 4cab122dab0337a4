import JSON
import LiveActivity
import SchedulerAPI

@testable import SchedulerService

/// One session, as the model keeps it: everything in one place, nothing shared, nothing packed.
struct Life {
  let first: Int64
  let id: String
  let owner: UserID
  let number: Int64
  let createdDate: Int64
  /// The request that made it, as it was sent.
  let made: JSONText
  /// The request in force: what time and content do not change.
  var request: RequestParameters
  var audience: ResolvedAudience

  var state = ActivityState.pending
  var reason: Reason?
  var isCancelled = false
  var isChanged = false
  var sequence: Int64
  var remoteUpdates = true
  var isBound: Bool

  var content = JSONText.emptyObject
  var relevanceScore: Double?
  var alert: Alert?
  var endAlert: Alert?
  var timestamp: Int64?
  /// The update or end that brought the timestamp.
  var stamped: JSONText?

  var start: When
  var startBy = When.never
  var stale = When.never
  var end = When.never
  /// While it runs: the nominal start, on the clock that spans count on.
  var origin = When.never
  var dismissal = When.never
  var limit = When.never
  var startedDate: Int64?
  var endedDate: Int64?
  var lateness: Int64?
  /// The wall time that its start was asked for as.
  var localStart: LocalStart?

  /// How long before the start, the first to come first, and what has become of each.
  var reminders: [(before: Int64, state: Reminder.State)] = []
  var plans: [Plan] = []
  var serie: Serie?

  var isShared: Bool { !audience.isEmpty }
  var wakes: Bool { request.wake == true }

  /// Whether an event is about it: IDs are compared as bytes.
  func isMeant(_ event: ActivityEvent) -> Bool {
    event.owner == owner && event.session == number && event.sequence >= first
      && event.id.map { $0.utf8.elementsEqual(id.utf8) } == true
  }

  /// What can come due in its state, in the order in which it goes at one instant.
  var terms: [(deadline: Deadline, when: When)] {
    let own: [(deadline: Deadline, when: When)] =
      switch state {
      case .pending: []
      case .active: [(.stale, stale), (.end, end), (.limit, limit)]
      case .stale: [(.end, end), (.limit, limit)]
      case .ended: [(.dismissal, dismissal), (.dismissal, limit)]
      case .dismissed: []
      }
    let starts: [(deadline: Deadline, when: When)] = state == .pending ? [(.start, start)] : []
    return starts + aheadTerms + own + nextTerm
  }

  enum Deadline {
    case start, reminder, plan, stale, end, limit, dismissal, next
  }

  func nominalStart(_ now: ClockReading) -> Int64? { origin.date(now) ?? start.date(now) }

  mutating func mapTerms(_ change: (When) -> When) {
    start = change(start)
    startBy = change(startBy)
    stale = change(stale)
    end = change(end)
    origin = change(origin)
    dismissal = change(dismissal)
    limit = change(limit)
    for index in plans.indices { plans[index].due = change(plans[index].due) }
    if var serie {
      serie.slot = change(serie.slot)
      serie.next = change(serie.next)
      self.serie = serie
    }
  }

  /// No date of it moves any more.
  mutating func freeze(_ now: ClockReading) {
    let start = start.date(now)
    startBy = startBy.frozen(now, start: start)
    stale = stale.frozen(now, start: start)
    end = end.frozen(now, start: start)
    self.start = self.start.frozen(now, start: nil)
    origin = .never
    limit = .never
    (reminders, plans, serie) = ([], [], nil)
  }
}

/// What a person is to be told, from the event that carries it until it is forgotten.
struct Notice {
  /// The event that carries it; of one that was put off, the event that says so.
  let number: Int64
  /// The number that settling it names.
  let original: Int64
  let first: Int64
  let alert: Alert
  /// The one person that it is for.
  let person: UserID?
  let isShared: Bool
  /// Of one that is told before the start: the start alert, without the distance.
  var base: Alert?
  /// Put off: waits for its date and is offered to nobody.
  let isPutOff: Bool
  var deadline: When
  /// Whether somebody has still to be told, or it comes again.
  var isOpen = true
  /// Who has settled it for themselves, and how; nil where they put it off or dismissed the session.
  var settled: [UserID: AlertOutcome?] = [:]
  /// How it was settled for all others.
  var outcome: AlertOutcome?
}
