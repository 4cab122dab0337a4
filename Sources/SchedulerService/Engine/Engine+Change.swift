internal import ActivityStore
internal import JSON
internal import LiveActivity
internal import SchedulerAPI
internal import Scheduling
internal import Varlink

extension Engine {
  /// `Reschedule`.
  func reschedule(
    _ call: RescheduleParameters, by peer: Peer, at reading: ClockReading
  ) throws(SchedulerError) -> ActivityReply {
    try checkStore(grows: true)
    let slot = try self.slot(of: call.id, owner: owner(call.owner, for: peer))
    var command = RescheduleCommand()
    command.start = call.start.map {
      switch $0 {
      case .at(let date): .at(date)
      case .after(let span): .after(span)
      }
    }
    let local = try call.wallStart.map { wall throws(SchedulerError) in try zones.resolve(wall) }
    if let local {
      command.start = .at(local.date)
      command.isLocal = true
    }
    command.startBy = call.startBy.map(DateRule.init)
    command.stale = call.stale.map(DateRule.init)
    command.end = call.end.map(DateRule.init)
    command.noEnd = call.noEnd
    command.reminders = call.reminders
    command.hasAlert = call.alert != nil
    command.hasEndAlert = call.endAlert != nil
    var alerts = RequestParameters()
    alerts.alert = call.alert
    alerts.endAlert = call.endAlert
    var body = JSONWriter()
    body.beginObject()
    alerts.encode(&body)
    body.member("localStart", local?.start)
    body.endObject()
    let bytes = body.bytes.count > 2 ? body.take() : []
    let count = core.events.count
    let target = Target(slot: slot, session: call.session, ifSequence: call.ifSequence)
    let names = DateNames(startBy: call.startBy, stale: call.stale, end: call.end).names
    try refusing(call.id, naming: names) { () throws(Refusal) in
      try core.reschedule(target, command, by: peer.user, at: reading)
    }
    append(since: count) { $0.kind == .rescheduled ? bytes : [] }
    try checkStore(grows: false)
    return ActivityReply(
      activity: try storing { () throws(StoreError) in
        try records.activity(records.whole(core.session(slot)), at: core.now)
      })
  }

  /// `Update` of one activity, by whoever holds a token of it where nobody is named; `shared` is the
  /// row that holds content and alert already. Returns whether it changed anything, and the row that
  /// holds them now.
  func update(
    _ slot: UInt32, _ id: ActivityID, _ call: UpdateParameters, by peer: Peer?, shared: Int64?,
    at reading: ClockReading
  ) throws(SchedulerError) -> Bool {
    try checkStore(grows: true)
    // A push never plans.
    if call.isPlan, let peer {
      try plan(slot, id, call, by: peer, at: reading)
      return true
    }
    let session = core.session(slot)
    var command = UpdateCommand()
    command.hasAlert = call.alert != nil
    command.timestamp = call.timestamp
    command.sharedRow = shared
    if let content = call.content {
      command.stale = content.staleDate.map { .set($0) } ?? .clear
    } else if let date = call.staleDate {
      command.stale = .set(date)
    }
    var plain = call
    plain.address = .id(id)
    (plain.session, plain.ifSequence, plain.owner, plain.everyOwner) = (nil, nil, nil, false)
    command.isIdentical = try isLastTimestamped(session, call.timestamp) { $0.update == plain.text }
    var body = JSONWriter()
    body.beginObject()
    if shared == nil, session.state.isLive,
      let content = try newContent(
        session, content: call.content, patch: call.patch, relevanceScore: call.relevanceScore)
    {
      command.hasContent = true
      content.write(&body)
    }
    if shared != nil { command.hasContent = call.content != nil }
    if shared == nil { body.write(alert: call.alert) }
    if call.timestamp != nil { body.member("update", plain.text) }
    body.endObject()
    let bytes = body.take()
    let count = core.events.count
    let target = Target(slot: slot, session: call.session, ifSequence: call.ifSequence)
    let names = call.content?.staleDate == nil ? [:] : ["staleDate": "content.staleDate"]
    let isApplied = try refusing(id, naming: names) { () throws(Refusal) in
      try core.update(target, command, by: peer?.user, at: reading)
    }
    append(since: count) { $0.kind == .updated && bytes.count > 2 ? bytes : [] }
    try checkStore(grows: false)
    return isApplied
  }

