internal import ActivityStore
internal import JSON
internal import LiveActivity
internal import SchedulerAPI
internal import Scheduling
internal import Systemd
internal import Varlink

extension Service {
  /// Deadlines fired, calls carried out and activities of a call for many done in one turn, at most:
  /// so that a herd keeps nobody waiting.
  static let dueInTurn = 1000
  static let callsInTurn = 1024
  static let callsOfOne = 128
  static let fannedInTurn = 256

  /// A turn comes soon: after what is ready to be read now has been read.
  func scheduleTurn() {
    guard !isTurnDue else { return }
    isTurnDue = true
    try? turnSource?.setEnabled(.once)
  }

  /// A turn follows this one: behind everything that is ready by then. A deferred source keeps its place
  /// in the queue for as long as it lives, so that callers and the watchdog would wait until all is
  /// done; a new one goes to the end.
  private func scheduleAnotherTurn() {
    isTurnDue = true
    do throws(SystemError) {
      turnSource = try loop.addDeferred { [weak self] in self?.turn() }
    } catch {
      try? turnSource?.setEnabled(.once)
    }
  }

  /// One turn.
  func turn() {
    isTurnDue = false
    var isMoreDue = !isPaused && sweepZones()
    if !isPaused, !isMoreDue {
      isMoreDue = engine.advance(to: clock.reading, limit: Self.dueInTurn)
    }
    if !isMoreDue { isMoreDue = moveClock() }
    let reading = clock.reading
    if !clockWasSet, wasSetUnnoticed(reading) {
      // What is due by now is fired first, in the next turn.
      clockWasSet = true
      scheduleTurn()
    } else if clockWasSet || clock.isTest {
      noteStep(at: reading, isMoreDue: isMoreDue || isPaused)
    }
    if !clockWasSet { lastOffset = reading.offset }
    if engine.core.hasCarried, !clock.isTest, SystemClock.isSynchronised == true {
      engine.anchor(at: reading)
    }
    carryOutCalls()
    carryOutFanOuts()
    finishBatch()
    feed()
    answerClockMoves()
    if isMoreDue || !ready.isEmpty || !lookedUp.isEmpty || !fanOuts.isEmpty
      || clockMoves.contains(where: { !$0.isDone && !isPaused })
      || fed.values.contains(where: { $0.outbox.waiting <= Connection.busyBytes })
    {
      scheduleAnotherTurn()
    }
    // What is due already comes with the next turn; a timer would put it before all callers.
    if !isMoreDue { arm() }
    tellStatus()
    if unfoldedRows > 0 { try? housekeeping?.setEnabled(.once) }
    if unfoldedRows > 20_000 { foldSome() }
    moveLog()
  }

  /// Whether commits failed lately and due work waits.
  var isPaused: Bool {
    guard let pausedUntil else { return false }
    if SystemClock.monotonic < pausedUntil { return true }
    self.pausedUntil = nil
    return false
  }

  /// Whether the wall clock was set before the kernel said so: what a step makes due wakes us first, and
  /// arming the timer anew would lose the word. Slewing moves both clocks alike.
  private func wasSetUnnoticed(_ reading: ClockReading) -> Bool {
    !clock.isTest && (reading.offset - lastOffset).magnitude > 1000
  }

  /// The wall clock was set, or the machine slept. What is due by the new reading has been fired.
  private func noteStep(at reading: ClockReading, isMoreDue: Bool) {
    // With more due the event waits for the turn in which all of it has been fired.
    clockWasSet = isMoreDue
    if isMoreDue { return }
    let step = reading.offset - lastOffset
    guard step.magnitude > 1000 else { return }
    offsetBefore = lastOffset
    if step > 0 { lastForwardStep = reading.boottime.microseconds }
    engine.noteStep(step, at: reading)
    engine.anchor(at: reading)
    engine.seeClock(reading)
  }

  /// The batch that told of a step was undone: it is told again.
  private func restoreStep() {
    guard let offset = offsetBefore else { return }
    offsetBefore = nil
    if clock.isTest { return }
    lastOffset = offset
    clockWasSet = true
  }

  // MARK: Batches

  /// Makes the batch durable and lets everybody hear of it; or takes it back, and its callers hear
  /// that.
  func finishBatch() {
    let taking = taking
    self.taking.removeAll(keepingCapacity: true)
    switch engine.commit() {
    case .nothing:
      movedBefore = nil
      offsetBefore = nil
      for connection in taking { connection.keepBatch() }
    case .kept(let rows):
      movedBefore = nil
      offsetBefore = nil
      failures = 0
      for user in replaced { engine.forgetFormer(user) }
      replaced = []
      for connection in taking { connection.keepBatch() }
      for running in fanOuts { running.fanOut.keepBatch() }
      tellZones()
      unfoldedRows += rows.count
      publish(rows)
    case .undone(let error):
      refuse(taking, error)
    }
    for connection in taking { settle(connection) }
  }

