public import LiveActivity

// Activities that wake the machine: their starts, and their alerts that a person put off.
extension Scheduler {
  /// When the machine is to be woken next, by each clock: at the ticks at which what is due then fires.
  /// Nil where nothing is to wake it.
  public var nextWakes: NextDeadlines {
    var next = earliestWakes
    if let wall = next.wall?.microseconds { next.wall?.microseconds = wall.tick.microsecondsOfTick }
    if let boottime = next.boottime?.microseconds {
      next.boottime?.microseconds = boottime.tick.microsecondsOfTick
    }
    return next
  }

  private var earliestWakes: NextDeadlines {
    let (starts, alerts) = (sessions.wakes.next, outbox.wakes.next)
    return NextDeadlines(
      wall: Self.earlier(starts.wall, alerts.wall),
      boottime: Self.earlier(starts.boottime, alerts.boottime))
  }

  /// The next date at which anything wakes the machine, by the last reading of the clocks.
  public var nextWakeDate: WallTime? {
    let next = earliestWakes
    let boottime = next.boottime.map {
      WallTime(microseconds: $0.microseconds.addingClamped(now.offset))
    }
    return Self.earlier(next.wall, boottime)
  }

  /// The same of what one owner has; looks at all that wakes.
  public func nextWakeDate(of owner: UserID) -> WallTime? {
    var terms: [Term] = []
    for key in sessions.wakes.keys {
      let slot = UInt32(truncatingIfNeeded: key)
      if sessions.owner(slot) == owner { terms.append(sessions.load(slot).wakeTerm) }
    }
    for key in outbox.wakes.keys {
      if let entry = outbox.entries[key], entry.owner == owner { terms.append(entry.wakeTerm) }
    }
    return terms.compactMap { $0.date(at: now) }.min()
  }
}

extension Session {
  /// When it wakes the machine: at its start, while that is ahead, and then at that of the occurrence
  /// that takes its place. What it is reminded of before, and what comes later, does not.
  var wakeTerm: Term {
    guard wakes, state != .dismissed else { return .none }
    return state == .pending ? start : hasAside ? aside.series?.next ?? .none : .none
  }
}

extension OutboxEntry {
  /// When it wakes the machine: when it comes again.
  var wakeTerm: Term { wakes && isSnoozed ? deadline : .none }
}
