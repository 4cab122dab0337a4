internal import ActivityStore
internal import LiveActivity
internal import Scheduling
internal import Systemd

extension Service {
  static let hour: Int64 = 3_600_000_000

  /// When nothing else is to be done: folds what has happened, in short steps, and lets go what need
  /// not be kept.
  func keepHouse() {
    if isPaused { return }
    var hasMore = foldSome()
    do throws(StoreError) {
      if !hasMore { hasMore = try retain() }
    } catch {
      journal.log(.warning, "Housekeeping: \(error.description)")
      return
    }
    moveLog()
    if hasMore { try? housekeeping?.setEnabled(.once) }
  }

  /// Moves the WAL into the database once it is long, busy or not: left for a quiet moment it would
  /// grow for as long as the load lasts, and stall the daemon for seconds then.
  func moveLog() {
    if isPaused { return }
    do throws(StoreError) { try engine.store.checkpointStep() } catch {
      journal.log(.warning, "The write-ahead log stays long: \(error.description)")
    }
  }

  /// With a full disk nothing is stored that could wake the daemon: it looks once a second whether
  /// there is room again.
  func regainRoom() {
    guard engine.isFull else { return }
    if engine.regainReserve() {
      journal.log(.notice, "The disk has room again")
    } else {
      pulse?.wake(.room, at: SystemClock.monotonic + 1_000_000)
    }
  }

  /// Folds some of what has happened; returns whether there is more.
  @discardableResult
  func foldSome() -> Bool {
    do throws(StoreError) {
      let hasMore = try engine.store.foldStep(limit: 500)
      unfoldedRows = hasMore ? max(1, unfoldedRows - 500) : 0
      return hasMore
    } catch {
      journal.log(.warning, "What has happened cannot be folded: \(error.description)")
      unfoldedRows = 0
      return false
    }
  }

  /// A step of retention, once an hour; returns whether there is more of this round.
  private func retain() throws(StoreError) -> Bool {
    let reading = clock.reading
    guard reading.boottime.microseconds >= nextRetention else { return false }
    // A clock that has only just been set, or is not yet, must not make anything look old.
    let isSettled =
      reading.boottime.microseconds >= Self.hour
      && lastForwardStep.map { reading.boottime.microseconds - $0 >= Self.hour } ?? true
    let age = reading.wall.microseconds.addingClamped(
      0 - engine.settings.retention.microseconds)
    let rules = engine.retentionRules(
      cutoff: isSettled ? age : nil, eventsPerOwner: Int64(engine.settings.eventsPerUser))
    let step = try engine.store.retentionStep(rules)
    engine.forget(step.removedSessions)
    if !step.hasMore { nextRetention = reading.boottime.microseconds + Self.hour }
    return step.hasMore
  }
}

extension Engine {
  /// What need not be kept; the rows that a session names stay with it.
  func retentionRules(cutoff: Int64?, eventsPerOwner: Int64) -> RetentionRules {
    RetentionRules(
      cutoff: cutoff, eventsPerOwner: eventsPerOwner,
      references: { fields in
        guard let session = PackedSession(bytes: fields)?.session else { return [] }
        return [
          session.requestRow, session.contentRow, session.alertRow, session.endAlertRow,
          session.timestampRow, session.localRow,
        ].filter { $0 != 0 } + session.aside.planned.map(\.row)
      })
  }

  /// The store no longer keeps these sessions.
  func forget(_ firsts: [Int64]) {
    guard !firsts.isEmpty else { return }
    records.forgetRecent()
    for slot in core.dismissedSlots(of: Set(firsts)) {
      let first = core.first(slot)
      if core.forget(slot, first: first) { dropHidden(first) }
    }
  }

  /// Folds all there is, before a clean end.
  func foldAll() {
    while (try? store.foldStep()) == true {}
  }
}
