internal import ActivityStore
internal import JSON
internal import LiveActivity
internal import SchedulerAPI
internal import Scheduling
internal import TimeExpressions

// Activities that repeat: the zones that their calendars need, and the rows of their occurrences.
extension Engine {
  /// How a request repeats, as the core takes it; the zone's rules are there for it then.
  func series(_ call: Repeat) throws(SchedulerError) -> SeriesRequest {
    if let every = call.every {
      return SeriesRequest(rule: .every(every), until: call.until, count: call.count)
    }
    let text = call.calendar ?? ""
    let calendar: CalendarExpression
    do throws(TimeExpressionError) { calendar = try CalendarExpression.parse(text) } catch {
      throw .invalidDate(field: "repeat.calendar", value: text, why: error.description)
    }
    let zone = try zone(of: call, calendar)
    return SeriesRequest(
      rule: .calendar(text, zone: zone), until: call.until, count: call.count)
  }

  /// The zone of a calendar, as the core knows it; its rules are there then.
  private func zone(
    of call: Repeat, _ calendar: CalendarExpression
  ) throws(SchedulerError) -> String {
    if call.isFloating, let name = calendar.zoneName {
      throw .invalidDate(
        field: "repeat.floating", value: call.calendar ?? "",
        why: "the calendar names a zone, \(name); a floating one names none")
    }
    do throws(TimeZoneError) {
      let named = calendar.zoneName ?? call.zone
      var name = Self.floatingZone
      if let named {
        name = try rules(named).name
      } else if !call.isFloating, let machine = try? zones.system().name,
        (try? rules(machine)) != nil
      {
        // A zone that is a file without a name can only be followed.
        name = machine
      }
      // Rules that series go by stay until all of them change to others together.
      if core.knownZones[name] == nil { core.setZone(name, try rules(name)) }
      return name
    } catch {
      let field =
        calendar.zoneName != nil ? "calendar" : call.isFloating ? "floating" : "zone"
      throw .invalidDate(
        field: "repeat." + field, value: calendar.zoneName ?? call.zone ?? "",
        why: "\(error.problem); \(error.hint)")
    }
  }

  /// What the core calls the machine's zone, whichever that is.
  static let floatingZone = ""

  private func rules(_ name: String) throws(TimeZoneError) -> TimeZoneRules {
    if name == Self.floatingZone { return try zones.system() }
    return name == "UTC" ? .utc : try zones.rules(name)
  }

  /// Reads the rules of zones that series name. Of one that cannot be read, those that are known
  /// stay; a series whose zone is not known at all keeps the dates that it has. Returns what could
  /// not be read.
  @discardableResult
  func readZones(_ names: some Sequence<String>) -> TimeZoneError? {
    var problem: TimeZoneError?
    for name in names {
      do throws(TimeZoneError) { core.setZone(name, try rules(name)) } catch { problem = error }
    }
    return problem
  }

  /// The zones' rules may be others than before: occurrences that are ahead follow them. Returns how
  /// many starts moved.
  func renewZones(at reading: ClockReading) -> (moved: Int, problem: TimeZoneError?) {
    let before = core.knownZones
    // Also those that could not be read so far.
    var names = Set(before.keys)
    for slot in core.calendarSeries {
      if case .calendar(_, let zone) = core.session(slot).aside.series?.rule { names.insert(zone) }
    }
    let problem = readZones(names)
    guard core.knownZones != before else { return (0, problem) }
    let moved = renewSeries(at: reading) { zone in
      let isOther = zone == Self.floatingZone && before[zone]?.name != core.knownZones[zone]?.name
      return isOther ? .zone : .tzdata
    }
    return (moved, problem)
  }

  /// The clock went back, the daemon starts, or zones have changed, which is the cause then: dates
  /// that are ahead are as they ought to be. Returns how many starts moved.
  @discardableResult
  func renewSeries(at reading: ClockReading, cause: (_ zone: String) -> MoveCause? = { _ in nil })
    -> Int
  {
    var moved = 0
    for slot in core.calendarSeries {
      let before = core.session(slot)
      let former = before.startDate(at: reading)
      let count = core.events.count
      core.renewSeries(slot, at: reading)
      let isMoved = former != core.session(slot).startDate(at: reading)
      if isMoved { moved += 1 }
      append(since: count) { event in
        guard event.kind == .rescheduled, isMoved, let former,
          case .calendar(_, let zone) = before.aside.series?.rule, let cause = cause(zone)
        else { return [] }
        return moveBody(from: former, cause: cause)
      }
    }
    return moved
  }

  /// `Skip`.
  func skip(
    _ call: SkipParameters, by peer: Peer, at reading: ClockReading
  ) throws(SchedulerError) -> SkipParameters.Reply {
    try checkStore(grows: true)
    let owner = try owner(call.owner, for: peer)
    let slot = try self.slot(of: call.id, owner: owner)
    let count = core.events.count
    let target = Target(slot: slot, session: call.session, ifSequence: call.ifSequence)
    let skipped = try refusing(call.id) { () throws(Refusal) in
      try core.skip(target, by: peer.user, at: reading)
    }
    append(since: count)
    try checkStore(grows: false)
    let activity = try storing { () throws(StoreError) in
      try records.activity(records.whole(core.session(slot)), at: core.now)
    }
    return SkipParameters.Reply(activity: activity, skippedDate: skipped)
  }

  /// The ID and the body of an occurrence's first row: the request in force, once more, so that
  /// what it says is kept as long as the occurrence is.
  func occurrence(
    madeOf row: Int64
  ) throws(StoreError) -> (id: ActivityID, body: [UInt8]) {
    guard let template = try records.payload(row), let request = template.request?.text else {
      throw .damagedRow(row, "the request that a series repeats is missing")
    }
    var body = JSONWriter()
    body.beginObject()
    body.member("request", request)
    let audience = template.audience
    if !audience.isEmpty { body.object("audience") { audience.write(&$0) } }
    body.endObject()
    return (ActivityID(stored: try records.id(ofSession: template.row.first)), body.take())
  }
}

extension Session {
  /// How it repeats, as the interface shows it.
  var repeats: Repeat? {
    guard let series = aside.series else { return nil }
    var shown =
      switch series.rule {
      case .calendar(let text, Engine.floatingZone):
        Repeat(calendar: text, isFloating: true)
      case .calendar(let text, let zone): Repeat(calendar: text, zone: zone)
      case .every(let span): Repeat(every: span)
      }
    shown.until = series.until
    shown.count = series.count
    return shown
  }
}
