internal import ActivityStore
internal import JSON
internal import LiveActivity
internal import SchedulerAPI
internal import Scheduling
internal import Systemd
internal import Varlink

/// A call for many activities that goes on over several turns.
struct RunningFanOut {
  let fanOut: FanOut
  let connection: Connection
  let wantsReply: Bool
}

extension Service {
  /// Carries out one call; its reply waits with the batch.
  func perform(_ call: VarlinkCall, _ connection: Connection, at reading: ClockReading) {
    connection.beginsCall(wantsReply: !call.oneway)
    join(connection)
    do throws(SchedulerError) {
      let push = PushMethod(call)
      // Everybody of a foreign user namespace looks the same: nobody can be told from another. Who
      // pushes need not be told.
      guard connection.peer.user != .overflow || push == .push else {
        throw .notPermitted(why: "this system knows no user behind uid 65534")
      }
      if let method = SchedulerMethod(call) {
        try perform(method, call, connection, at: reading)
      } else if let push {
        try perform(push, call, connection, at: reading)
      } else if clock.isTest, let method = TestClockMethod(call) {
        try perform(method, call, connection)
      } else {
        description.answer(call, &connection.outbox.writer)
      }
    } catch {
      fail(error, connection, wantsReply: !call.oneway)
    }
  }

  func fail(_ error: SchedulerError, _ connection: Connection, wantsReply: Bool) {
    if case .notPermitted(let why) = error {
      journal.log(
        .notice, "User \(connection.peer.user.rawValue) was refused: \(why)",
        id: MessageID.refused, [JournalField("LASCHED_BY_UID", connection.peer.user.rawValue)])
    }
    if wantsReply { error.write(to: &connection.outbox.writer) }
  }

  func reply(
    _ reply: some SchedulerReply, _ connection: Connection, wantsReply: Bool
  ) {
    guard wantsReply else { return }
    connection.outbox.writer.varlinkReply { reply.encode(&$0) }
  }

  private func perform(
    _ method: SchedulerMethod, _ call: VarlinkCall, _ connection: Connection,
    at reading: ClockReading
  ) throws(SchedulerError) {
    let peer = connection.peer
    let wantsReply = !call.oneway
    switch method {
    case .request: try request(RequestParameters(call), connection, wantsReply, at: reading)
    case .reschedule:
      let parameters = try RescheduleParameters(call)
      try limit(peer)
      let done = try engine.reschedule(parameters, by: peer, at: reading)
      reply(done, connection, wantsReply: wantsReply)
    case .update:
      let parameters = try UpdateParameters(call)
      try limit(peer)
      try update(parameters, connection, wantsReply, at: reading)
    case .end: try end(EndParameters(call), connection, wantsReply, at: reading)
    case .cancel: try cancel(CancelParameters(call), connection, wantsReply, at: reading)
    case .stop: try stop(StopParameters(call), connection, wantsReply, at: reading)
    case .dismiss:
      try engine.dismiss(DismissParameters(call), by: peer, at: reading)
      reply(EmptyReply(), connection, wantsReply: wantsReply)
    case .act:
      let parameters = try ActParameters(call)
      try limit(peer)
      try engine.act(parameters, by: peer, at: reading)
      reply(EmptyReply(), connection, wantsReply: wantsReply)
    case .get:
      let found = try engine.get(GetParameters(call), by: peer)
      reply(found, connection, wantsReply: wantsReply)
    case .list: try list(call, connection)
    case .history: try history(call, connection)
    case .monitor: try monitor(call, connection)
    case .confirmAlert:
      try engine.confirmAlert(ConfirmAlertParameters(call), by: peer, at: reading)
      reply(EmptyReply(), connection, wantsReply: wantsReply)
    case .snoozeAlert:
      let parameters = try SnoozeAlertParameters(call)
      try limit(peer)
      let date = try engine.snoozeAlert(parameters, by: peer, at: reading)
      reply(SnoozeAlertParameters.Reply(date: date), connection, wantsReply: wantsReply)
    case .skip:
      let parameters = try SkipParameters(call)
      try limit(peer)
      let done = try engine.skip(parameters, by: peer, at: reading)
      reply(done, connection, wantsReply: wantsReply)
    case .setEnabled:
      try engine.setEnabled(SetEnabledParameters(call), by: peer, at: reading)
      reply(EmptyReply(), connection, wantsReply: wantsReply)
    case .getStatus:
      try getStatus(GetStatusParameters(call), connection, wantsReply)
    }
  }

  /// Ordinary users may update only so often.
  func limit(_ peer: Peer) throws(SchedulerError) {
    guard !peer.isAdmin else { return }
    let settings = engine.settings
    if let wait = limiter.take(
      peer.user, perSecond: settings.updatesPerSecond, burst: settings.updatesBurst,
      monotonic: SystemClock.monotonic)
    {
      throw .tooManyRequests(retryAfter: TimeSpan(microseconds: wait))
    }
  }

  // MARK: Many at once

  private func update(
    _ call: UpdateParameters, _ connection: Connection, _ wantsReply: Bool,
    at reading: ClockReading
  ) throws(SchedulerError) {
    if case .id(let id) = call.address, !call.everyOwner {
      let owner = try engine.owner(call.owner, for: connection.peer)
      let slot = try engine.slot(of: id, owner: owner)
      let isApplied = try engine.update(
        slot, id, call, by: connection.peer, shared: nil, at: reading)
      let done = AppliedReply(applied: isApplied ? 1 : 0, skipped: 0)
      return reply(done, connection, wantsReply: wantsReply)
    }
    let places = try engine.places(
      call.address, owner: call.owner, everyOwner: call.everyOwner, withEnded: false,
      for: connection.peer)
    try fanOut(.update(call), places, connection, wantsReply, at: reading)
  }