  /// `End` of one activity.
  func end(
    _ slot: UInt32, _ id: ActivityID, _ call: EndParameters, by peer: Peer?, shared: Int64?,
    at reading: ClockReading
  ) throws(SchedulerError) -> Bool {
    try checkStore(grows: false)
    let session = core.session(slot)
    var command = EndCommand()
    command.hasAlert = call.alert != nil
    command.timestamp = call.timestamp
    command.dismissal = call.dismissal ?? .default
    command.sharedRow = shared
    if let content = call.content {
      command.stale = content.staleDate.map { .set($0) } ?? .clear
    }
    var plain = call
    plain.address = .id(id)
    (plain.session, plain.owner, plain.everyOwner) = (nil, nil, false)
    command.isIdentical = try isLastTimestamped(session, call.timestamp) { $0.end == plain.text }
    var body = JSONWriter()
    body.beginObject()
    if shared == nil, session.state.isRunning,
      let content = try newContent(
        session, content: call.content, patch: call.patch, relevanceScore: call.relevanceScore)
    {
      command.hasContent = true
      content.write(&body)
    }
    if shared != nil { command.hasContent = call.content != nil }
    // What has not begun ends without a word, so it keeps neither content nor alert.
    if shared == nil, session.state.isRunning { body.write(alert: call.alert) }
    if call.timestamp != nil { body.member("end", plain.text) }
    body.endObject()
    let bytes = body.take()
    let count = core.events.count
    let target = Target(slot: slot, session: call.session)
    let isApplied = try refusing(id) { () throws(Refusal) in
      try core.end(target, command, by: peer?.user, at: reading)
    }
    append(since: count) { event in
      let isTheEnd = event.kind == .ended || event.from == .pending
      return isTheEnd && bytes.count > 2 ? bytes : []
    }
    try checkStore(grows: false)
    return isApplied
  }

  private func isLastTimestamped(
    _ session: Session, _ timestamp: WallTime?, _ matches: (Payload) -> Bool
  ) throws(SchedulerError) -> Bool {
    guard let timestamp else { return false }
    return try storing { () throws(StoreError) in
      let whole = try records.whole(session)
      guard whole.timestamp == timestamp, whole.timestampRow != 0,
        let payload = try records.payload(whole.timestampRow)
      else { return false }
      return matches(payload)
    }
  }

  /// The content that a change leads to; nil where it leaves content as it is.
  private func newContent(
    _ session: Session, content: Content?, patch: JSONText?, relevanceScore: Double?
  ) throws(SchedulerError) -> KeptContent? {
    guard content != nil || patch != nil || relevanceScore != nil else { return nil }
    let now = try storing { () throws(StoreError) in
      (
        request: try records.payload(session.requestRow)?.request,
        content: try records.payload(session.contentRow)?.content
      )
    }
    var state = content?.state ?? now.content?.state ?? .emptyObject
    if let patch {
      do throws(JSONError) { state = try JSONText.mergePatch(target: state, patch: patch) } catch {
        throw .service(.invalidParameter("patch"))
      }
    }
    try checkPayload(
      attributes: now.request?["attributes"]?.byteCount ?? 2, state: state.byteCount)
    let score = content.map(\.relevanceScore) ?? (relevanceScore ?? now.content?.relevanceScore)
    return KeptContent(state: state, relevanceScore: score)
  }
}

/// Content as a row keeps it; the stale date is one of the session's terms.
struct KeptContent {
  let state: JSONText
  let relevanceScore: Double?

  func write(_ writer: inout JSONWriter) {
    writer.object("content") { writer in
      writer.member("state", state)
      writer.member("relevanceScore", relevanceScore)
    }
  }
}

extension JSONWriter {
  mutating func write(alert: Alert?) {
    guard let alert else { return }
    var parameters = RequestParameters()
    parameters.alert = alert
    parameters.encode(&self)
  }
}
