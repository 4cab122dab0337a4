internal import ActivityStore
internal import JSON
internal import LiveActivity
internal import SchedulerAPI
internal import Scheduling
internal import Varlink

extension Engine {
  /// `Request`. The audience's names have been looked up before.
  func request(
    _ call: RequestParameters, by peer: Peer, audience: ResolvedAudience, at reading: ClockReading
  ) throws(SchedulerError) -> (reply: RequestReply, slot: UInt32) {
    try checkStore(grows: true)
    guard settings.isEnabled else {
      throw .activitiesDisabled(attributesType: nil, application: nil)
    }
    let owner = try owner(call.owner, for: peer)
    if call.audience?.isEmpty == false, !peer.isAdmin { throw notAnAdmin("set an audience") }
    return try request(
      call, Caller(user: peer.user, isPrivileged: peer.isAdmin), owner: owner, audience: audience,
      at: reading)
  }

  /// The same, once it is known who asks, for whom. The timestamp is that of the push that asks.
  func request(
    _ call: RequestParameters, _ caller: Caller, owner: UserID, audience: ResolvedAudience,
    timestamp: WallTime? = nil, at reading: ClockReading
  ) throws(SchedulerError) -> (reply: RequestReply, slot: UInt32) {
    let id = call.id ?? makeID()
    var kept = call
    kept.id = nil
    kept.owner = nil
    let canonical = kept.canonical
    var command = RequestCommand(caller: caller, owner: owner, id: id)
    command.take(call)
    command.timestamp = timestamp
    if settings.wake == .refuse { command.wakeRefusal = wakeProblem }
    let local = try call.wallStart.map { wall throws(SchedulerError) in try zones.resolve(wall) }
    if let local {
      command.start = .at(local.date)
      // A calendar has wall times of its own: the start only says from when on.
      command.isLocal = call.repeats?.calendar == nil
    }
    let localStart = command.isLocal ? local?.start : nil
    if let repeats = call.repeats { command.series = try series(repeats) }
    command.isShared = call.audience.map { _ in !audience.isEmpty }
    let live = try liveRequest(owner: owner, id: id)
    try checkPayload(
      attributes: live?.attributes(with: call).byteCount ?? call.attributes?.byteCount ?? 2,
      state: call.content?.state.byteCount ?? 2)
    if let live {
      // The same start pushed again with a later timestamp is another one.
      command.isIdentical =
        live.text == canonical && (timestamp == nil || timestamp == live.timestamp)
      command.hasSameAttributes = live.hasSameAttributes(as: call)
      try live.checkBound(call)
    }

    let count = core.events.count
    var names = DateNames(startBy: call.startBy, stale: nil, end: call.end).names
    if call.content?.staleDate != nil { names["staleDate"] = "content.staleDate" }
    if call.staleAfter != nil { names["staleDate"] = "staleAfterUSec" }
    let outcome = try refusing(id, naming: names) { () throws(Refusal) in
      try core.request(command, at: reading)
    }
    // A start that the update has moved into the past has come by now.
    let wasPending = (count..<core.events.count).contains { index in
      core.events[index].kind == .updated && core.events[index].from == .pending
    }
    var body = JSONWriter()
    if core.events.count > count {
      body.beginObject()
      if outcome.isCreated {
        body.member("request", canonical)
      } else if let live {
        live.writeUpdate(call, isPending: wasPending, &body)
      }
      let isNew = outcome.isCreated || (call.audience != nil && wasPending)
      let inForce = isNew ? audience : live?.audience ?? audience
      if !inForce.isEmpty { body.object("audience") { inForce.write(&$0) } }
      body.member("localStart", localStart)
      body.endObject()
    }
    let bytes = body.take()
    append(since: count, id: id) { event in
      event.kind == .scheduled || event.kind == .updated ? bytes : []
    }
    try checkStore(grows: false)
    // One whose start-by is past is over at once, and then the core knows little of it.
    let session = try storing { () throws(StoreError) in
      try records.whole(core.session(outcome.slot))
    }
    let activity =
      outcome.isCreated
      ? Activity(made: call, session, id: id, local: localStart, at: core.now)
      : try storing { () throws(StoreError) in
        try records.activity(session, at: core.now)
      }
    var reply = RequestReply(activity: activity, created: outcome.isCreated)
    if session.wakes, session.state == .pending || session.hasNext {
      reply.wakeProblem = wakeProblem
    }
    return (reply, outcome.slot)
  }

