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
    if let person = call.person {
      return try noteAlertShown(call, to: person, by: peer, at: reading)
    }
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

  /// `ConfirmAlert` for another person's terminal.
  private func noteAlertShown(
    _ call: ConfirmAlertParameters, to person: UserID, by peer: Peer, at reading: ClockReading
  ) throws(SchedulerError) {
    guard peer.isAdmin else { throw notAnAdmin("confirm an alert for another person") }
    guard call.wasShown else { return }
    let count = core.events.count
    core.noteAlertShown(call.sequence, to: person, at: reading)
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
    let mayBePutOff = try storing { () throws(StoreError) in
      try self.mayBePutOff(call.sequence, by: peer.user, slot: slot)
    }
    guard mayBePutOff else { throw gone }
    // One that comes again for a person who put it off is theirs alone.
    if let person = core.unsettledAlert(call.sequence)?.person, person != peer.user { throw gone }
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

  /// Whether a person may put an alert off: one that is unsettled for them, or that they were
  /// shown. The rows of its session tell, newest first.
  private func mayBePutOff(
    _ sequence: Int64, by person: UserID, slot: UInt32
  ) throws(StoreError) -> Bool {
    var isWithdrawn = false
    var isExpired = false
    var last = core.session(slot).last
    while last > sequence {
      let rows = try store.chain(from: last, limit: 256)
      for row in rows where row.sequence > sequence && row.alertSequence == sequence {
        let isOwn = row.by == person.rawValue
        switch row.outcome.flatMap(AlertOutcome.init(rawValue:)) {
        case .withdrawn: isWithdrawn = true
        case .expired: isExpired = true
        case .shown: if isOwn { return true }
        case .failed: if isOwn { return false }
        case nil: if isOwn { return !isWithdrawn }
        }
      }
      last = rows.last?.previous ?? 0
    }
    return !isWithdrawn && !isExpired
  }
}
