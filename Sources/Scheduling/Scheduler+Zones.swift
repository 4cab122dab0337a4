public import LiveActivity

extension Scheduler {
  /// Pending sessions whose start was asked for as a wall time, among so many slots from one on; and
  /// the slot to go on from, nil at the end.
  public func pendingLocal(
    from slot: UInt32, among count: UInt32
  ) -> (slots: [UInt32], next: UInt32?) {
    sessions.pendingLocal(from: slot, among: count)
  }

  /// The wall time of a pending session's start comes to another date, since the rules of its zone
  /// changed or the machine has another one. Spans from the start move along; dates stay, whether
  /// they still fit or not, since nobody is there to be told: what does not fit makes the start
  /// `missed`. A date that is past comes at once, late.
  public mutating func moveStart(_ slot: UInt32, to date: WallTime, at reading: ClockReading) {
    observe(reading)
    var session = sessions.load(slot)
    guard session.state == .pending, session.localRow != 0 else { return }
    let date = WallTime(microseconds: date.microseconds.roundedUpToMillisecond)
    let isOfSeries = session.aside.series?.slot == session.start
    session.start = .date(min(max(date, .earliest), .latest))
    if isOfSeries, var series = session.aside.series {
      series.slot = session.start
      series.next = following(series, from: series.slot)
      session.aside.series = series
    } else {
      renewNext(&session)
    }
    session.localRow = nextSequence
    session.renewReminders(at: now)
    let told = reminderAlerts(session)
    record(.rescheduled, slot, &session, from: .pending) { $0.hasDates = true }
    // They tell a distance that is not true any more.
    withdraw(told, by: nil)
  }
}
