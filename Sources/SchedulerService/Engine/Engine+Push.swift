internal import ActivityStore
internal import JSON
internal import LiveActivity
internal import SchedulerAPI
internal import Scheduling

extension Engine {
  /// `Push`. Returns whether anything changed.
  ///
  /// What does not depend on the token is looked at first, so that nobody learns of a token by a
  /// payload that is refused; and every token takes the same way up to where it is found or not.
  func push(_ call: PushParameters, at reading: ClockReading) throws(SchedulerError) -> Bool {
    let bytes = call.payload.byteCount
    guard bytes <= settings.payloadMaxBytes else {
      throw .payloadTooLarge(bytes: Int64(bytes), limit: Int64(settings.payloadMaxBytes))
    }
    let payload = try PushPayload(call.payload)
    let ahead = settings.limits.timestampAhead.microseconds
    guard payload.timestamp.microseconds - reading.wall.microseconds <= ahead else {
      throw .invalidPayload(
        field: "aps.timestamp", why: "it is more than 24 h ahead of the clock")
    }
    guard let hash = TokenHash(of: call.token), let use = tokens[hash] else {
      throw .invalidToken
    }
    do throws(SchedulerError) {
      switch (payload.event, use) {
      case (.start(let start), .start(let use)):
        return try held(to: use.attributesType, .start(use), call.priority, at: reading) {
          () throws(SchedulerError) in
          try self.start(start, use, payload, at: reading)
        }
      case (.update, .session(let owner, let first)), (.end, .session(let owner, let first)):
        let found = try storing { () throws(StoreError) in
          try slot(pushable: first, of: owner)
        }
        guard let slot = found else { throw .invalidToken }
        return try held(to: type(of: slot), use, call.priority, at: reading) {
          () throws(SchedulerError) in
          try change(slot, payload, at: reading)
        }
      default: throw .invalidToken
      }
    } catch .outdated {
      return false
    } catch {
      throw error.ofPush
    }
  }

  private func type(of slot: UInt32) throws(SchedulerError) -> String {
    let request = try storing { () throws(StoreError) in
      try records.payload(core.session(slot).requestRow)?.request
    }
    return request?["attributesType"]?.string ?? Activity.defaultAttributesType
  }

  /// Carries out a push if the hourly budget of its type has room for it.
  private func held(
    to attributesType: String, _ use: TokenUse, _ priority: PushPriority,
    at reading: ClockReading, _ body: () throws(SchedulerError) -> Bool
  ) throws(SchedulerError) -> Bool {
    guard priority == .high else { return try body() }
    let limit =
      settings.frequentTypes.contains(attributesType)
      ? settings.frequentPushesPerHour : settings.pushesPerHour
    let boottime = reading.boottime.microseconds
    if let wait = tokens.wait(use, limit: limit, at: boottime) {
      throw .tooManyRequests(retryAfter: TimeSpan(microseconds: wait))
    }
    let isApplied = try body()
    if isApplied { tokens.spend(use, at: boottime) }
    return isApplied
  }

  /// An update or an end.
  private func change(
    _ slot: UInt32, _ payload: PushPayload, at reading: ClockReading
  ) throws(SchedulerError) -> Bool {
    let id = ActivityID(
      stored: try storing { () throws(StoreError) in
        try records.id(ofSession: core.first(slot))
      })
    guard case .end(let dismissal) = payload.event else {
      var call = UpdateParameters(.id(id))
      call.content = payload.content
      call.alert = payload.alert
      call.timestamp = payload.timestamp
      return try update(slot, id, call, by: nil, shared: nil, at: reading)
    }
    var call = EndParameters(.id(id))
    call.content = payload.content
    if call.content == nil { call.relevanceScore = payload.relevanceScore }
    call.alert = payload.alert
    call.dismissal = dismissal.map { .after($0) }
    call.timestamp = payload.timestamp
    return try end(slot, id, call, by: nil, shared: nil, at: reading)
  }

  /// A new session, in place of an older one of the same ID, type and application.
  private func start(
    _ start: PushPayload.Start, _ use: StartUse, _ payload: PushPayload, at reading: ClockReading
  ) throws(SchedulerError) -> Bool {
    try checkStore(grows: true)
    guard settings.isEnabled else {
      throw .activitiesDisabled(attributesType: nil, application: nil)
    }
    guard start.attributesType == use.attributesType else {
      throw .invalidPayload(
        field: "aps.attributes-type", why: "the token starts activities of another type")
    }
    if let id = start.id, let slot = core.find(owner: use.owner, id: id) {
      try makeWay(slot, use, payload.timestamp)
    }
    var call = RequestParameters()
    call.id = start.id
    call.application = use.application
    call.attributesType = use.attributesType
    call.attributes = start.attributes
    call.content = payload.content
    call.alert = payload.alert
    call.channel = start.channel
    call.pushType = start.channel == nil ? .token : .channel
    call.ifExists = .replace
    let caller = Caller(user: nil, isPrivileged: use.owner == .root)
    return try request(
      call, caller, owner: use.owner, audience: ResolvedAudience(), timestamp: payload.timestamp,
      at: reading
    ).reply.created
  }

  /// Throws unless whoever holds a push-to-start token may put another in the place of a session.
  private func makeWay(
    _ slot: UInt32, _ use: StartUse, _ timestamp: WallTime
  ) throws(SchedulerError) {
    let session = core.session(slot)
    guard session.state != .dismissed else { return }
    let request = try storing { () throws(StoreError) in
      try records.payload(session.requestRow)?.request
    }
    let type = request?["attributesType"]?.string ?? Activity.defaultAttributesType
    guard type == use.attributesType, request?["application"]?.string == use.application,
      session.remoteUpdates
    else {
      throw .invalidPayload(
        field: "aps.attributes.pushwoosh.activityId", why: "this token may not use that ID")
    }
    if let applied = session.timestamp, timestamp < applied {
      throw .outdated(timestamp: timestamp, applied: applied)
    }
  }
}

extension PushPayload {
  /// The content that it sets.
  fileprivate var content: Content? {
    contentState.map {
      Content(state: $0, staleDate: staleDate, relevanceScore: relevanceScore)
    }
  }
}

extension SchedulerError {
  /// What whoever holds a token hears: nothing of the activity but what concerns the payload.
  fileprivate var ofPush: SchedulerError {
    switch self {
    case .invalidDate(let field, _, let why):
      let key =
        switch field {
        case "timestamp": "timestamp"
        case "content.staleDate", "staleDate": "stale-date"
        default: "dismissal-date"
        }
      return .invalidPayload(field: "aps.\(key)", why: why)
    case .noSuchActivity, .activityOver, .remoteUpdatesStopped, .conflict, .activityExists:
      return .invalidToken
    default: return self
    }
  }
}
