internal import ActivityStore
internal import JSON
internal import LiveActivity
internal import SchedulerAPI
internal import Scheduling

/// Reads rows back into what the interface shows, the same way for an event that has just happened
/// and for one of last week.
final class Records {
  private let store: ActivityStore
  /// Rows read lately; they never change.
  private var recent: [Int64: Payload] = [:]

  init(store: ActivityStore) { self.store = store }

  /// A row is read again after this: rows of a batch that was undone never were.
  func forgetRecent() { recent.removeAll(keepingCapacity: true) }

  /// A row that is still kept.
  func payload(_ sequence: Int64) throws(StoreError) -> Payload? {
    if let known = recent[sequence] { return known }
    guard let row = try store.event(sequence) else { return nil }
    return try remember(row)
  }

  @discardableResult
  func remember(_ row: EventRow) throws(StoreError) -> Payload {
    do throws(JSONError) {
      let payload = try Payload(row)
      if recent.count > 256 { recent.removeAll(keepingCapacity: true) }
      recent[row.sequence] = payload
      return payload
    } catch {
      throw StoreError.damagedRow(row.sequence, "\(error)")
    }
  }

  /// The Activity ID of a session.
  func id(ofSession first: Int64) throws(StoreError) -> String {
    guard let payload = try payload(first) else { return "" }
    return String(decoding: payload.row.id, as: UTF8.self)
  }

  /// A session as it is now or was at a row: of a dismissed one the core keeps only the outline, so
  /// its last row is asked.
  func whole(_ session: Session) throws(StoreError) -> Session {
    guard session.state == .dismissed, let row = try payload(session.last)?.row,
      let packed = PackedSession(bytes: row.fields)
    else { return session }
    return packed.session
  }

  /// A session as the interface shows it.
  func activity(_ session: Session, at reading: ClockReading) throws(StoreError) -> Activity {
    let opening = try payload(session.first)
    let request = try payload(session.requestRow)?.request
    var activity = Activity(
      id: opening.map { String(decoding: $0.row.id, as: UTF8.self) } ?? "", owner: session.owner,
      session: Int64(session.number), sequence: session.sequence, state: session.state,
      attributesType: request?["attributesType"]?.string ?? Activity.defaultAttributesType,
      attributes: request?["attributes"]?.text ?? .emptyObject,
      content: try content(session, at: reading),
      createdDate: WallTime(microseconds: opening?.row.date ?? 0))
    activity.application = request?["application"]?.string
    activity.pushType = request?["pushType"]?.string.flatMap { name in
      PushKind.allCases.first { "\($0)" == name }
    }
    if session.alertRow != 0 {
      activity.alert = try payload(session.alertRow)?.alert(.startAlert)
    }
    if session.endAlertRow != 0 {
      activity.endAlert = try payload(session.endAlertRow)?.alert(.endAlert)
    }
    if let actions = request?["actions"], actions.kind == .array {
      activity.actions = actions.elements.compactMap { node in
        guard let name = node["name"]?.string, let label = node["label"]?.string else {
          return nil
        }
        return try? Action(name: name, label: label)
      }
    }
    if let audience = request?["audience"], audience.kind == .array {
      activity.audience = audience.elements.compactMap(\.string)
    }
    if session.localRow != 0 {
      activity.localStart = try payload(session.localRow)?.localStart
    }
    activity.setTerms(session, at: reading)
    for (update, date) in session.plannedUpdates(at: reading) {
      activity.plannedUpdates.append(try planned(update, date))
    }
    return activity
  }

  private func planned(
    _ update: SessionUpdate, _ date: WallTime?
  ) throws(StoreError) -> PlannedUpdate {
    let payload = try payload(update.row)
    var shown = PlannedUpdate(sequence: update.row, date: date)
    var staleDate: WallTime?
    if case .set(let date) = update.stale { staleDate = date }
    if update.change == .whole, let kept = payload?.content {
      shown.content = Content(
        state: kept.state, staleDate: staleDate, relevanceScore: kept.relevanceScore)
    } else {
      shown.patch = payload?.patch
      shown.relevanceScore = payload?.relevanceScore
      shown.staleDate = staleDate
    }
    if update.hasAlert { shown.alert = payload?.alert(.alert) }
    return shown
  }

  func content(_ session: Session, at reading: ClockReading) throws(StoreError) -> Content {
    let kept = try payload(session.contentRow)?.content
    return Content(
      state: kept?.state ?? .emptyObject, staleDate: session.staleDate(at: reading),
      relevanceScore: kept?.relevanceScore)
  }