  private func refuse(_ taking: [Connection], _ error: StoreError) {
    let refusal = SchedulerError.storeUnavailable(why: error.description)
    for connection in taking { connection.refuseBatch { refusal.write(to: &$0) } }
    for running in fanOuts {
      running.connection.isBusy = false
      if running.wantsReply { refusal.write(to: &running.connection.outbox.writer) }
      settle(running.connection)
    }
    fanOuts = []
    restoreClock()
    restoreStep()
    failures += 1
    // Who has been met is met again with their next connection.
    met = []
    replaced = []
    abandoned.removeAll { !engine.isLive($0) }
    journal.log(
      .error, "Nothing can be stored: \(error.description)", id: MessageID.commitFailed)
    // 100 ms, 200 ms, … 10 s: callers are answered at once meanwhile, only what is due waits.
    let pause = min(10_000_000, Int64(100_000) << Int64(min(failures - 1, 10)))
    pausedUntil = SystemClock.monotonic + pause
    pulse?.wake(.retry, at: pausedUntil ?? 0)
    if engine.isFull { pulse?.wake(.room, at: SystemClock.monotonic + 1_000_000) }
    if error.code == .damaged { reopenStore() }
  }

  /// Damage may be in the connection alone: the file is opened anew and checked before anything is
  /// believed lost. Memory that no longer equals the file is rebuilt by a restart.
  private func reopenStore() {
    do throws(StoreError) {
      let report = try engine.store.reopen(now: clock.reading.wall)
      guard let lost = report.setAside else { return }
      journal.log(
        .error, "The store was damaged (\(lost.why)) and is set aside as \(lost.path)",
        id: MessageID.storeSetAside)
      loop.exit(ServiceFailure.Code.failure.rawValue)
    } catch {
      journal.log(.error, "\(error.description)", id: MessageID.commitFailed)
      loop.exit(ServiceFailure(error).code.rawValue)
    }
  }

  /// Tells watchers and the journal of durable rows.
  private func publish(_ rows: [EventRow]) {
    let watching = connections.values.filter { $0.watcher?.isLive == true }
      .sorted { $0.number < $1.number }
    let monotonic = SystemClock.monotonic
    for row in rows {
      var rendered: EventText?
      for connection in watching {
        let engine = engine
        do throws(StoreError) {
          try connection.watcher?.publish(
            row, engine,
            { () throws(StoreError) in
              if let rendered { return rendered.json }
              let text = try EventText(row, engine)
              rendered = text
              return text.json
            }, to: &connection.outbox.writer)
        } catch {
          journal.log(.error, "Event \(row.sequence) cannot be told: \(error.description)")
        }
      }
      journal.tell(row, monotonic: monotonic) {
        (try? engine.records.id(ofSession: row.first)) ?? ""
      }
    }
    for connection in watching { settle(connection) }
  }

  /// Sends what waits for a connection, and asks the loop for what it needs next.
  func settle(_ connection: Connection) {
    connection.flush()
    guard !connection.isClosed else {
      drop(connection)
      return
    }
    if !connection.isReady, connection.canCall, connection.inbox.hasMessage() {
      makeReady(connection)
    }
    if connection.hasEnded, !connection.isReady, !connection.isBusy,
      connection.outbox.waiting == 0, connection.watcher == nil, connection.stream == nil
    {
      drop(connection)
      return
    }
    try? connection.source?.setEvents(connection.events)
    if connection.wantsInput { try? connection.source?.setEnabled(.on) }
  }

  /// Feeds lists, histories and watchers that lag behind.
  private func feed() {
    for connection in fed.values.sorted(by: { $0.number < $1.number }) {
      var budget = 8
      while budget > 0, !connection.isClosed, connection.outbox.waiting <= Connection.busyBytes {
        budget -= 1
        if !feedOnce(connection) {
          fed[connection.number] = nil
          break
        }
      }
      settle(connection)
    }
  }

  private func feedOnce(_ connection: Connection) -> Bool {
    do {
      if let stream = connection.stream {
        if try !stream.write(to: connection) { return true }
        connection.stream = nil
        return false
      }
      return try connection.watcher?.catchUp(engine, to: &connection.outbox.writer) ?? false
    } catch {
      let why = (error as? StoreError)?.description ?? "\(error)"
      SchedulerError.storeUnavailable(why: why).write(to: &connection.outbox.writer)
      connection.flush()
      connection.close()
      return false
    }
  }
}

/// The text of an event, made once for all who are told.
private struct EventText {
  let json: JSONText

  init(_ row: EventRow, _ engine: Engine) throws(StoreError) {
    var writer = JSONWriter()
    try engine.records.event(row).encode(&writer)
    json = JSONText(trusted: writer.take())
  }
}