  private func makeID() -> ActivityID {
    var generator = SystemRandomNumberGenerator()
    let bits = (generator.next(), generator.next())
    let digits = [bits.0, bits.1].map { word in
      let text = String(word, radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }
    return ActivityID(stored: digits.joined())
  }

  /// Attributes and content state together have a limit.
  func checkPayload(attributes: Int, state: Int) throws(SchedulerError) {
    let bytes = attributes + state
    guard bytes <= settings.payloadMaxBytes else {
      throw .payloadTooLarge(bytes: Int64(bytes), limit: Int64(settings.payloadMaxBytes))
    }
  }

  private func liveRequest(
    owner: UserID, id: ActivityID
  ) throws(SchedulerError) -> LiveRequest? {
    guard let slot = core.find(owner: owner, id: id), core.isInUse(slot) else { return nil }
    let session = core.session(slot)
    return try storing { () throws(StoreError) in
      guard let made = try records.payload(session.first)?.request?.text,
        let payload = try records.payload(session.requestRow), let inForce = payload.request?.text
      else { return nil }
      guard let parameters = try? RequestParameters(canonical: inForce) else {
        throw .damagedRow(session.requestRow, "its request cannot be read")
      }
      return LiveRequest(
        text: made, inForce: parameters, audience: payload.audience,
        isPending: session.state == .pending, timestamp: session.timestamp)
    }
  }
}

/// The request of a session that is live.
private struct LiveRequest {
  /// As it made the session.
  let text: JSONText
  /// As it is in force now.
  let inForce: RequestParameters
  let audience: ResolvedAudience
  let isPending: Bool
  /// That of the last push or update that had one.
  let timestamp: WallTime?

  /// The attributes that come with the content of another request for it.
  func attributes(with call: RequestParameters) -> JSONText {
    call.attributes ?? (call.ifExists == .update ? inForce.attributes : nil) ?? .emptyObject
  }

  /// What repeats is bound to no connection, and the other way round.
  func checkBound(_ call: RequestParameters) throws(SchedulerError) {
    guard call.ifExists == .update else { return }
    if call.repeats != nil, inForce.bound { throw .service(.invalidParameter("repeat")) }
    if call.bound, isPending, inForce.repeats != nil { throw .service(.invalidParameter("bound")) }
  }

  func hasSameAttributes(as call: RequestParameters) -> Bool {
    let type = inForce.attributesType ?? Activity.defaultAttributesType
    if let other = call.attributesType, other != type { return false }
    if let other = call.attributes, other != inForce.attributes ?? .emptyObject { return false }
    return true
  }

  /// What `ifExists: update` leaves in the store: the request now in force, and apart from it what a
  /// running session takes of the new one.
  func writeUpdate(_ call: RequestParameters, isPending: Bool, _ writer: inout JSONWriter) {
    var merged = inForce
    if isPending {
      if let value = call.application { merged.application = value }
      if let value = call.content { merged.content = value }
      if call.content != nil || call.stale != nil {
        // The stale date comes in one of two ways, never in both.
        merged.staleAfter = call.staleAfter
        if call.content == nil { merged.content?.staleDate = nil }
      }
      if let value = call.alert { merged.alert = value }
      if let value = call.endAlert { merged.endAlert = value }
      if let value = call.actions { merged.actions = value }
      if call.start != nil || call.wallStart != nil {
        (merged.start, merged.wallStart) = (call.start, call.wallStart)
      }
      if let value = call.startBy { merged.startBy = value }
      if let value = call.end { merged.end = value }
      if let value = call.audience { merged.audience = value }
      if let value = call.channel { merged.channel = value }
      if let value = call.reminders { merged.reminders = value }
      if let value = call.pushType { merged.pushType = value }
      if call.bound { merged.bound = true }
      if let value = call.wake { merged.wake = value }
    }
    if let value = call.repeats { merged.repeats = value }
    writer.member("request", merged.canonical)
    guard !isPending else { return }
    var changes = RequestParameters()
    changes.content = call.content
    changes.alert = call.alert
    changes.endAlert = call.endAlert
    changes.encode(&writer)
  }
}

extension RequestCommand {
  fileprivate mutating func take(_ call: RequestParameters) {
    attributesType = call.attributesType ?? Activity.defaultAttributesType
    application = call.application
    start = call.start.map {
      switch $0 {
      case .at(let date): .at(date)
      case .after(let span): .after(span)
      }
    }
    startBy = call.startBy.map(DateRule.init)
    stale = call.stale.map(DateRule.init)
    end = call.end.map(DateRule.init)
    hasContent = call.content != nil
    hasAlert = call.alert != nil
    hasEndAlert = call.endAlert != nil
    reminders = call.reminders
    channel = call.channel
    isBound = call.bound
    allowsPast = call.allowPast
    wakes = call.wake
    ifExists =
      switch call.ifExists {
      case .fail: .fail
      case .keep: .keep
      case .replace: .replace
      case .update: .update
      }
  }
}

/// How a caller gave the dates that the core knows by one name each.
struct DateNames {
  var startBy: Moment?
  var stale: Moment?
  var end: Moment?

  var names: [String: String] {
    var names: [String: String] = [:]
    if case .after = startBy { names["startByDate"] = "startByAfterUSec" }
    if case .after = stale { names["staleDate"] = "staleAfterUSec" }
    if case .after = end { names["endDate"] = "endAfterUSec" }
    return names
  }
}

extension DateRule {
  init(_ moment: Moment) {
    switch moment {
    case .at(let date): self = .date(date)
    case .after(let span): self = .fromStart(span)
    }
  }
}
