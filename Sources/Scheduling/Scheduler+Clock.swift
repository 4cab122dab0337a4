public import LiveActivity

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
    anchorOffset = reading.offset
    let waiting = carried
    carried = []
    for place in waiting {
      switch place {
      case .session(let slot, let first):
        if sessions.first(slot) == first { anchor(slot) }
      case .alert(let sequence):
        anchor(alert: sequence)
      }
    }
  }

  /// Once this boot's clock is trusted, no elapsed term of a session is left on the wall clock.
  mutating func anchor(_ slot: UInt32) {
    guard let anchorOffset else { return }
    var session = sessions.load(slot)
    guard session.state != .dismissed, session.hasCarried else { return }
    session.mapTerms { $0.anchored(by: anchorOffset) }
    save(slot, session, forGood: true)
  }

  /// The same of an alert.
  mutating func anchor(alert sequence: Int64) {
    guard let anchorOffset, var entry = outbox.entries[sequence],
      case .carried = entry.deadline
    else { return }
    entry.deadline = entry.deadline.anchored(by: anchorOffset)
    outbox.put(sequence, entry)
    armAlert(sequence, forGood: true)
  }
}

extension Scheduler {
  // MARK: Rebuilding from the store

  /// Puts a session that the store holds back; those of an ID in any order. Returns its slot, nil
  /// where there is no room. Of a dismissed one that has no alerts waiting less need be kept.
  @discardableResult
  public mutating func restore(
    _ session: Session, id: ActivityID, hasAlerts: Bool = true
  ) -> UInt32? {
    let digest = sessions.digest(owner: session.owner, id: id)
    guard let slot = sessions.insert(session, digest: digest, isWhole: hasAlerts) else {
      return nil
    }
    if let other = sessions.find(digest) {
      if sessions.load(other).number < session.number {
        sessions.retire(other)
        sessions.makeCurrent(slot)
      }
    } else {
      sessions.makeCurrent(slot)
    }
    if session.hasCarried { carried.append(.session(slot, first: session.first)) }
    arm(slot, session, from: sessions.timers(slot), forGood: true)
    return slot
  }

  /// Puts an alert that the store holds back; its session is there already.
  public mutating func restore(_ entry: OutboxEntry) {
    outbox.put(entry.sequence, entry)
    if case .carried = entry.deadline { carried.append(.alert(entry.sequence)) }
    armAlert(entry.sequence, forGood: true)
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