  /// A row as the interface shows it.
  func event(_ row: EventRow) throws(StoreError) -> ActivityEvent {
    var event = ActivityEvent(
      sequence: row.sequence, date: WallTime(microseconds: row.date),
      kind: EventKind(rawValue: row.kind) ?? .updated)
    event.dueDate = row.due.map { WallTime(microseconds: $0) }
    event.by = row.by.map { UserID($0) }
    event.owner = row.owner.map { UserID($0) }
    event.reason = row.reason.flatMap(Reason.init(rawValue:))
    event.latenessMicroseconds = row.lateness
    event.alertSequence = row.alertSequence
    event.alertOutcome = row.outcome.flatMap(AlertOutcome.init(rawValue:))
    event.stepMicroseconds = row.step
    if row.first != 0 {
      event.id = try id(ofSession: row.first)
      event.session = row.number
      event.from = row.from.flatMap(ActivityState.init(rawValue:))
      event.to = row.to.flatMap(ActivityState.init(rawValue:))
      try addChanges(row, &event)
    } else if let change = try remember(row).enabled {
      event.enabled = change.isEnabled
      event.attributesType = change.attributesType
      event.application = change.application
    }
    if let alertRow = row.alertRow,
      let field = row.alertField.flatMap(AlertSource.Field.init(rawValue:))
    {
      event.alert = try payload(alertRow)?.alert(field)
      if field == .reminder, let distance = Self.distance(row) {
        event.alert = event.alert?.reminding(of: distance)
      }
    }
    return event
  }

  /// How far the start was when a reminder was told; nil once it had come.
  private static func distance(_ row: EventRow) -> TimeSpan? {
    guard let packed = PackedSession(bytes: row.fields),
      let start = packed.session.startDate(at: packed.at), start > packed.at.wall
    else { return nil }
    return TimeSpan(microseconds: start.microseconds - packed.at.wall.microseconds)
  }

  private func addChanges(_ row: EventRow, _ event: inout ActivityEvent) throws(StoreError) {
    guard let packed = PackedSession(bytes: row.fields) else {
      throw StoreError.damagedRow(row.sequence, "its fields cannot be read")
    }
    let session = packed.session
    switch event.kind {
    case .scheduled:
      try remember(row)
      event.from = nil
      event.activity = try activity(session, at: packed.at)
      event.startDate = event.activity?.startDate
      event.endDate = event.activity?.endDate
    case .skipped:
      event.skippedDate = session.aside.series?.skipped
      event.startDate =
        session.state == .pending
        ? session.startDate(at: packed.at) : session.nextStartDate(at: packed.at)
    case .reminded:
      event.startDate = session.startDate(at: packed.at)
    case .rescheduled:
      event.startDate = session.startDate(at: packed.at)
      event.endDate = session.endDate(at: packed.at)
      if session.localRow == row.sequence || session.aside.series != nil {
        let payload = try remember(row)
        event.localStart = payload.localStart
        event.formerStartDate = payload.formerStart
        event.cause = payload.cause
      }
    case .updated:
      let payload = try remember(row)
      event.content = try content(session, at: packed.at)
      if payload.request != nil {
        event.activity = try activity(session, at: packed.at)
        event.startDate = event.activity?.startDate
        event.endDate = event.activity?.endDate
      }
    case .ended:
      if row.contentRow != nil { event.content = try content(session, at: packed.at) }
    case .action:
      event.action = try remember(row).action
    default:
      break
    }
  }
}

extension Activity {
  /// What the core keeps of a session.
  fileprivate mutating func setTerms(_ session: Session, at reading: ClockReading) {
    reason = session.reason
    channel = session.channel
    startDate = session.startDate(at: reading)
    startByDate = session.startByDate(at: reading)
    endDate = session.endDate(at: reading)
    dismissalDate = session.dismissalDate(at: reading)
    startedDate = session.startedDate
    endedDate = session.endedDate
    timestamp = session.timestamp
    latenessMicroseconds = session.lateness
    remoteUpdates = session.remoteUpdates
    reminders = session.reminders(at: reading)
    repeats = session.repeats
    nextStartDate = session.nextStartDate(at: reading)
    wake = session.wakes
  }

  /// The session that a request has just made, as the interface shows it: what its rows would give,
  /// without reading them.
  init(
    made call: RequestParameters, _ session: Session, id: ActivityID, local: LocalStart?,
    at reading: ClockReading
  ) {
    self.init(
      id: id.text, owner: session.owner, session: Int64(session.number),
      sequence: session.sequence, state: session.state,
      attributesType: call.attributesType ?? Activity.defaultAttributesType,
      attributes: call.attributes ?? .emptyObject,
      content: Content(
        state: call.content?.state ?? .emptyObject, staleDate: session.staleDate(at: reading),
        relevanceScore: call.content?.relevanceScore),
      createdDate: reading.wall)
    application = call.application
    alert = call.alert
    endAlert = call.endAlert
    actions = call.actions ?? []
    pushType = call.pushType
    audience = call.audience?.map(\.text) ?? []
    localStart = local
    setTerms(session, at: reading)
  }
}

extension StoreError {
  static func damagedRow(_ sequence: Int64, _ why: String) -> StoreError {
    StoreError(.damaged, "event \(sequence) in the store: \(why)")
  }
}
