extension Activity {
  /// Takes in what an event says of this session, so that a watcher need not ask for it again.
  ///
  /// What only a request changes, and its event does not tell (alerts while pending, a start-by
  /// date), stays as it was.
  public mutating func apply(_ event: ActivityEvent) {
    if let whole = event.activity {
      self = whole
      return
    }
    switch event.kind {
    case .alertSettled, .alertSnoozed, .action, .reminded:
      // About the activity, not changes of it.
      return
    default: break
    }
    sequence = max(sequence, event.sequence)
    if let state = event.to { self.state = state }
    if let content = event.content { self.content = content }
    reason = reason ?? event.reason
    switch event.kind {
    case .rescheduled:
      // A start that moved to an instant has no wall time any more.
      localStart = event.localStart ?? (startDate == event.startDate ? localStart : nil)
      startDate = event.startDate
      endDate = event.endDate
    case .started:
      startedDate = event.date
      latenessMicroseconds = event.latenessMicroseconds
      if let alert = event.alert { self.alert = alert }
    case .ended: endedDate = event.dueDate ?? event.date
    case .skipped where state == .pending: (startDate, localStart) = (event.startDate, nil)
    case .skipped: nextStartDate = event.startDate
    case .remoteUpdatesStopped: remoteUpdates = false
    default: break
    }
  }
}
