internal import ActivityStore
internal import JSON
internal import LiveActivity
internal import SchedulerAPI
internal import Scheduling

extension Engine {
  /// `Cancel` of one activity: the state it was found in, nil where nothing was left to do.
  func cancel(
    _ slot: UInt32, _ id: ActivityID, session: Int64?, onlyThis: Bool = false, by peer: Peer,
    at reading: ClockReading
  ) throws(SchedulerError) -> ActivityState? {
    try checkStore(grows: false)
    let count = core.events.count
    let found = try refusing(id) { () throws(Refusal) in
      try core.cancel(
        Target(slot: slot, session: session), onlyThis: onlyThis, by: peer.user, at: reading)
    }
    append(since: count)
    try checkStore(grows: false)
    return found
  }

  /// `Stop` of one activity: whether anything changed.
  func stop(
    _ slot: UInt32, _ id: ActivityID, session: Int64?, by peer: Peer, at reading: ClockReading
  ) throws(SchedulerError) -> Bool {
    try checkStore(grows: false)
    let count = core.events.count
    let isApplied = try refusing(id) { () throws(Refusal) in
      try core.stop(Target(slot: slot, session: session), by: peer.user, at: reading)
    }
    append(since: count)
    try checkStore(grows: false)
    return isApplied
  }

  /// `Dismiss`: by the owner or an admin for all, by another person for themselves.
  func dismiss(
    _ call: DismissParameters, by peer: Peer, at reading: ClockReading
  ) throws(SchedulerError) {
    try checkStore(grows: false)
    let slot = try visibleSlot(call.id, of: call.owner, for: peer)
    let session = core.session(slot)
    let isInAudience = try storing { () throws(StoreError) in
      guard session.isShared else { return false }
      return try audience(of: session).includes(peer)
    }
    let isForAll = session.owner == peer.user || !isInAudience
    // An admin sees it all the same; off their own screen it is already.
    if !isForAll, isHidden(session, from: peer.user), session.state != .dismissed,
      call.session == Int64(session.number)
    {
      return
    }
    let count = core.events.count
    try refusing(call.id) { () throws(Refusal) in
      try core.dismiss(
        Target(slot: slot, session: call.session), by: peer.user, isForAll: isForAll, at: reading)
    }
    append(since: count)
    try checkStore(grows: false)
    if !isForAll { hide(session.first, from: peer.user) }
  }

  /// `Act`.
  func act(
    _ call: ActParameters, by peer: Peer, at reading: ClockReading
  ) throws(SchedulerError) {
    try checkStore(grows: true)
    let slot = try visibleSlot(call.id, of: call.owner, for: peer)
    let isKnown = try storing { () throws(StoreError) in
      let session = try records.whole(core.session(slot))
      let actions = try records.payload(session.requestRow)?.request?["actions"]
      guard let actions, actions.kind == .array else { return false }
      return actions.elements.contains { $0["name"]?.equals(call.action) ?? false }
    }
    let count = core.events.count
    do throws(Refusal) {
      try core.act(
        Target(slot: slot, session: call.session), by: peer.user, isKnown: isKnown, at: reading)
    } catch .noSuchAction {
      throw .noSuchAction(call.action)
    } catch {
      throw SchedulerError(error, id: call.id.text)
    }
    append(since: count) { _ in
      var body = JSONWriter()
      body.beginObject()
      body.member("action", call.action)
      body.endObject()
      return body.take()
    }
    try checkStore(grows: false)
  }

  /// `SetEnabled`.
  func setEnabled(
    _ call: SetEnabledParameters, by peer: Peer, at reading: ClockReading
  ) throws(SchedulerError) {
    try checkStore(grows: false)
    let owner = try owner(call.owner, for: peer)
    let key = EnabledKey(
      owner: owner, attributesType: call.attributesType, application: call.application)
    let before = core.disabledKeys
    let count = core.events.count
    guard
      core.setEnabled(
        EnabledChange(key: key, isEnabled: call.enabled), by: peer.user, at: reading)
    else { return }
    append(since: count) { _ in call.text.bytes }
    let after = core.disabledKeys
    for key in before.subtracting(after) { setEntry(DisabledCoding.text(key), nil) }
    for key in after.subtracting(before) { setEntry(DisabledCoding.text(key), []) }
    try checkStore(grows: false)
  }
}
