public import LiveActivity
internal import TimingWheel

extension Scheduler {
  /// Where elapsed terms wait on the wall clock.
  enum Carried {
    case session(UInt32, first: Int64)
    case alert(Int64)
  }

  /// Whether elapsed terms of an earlier boot still wait on the wall clock.
  public var hasCarried: Bool { !carried.isEmpty }

  /// The wall clock was set by `step` microseconds, which is worth an event. What is due by the new
  /// reading has to have been fired before.
  public mutating func noteStep(_ step: Int64, at reading: ClockReading) {
    observe(reading)
    guard step.magnitude >= UInt64(max(0, limits.stepThreshold.microseconds)) else { return }
    var event = Event(sequence: nextSequence, kind: .clockStepped, at: now)
    nextSequence += 1
    event.step = step
    events.append(event)
  }

  /// This boot's first time sync or step: the wall clock can be trusted now, so what is left of
  /// elapsed terms is taken from it and counts on CLOCK_BOOTTIME from here on. No part of a batch.
  public mutating func anchorCarried(at reading: ClockReading) {
    observe(reading)
    let waiting = carried
    carried = []
    for place in waiting {
      switch place {
      case .session(let slot, let first):
        guard sessions.first(slot) == first else { continue }
        var session = sessions.load(slot)
        guard session.state != .dismissed else { continue }
        session.start = elapsed(session.start)
        session.stale = elapsed(session.stale)
        session.end = elapsed(session.end)
        session.limit = elapsed(session.limit)
        session.startBy = elapsed(session.startBy)
        session.dismissal = elapsed(session.dismissal)
        disarm(slot)
        sessions.save(slot, session)
        arm(slot, first: false)
      case .alert(let sequence):
        guard var entry = outbox.entries[sequence] else { continue }
        entry.deadline = elapsed(entry.deadline)
        outbox.put(sequence, entry)
        armAlert(sequence)
      }
    }
  }

  private func elapsed(_ term: Term) -> Term {
    guard case .carried(let date) = term else { return term }
    let instant = date.microseconds.addingClamped(0 &- now.offset)
    return .elapsed(BootTime(microseconds: instant.roundedUpToMillisecond))
  }
}

extension Scheduler {
  // MARK: Rebuilding from the store

  /// Puts a session that the store holds back; those of an ID in any order. Returns its slot, nil
  /// where there is no room.
  @discardableResult
  public mutating func restore(_ session: Session, id: ActivityID) -> UInt32? {
    let digest = sessions.digest(owner: session.owner, id: id)
    guard let slot = sessions.insert(session, digest: digest) else { return nil }
    if let other = sessions.find(digest) {
      if sessions.load(other).number < session.number {
        sessions.retire(other)
        sessions.makeCurrent(slot)
      }
    } else {
      sessions.makeCurrent(slot)
    }
    if session.hasCarried { carried.append(.session(slot, first: session.first)) }
    arm(slot, first: false)
    return slot
  }

  /// Puts an alert that the store holds back; its session is there already.
  public mutating func restore(_ entry: OutboxEntry) {
    outbox.put(entry.sequence, entry)
    if case .carried = entry.deadline { carried.append(.alert(entry.sequence)) }
    armAlert(entry.sequence)
  }

  /// Puts back that requests of a kind are refused.
  public mutating func restore(disabled key: EnabledKey) { disabled.insert(key) }

  /// Forgets a dismissed session that the store no longer keeps; returns whether it could.
  @discardableResult
  public mutating func forget(_ slot: UInt32, first: Int64) -> Bool {
    guard sessions.first(slot) == first, sessions.state(slot) == .dismissed,
      outbox.alerts(ofSession: first).isEmpty, undoLog.isEmpty
    else { return false }
    sessions.remove(slot)
    return true
  }
}

extension Session {
  /// Whether a term still waits on the wall clock for this boot's first sync.
  var hasCarried: Bool {
    [start, startBy, stale, end, dismissal, limit].contains {
      if case .carried = $0 { true } else { false }
    }
  }
}