  private func end(
    _ call: EndParameters, _ connection: Connection, _ wantsReply: Bool, at reading: ClockReading
  ) throws(SchedulerError) {
    if case .id(let id) = call.address, !call.everyOwner {
      let owner = try engine.owner(call.owner, for: connection.peer)
      let slot = try engine.slot(of: id, owner: owner)
      let isApplied = try engine.end(slot, id, call, by: connection.peer, shared: nil, at: reading)
      let done = AppliedReply(applied: isApplied ? 1 : 0, skipped: 0)
      return reply(done, connection, wantsReply: wantsReply)
    }
    let places = try engine.places(
      call.address, owner: call.owner, everyOwner: call.everyOwner, withEnded: false,
      for: connection.peer)
    try fanOut(.end(call), places, connection, wantsReply, at: reading)
  }

  private func cancel(
    _ call: CancelParameters, _ connection: Connection, _ wantsReply: Bool,
    at reading: ClockReading
  ) throws(SchedulerError) {
    let places: [SessionPlace]
    if case .id(let id) = call.address, !call.everyOwner {
      let owner = try engine.owner(call.owner, for: connection.peer)
      let slot = try engine.slot(of: id, owner: owner)
      let state = try engine.cancel(
        slot, id, session: call.session, onlyThis: call.onlyThis, by: connection.peer, at: reading)
      var done = CancelReply(applied: state == nil ? 0 : 1, skipped: 0)
      switch state {
      case .pending: done.pending = 1
      case .active: done.active = 1
      case .stale: done.stale = 1
      case .ended: done.ended = 1
      case .dismissed, nil: break
      }
      return reply(done, connection, wantsReply: wantsReply)
    }
    places = try engine.places(
      call.address, owner: call.owner, everyOwner: call.everyOwner, withEnded: true,
      for: connection.peer)
    try fanOut(.cancel(call), places, connection, wantsReply, at: reading)
  }

  private func stop(
    _ call: StopParameters, _ connection: Connection, _ wantsReply: Bool, at reading: ClockReading
  ) throws(SchedulerError) {
    if let id = call.id {
      let owner = try engine.owner(call.owner, for: connection.peer)
      let slot = try engine.slot(of: id, owner: owner)
      let isApplied = try engine.stop(
        slot, id, session: call.session, by: connection.peer, at: reading)
      let done = StopParameters.Reply(applied: isApplied ? 1 : 0)
      return reply(done, connection, wantsReply: wantsReply)
    }
    let places = try engine.livePlaces(of: call.owner, for: connection.peer)
    try fanOut(.stop(call), places, connection, wantsReply, at: reading)
  }

  private func fanOut(
    _ work: FanOut.Work, _ places: [SessionPlace], _ connection: Connection, _ wantsReply: Bool,
    at reading: ClockReading
  ) throws(SchedulerError) {
    let fanOut = FanOut(work, peer: connection.peer, places: places)
    let running = RunningFanOut(fanOut: fanOut, connection: connection, wantsReply: wantsReply)
    try fanOut.step(engine, limit: Self.fannedInTurn, at: reading)
    guard !fanOut.isDone else { return finish(running) }
    connection.isBusy = true
    connection.endsCallLater(wantsReply: wantsReply)
    fanOuts.append(running)
  }

  /// Calls for many activities go on, one turn after the other.
  func carryOutFanOuts() {
    let reading = clock.reading
    var left: [RunningFanOut] = []
    for running in fanOuts {
      do throws(SchedulerError) {
        try running.fanOut.step(engine, limit: Self.fannedInTurn, at: reading)
      } catch {
        // The batch fails with it, and every caller in it is told.
      }
      if running.fanOut.isDone {
        running.connection.beginsCall(wantsReply: running.wantsReply)
        join(running.connection)
        running.connection.isBusy = false
        finish(running)
      } else {
        left.append(running)
      }
    }
    fanOuts = left
  }

  private func finish(_ running: RunningFanOut) {
    let fanOut = running.fanOut
    switch fanOut.work {
    case .update, .end:
      let done = AppliedReply(applied: fanOut.applied, skipped: fanOut.skipped)
      reply(done, running.connection, wantsReply: running.wantsReply)
    case .cancel: reply(fanOut.cancelReply, running.connection, wantsReply: running.wantsReply)
    case .stop:
      let done = StopParameters.Reply(applied: fanOut.applied)
      reply(done, running.connection, wantsReply: running.wantsReply)
    }
  }

  // MARK: Reading

  private func list(_ call: VarlinkCall, _ connection: Connection) throws(SchedulerError) {
    let stream = try ListStream(ListParameters(call), engine, by: connection.peer)
    guard !call.oneway else { return }
    if call.more {
      feed(connection, stream)
    } else {
      let text = try stream.whole()
      connection.outbox.writer.varlinkReply { $0.member("activities", text) }
    }
  }

  private func history(_ call: VarlinkCall, _ connection: Connection) throws(SchedulerError) {
    let stream = try HistoryStream(HistoryParameters(call), engine, by: connection.peer)
    guard !call.oneway else { return }
    if call.more {
      feed(connection, stream)
    } else {
      let text = try stream.whole()
      connection.outbox.writer.varlinkReply { $0.member("events", text) }
    }
  }

  private func feed(_ connection: Connection, _ stream: any ReplyStream) {
    connection.stream = stream
    fed[connection.number] = connection
  }

  private func monitor(_ call: VarlinkCall, _ connection: Connection) throws(SchedulerError) {
    let parameters = try MonitorParameters(call)
    guard call.more, !call.oneway else { throw .service(.expectedMore) }
    connection.watcher = try Watcher(parameters, by: connection.peer, engine: engine)
    fed[connection.number] = connection
  }
}
