internal import ActivityStore
internal import JSON
internal import LiveActivity
internal import SchedulerAPI
internal import Scheduling
internal import Systemd
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
    let named = calendar.zoneName ?? call.zone
    let zone: TimeZoneRules
    do throws(TimeZoneError) { zone = try zoneRules(named) } catch {
      throw .invalidDate(
        field: calendar.zoneName == nil ? "repeat.zone" : "repeat.calendar", value: text,
        why: error.description)
    }
    core.setZone(zone.name, zone)
    return SeriesRequest(
      rule: .calendar(text, zone: zone.name), until: call.until, count: call.count)
  }

  /// The rules of a zone, or of the machine's where none is named; by a name that finds them again.
  private func zoneRules(_ name: String?) throws(TimeZoneError) -> TimeZoneRules {
    let zones = ZoneDatabase(directory: Surroundings.variable("TZDIR"))
    if name == "UTC" { return .utc }
    if let name { return try zones.rules(name) }
    let local = try zones.localRules(tz: Surroundings.variable("TZ"))
    return local.name == "UTC" ? .utc : try zones.rules(local.name)
  }

  /// Reads the rules of zones that series name. Of one that cannot be read, those that are known
  /// stay; a series whose zone is not known at all keeps the dates that it has.
  func readZones(_ names: some Sequence<String>) {
    for name in Set(names) {
      if let rules = try? zoneRules(name), core.knownZones[name] != rules {
        core.setZone(name, rules)
      }
    }
  }

  /// The zones' rules may be others than before: occurrences that are ahead follow them.
  func renewZones(at reading: ClockReading) {
    let before = core.knownZones
    readZones(before.keys)
    if core.knownZones != before { renewSeries(at: reading) }
  }

  /// The clock went back, or the daemon starts: dates that are ahead are as they ought to be.
  func renewSeries(at reading: ClockReading) {
    let count = core.events.count
    core.renewSeries(at: reading)
    append(since: count)
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
      case .calendar(let text, let zone): Repeat(calendar: text, zone: zone)
      case .every(let span): Repeat(every: span)
      }
    shown.until = series.until
    shown.count = series.count
    return shown
  }
}
