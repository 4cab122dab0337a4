internal import ActivityStore
internal import JSON
internal import LiveActivity
internal import SchedulerAPI
internal import Scheduling

// Updates that are to come by themselves.
extension Engine {
  /// `Update` with a date: the row that takes it holds what it will bring.
  func plan(
    _ slot: UInt32, _ id: ActivityID, _ call: UpdateParameters, by peer: Peer,
    at reading: ClockReading
  ) throws(SchedulerError) {
    let session = core.session(slot)
    var command = PlanCommand()
    command.due = call.due.map(DateRule.init)
    command.discards = call.discardsPlanned
    command.hasAlert = call.alert != nil
    if let content = call.content {
      command.change = .whole
      command.stale = content.staleDate.map { .set($0) } ?? .clear
    } else {
      if call.patch != nil || call.relevanceScore != nil { command.change = .merged }
      if let date = call.staleDate { command.stale = .set(date) }
    }
    if let size = (call.content?.state ?? call.patch)?.byteCount {
      let request = try storing { () throws(StoreError) in
        try records.payload(session.requestRow)?.request
      }
      try checkPayload(attributes: request?["attributes"]?.byteCount ?? 2, state: size)
    }
    var body = JSONWriter()
    body.beginObject()
    if let content = call.content {
      KeptContent(state: content.state, relevanceScore: content.relevanceScore).write(&body)
    }
    body.member("patch", call.patch)
    if call.content == nil { body.member("relevanceScore", call.relevanceScore) }
    body.write(alert: call.alert)
    body.endObject()
    let bytes = body.take()
    let count = core.events.count
    let target = Target(slot: slot, session: call.session, ifSequence: call.ifSequence)
    let names = call.due?.span == nil ? [:] : ["at": "afterUSec"]
    try refusing(id, naming: names) { () throws(Refusal) in
      try core.plan(target, command, by: peer.user, at: reading)
    }
    append(since: count) { $0.kind == .updatePlanned && bytes.count > 2 ? bytes : [] }
    try checkStore(grows: false)
  }

  /// What comes with an event that time caused: the content that a planned update merges.
  func timedBody(_ event: Event) throws(StoreError) -> [UInt8] {
    guard let planned = event.planned, planned.isMerged else { return [] }
    let update = try records.payload(planned.row)
    let before = try records.payload(planned.contentBefore)?.content
    var content = KeptContent(
      state: before?.state ?? .emptyObject,
      relevanceScore: update?.relevanceScore ?? before?.relevanceScore)
    if let patch = update?.patch, let session = event.session {
      let request = try records.payload(session.requestRow)?.request
      let attributes = request?["attributes"]?.byteCount ?? 2
      if let merged = try? JSONText.mergePatch(target: content.state, patch: patch),
        attributes + merged.byteCount <= settings.payloadMaxBytes
      {
        content = KeptContent(state: merged, relevanceScore: content.relevanceScore)
      }
    }
    var body = JSONWriter()
    body.beginObject()
    content.write(&body)
    body.endObject()
    return body.take()
  }
}
