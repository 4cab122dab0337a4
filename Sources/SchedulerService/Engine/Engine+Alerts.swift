internal import ActivityStore
internal import LiveActivity
internal import SchedulerAPI
internal import Scheduling

extension Engine {
  /// Whether an alert that waits is for a peer.
  func isOpen(_ entry: OutboxEntry, for peer: Peer) throws(StoreError) -> Bool {
    guard entry.isOpen(for: peer.user) else { return false }
    if entry.owner == peer.user || entry.person == peer.user { return true }
    guard core.first(entry.slot) == entry.first else { return false }
    return try isInAudience(core.session(entry.slot), peer)
  }

  /// The alerts that nobody has settled for a peer, oldest first.
  func openAlerts(for peer: Peer) throws(StoreError) -> [Int64] {
    var open: [Int64] = []
    for entry in core.unsettledAlerts where try isOpen(entry, for: peer) {
      open.append(entry.sequence)
    }
    return open
  }

  /// `ConfirmAlert`. Of a settled alert: no effect.
  func confirmAlert(
    _ call: ConfirmAlertParameters, by peer: Peer, at reading: ClockReading
  ) throws(SchedulerError) {
    try checkStore(grows: false)
    _ = try alertRow(call.sequence, for: peer)
    let isOpen = try storing { () throws(StoreError) in
      guard let entry = core.unsettledAlert(call.sequence) else { return false }
      return try self.isOpen(entry, for: peer)
    }
    guard isOpen else { return }
    let count = core.events.count
    core.confirmAlert(call.sequence, call.outcome, by: peer.user, at: reading)
    append(since: count)
    try checkStore(grows: false)
  }

  /// `SnoozeAlert`: of an alert unsettled or shown.
  func snoozeAlert(
    _ call: SnoozeAlertParameters, by peer: Peer, at reading: ClockReading
  ) throws(SchedulerError) -> WallTime {
    try checkStore(grows: true)
    let row = try alertRow(call.sequence, for: peer)
    let gone = SchedulerError.noSuchAlert(sequence: call.sequence)
    guard let alertRow = row.alertRow, let owner = row.owner,
      let field = row.alertField.flatMap(AlertSource.Field.init(rawValue:))
    else { throw gone }
    let slot = try storing { () throws(StoreError) in
      try self.slot(ofSession: row.first, owner: UserID(owner))
    }
    guard let slot else { throw gone }
    if core.unsettledAlert(call.sequence) == nil {
      let outcome = try storing { () throws(StoreError) in
        try self.outcome(of: call.sequence, slot: slot)
      }
      guard outcome == .shown || outcome == nil else { throw gone }
    }
    let count = core.events.count
    let id = ActivityID(
      stored: try storing { () throws(StoreError) in try records.id(ofSession: row.first) })
    let date = try refusing(id) { () throws(Refusal) in
      try core.snoozeAlert(
        call.sequence, source: AlertSource(row: alertRow, field: field), slot: slot,
        for: call.span, by: peer.user, at: reading)
    }
    append(since: count)
    try checkStore(grows: false)
    return date
  }

  /// The event that carries an alert which the peer may know of.
  private func alertRow(_ sequence: Int64, for peer: Peer) throws(SchedulerError) -> EventRow {
    let row = try storing { () throws(StoreError) -> EventRow? in
      guard let row = try records.payload(sequence)?.row, row.alertRow != nil,
        let packed = PackedSession(bytes: row.fields)
      else { return nil }
      if packed.session.owner == peer.user { return row }
      return try isInAudience(packed.session, peer) ? row : nil
    }
    guard let row else { throw .noSuchAlert(sequence: sequence) }
    return row
  }

  /// What became of an alert: the last word of its session's rows about it.
  private func outcome(of sequence: Int64, slot: UInt32) throws(StoreError) -> AlertOutcome? {
    var last = core.session(slot).last
    while last > sequence {
      for row in try store.chain(from: last, limit: 256) {
        if row.sequence <= sequence { return nil }
        if row.alertSequence == sequence, let outcome = row.outcome {
          return AlertOutcome(rawValue: outcome)
        }
        last = row.previous
      }
    }
    return nil
  }
}
