internal import LiveActivity
internal import TimingWheel

/// The two wheels, one a clock, and what the current batch did to them. An entry that a batch takes
/// out of its queue stays there, dead, until the batch is kept: so undoing it gives each its place
/// back.
struct Timers: ~Copyable {
  enum Clock {
    case wall
    case boottime
  }

  /// An entry of one of the wheels; handles of both may look the same.
  struct Entry: Hashable {
    var clock: Clock
    var handle: TimerHandle
  }

  private enum Step {
    case armed(Entry)
    case popped(Entry, deadline: Int64, token: UInt32)
  }

  private var onWall = TimingWheel()
  private var onBoottime = TimingWheel()
  private var steps: [Step] = []
  private var dead: [Entry] = []

  /// No timers.
  init() {}

  /// The earliest deadlines; exact once the batch is kept.
  var next: NextDeadlines {
    NextDeadlines(
      wall: onWall.nextDeadline.map { WallTime(microseconds: $0.microsecondsOfTick) },
      boottime: onBoottime.nextDeadline.map { BootTime(microseconds: $0.microsecondsOfTick) })
  }

  /// Gives a timer another deadline, or none, and its new handle. One that stands there already
  /// keeps its place. `forGood` is no part of a batch.
  mutating func set(
    _ clock: Clock, _ old: TimerHandle, to tick: Int64?, token: UInt32, forGood: Bool = false
  ) -> TimerHandle {
    if old != .none, let current = deadline(clock, old) {
      if current == tick { return old }
      let entry = Entry(clock: clock, handle: old)
      if forGood { cancel(entry) } else { dead.append(entry) }
    }
    guard let tick else { return .none }
    let handle =
      switch clock {
      case .wall: onWall.insert(deadline: tick, token: token)
      case .boottime: onBoottime.insert(deadline: tick, token: token)
      }
    if !forGood { steps.append(.armed(Entry(clock: clock, handle: handle))) }
    return handle
  }

  /// A timer that is due.
  struct Due {
    var clock: Clock
    var date: Int64
  }

  /// The earliest timer that is due, by date; of those of one instant one on the wall clock.
  func due(at now: ClockReading) -> Due? {
    let (wallNow, bootNow) = (now.wall.microseconds.tickBelow, now.boottime.microseconds.tickBelow)
    let wall = onWall.nextDeadline.flatMap { $0 <= wallNow ? $0.microsecondsOfTick : nil }
    let boottime = onBoottime.nextDeadline.flatMap {
      $0 <= bootNow ? $0.microsecondsOfTick.addingClamped(now.offset) : nil
    }
    guard let boottime else { return wall.map { Due(clock: .wall, date: $0) } }
    guard let wall, wall <= boottime else { return Due(clock: .boottime, date: boottime) }
    return Due(clock: .wall, date: wall)
  }

  /// Takes the earliest timer of a clock, if it is due.
  mutating func pop(_ clock: Clock, at now: ClockReading) -> (entry: Entry, token: UInt32)? {
    let handle: TimerHandle?
    let popped: (token: UInt32, deadline: Int64)?
    switch clock {
    case .wall:
      handle = onWall.nextHandle
      popped = onWall.popNext(upTo: now.wall.microseconds.tickBelow)
    case .boottime:
      handle = onBoottime.nextHandle
      popped = onBoottime.popNext(upTo: now.boottime.microseconds.tickBelow)
    }
    guard let handle, let popped else { return nil }
    let entry = Entry(clock: clock, handle: handle)
    steps.append(.popped(entry, deadline: popped.deadline, token: popped.token))
    return (entry, popped.token)
  }

  private func deadline(_ clock: Clock, _ handle: TimerHandle) -> Int64? {
    switch clock {
    case .wall: onWall.deadline(of: handle)
    case .boottime: onBoottime.deadline(of: handle)
    }
  }

  private mutating func cancel(_ entry: Entry) {
    switch entry.clock {
    case .wall: onWall.cancel(entry.handle)
    case .boottime: onBoottime.cancel(entry.handle)
    }
  }

  // MARK: Batches

  /// The batch is durable.
  mutating func keep() {
    for entry in dead { cancel(entry) }
    dead.removeAll(keepingCapacity: true)
    steps.removeAll(keepingCapacity: true)
  }

  /// The batch did not happen: each timer is where it was. Those that had fired have new handles.
  mutating func undo() -> [Entry: TimerHandle] {
    var handles: [Entry: TimerHandle] = [:]
    for step in steps.reversed() {
      switch step {
      case .armed(let entry):
        cancel(
          Entry(clock: entry.clock, handle: handles.removeValue(forKey: entry) ?? entry.handle))
      case .popped(let entry, let deadline, let token):
        handles[entry] =
          switch entry.clock {
          case .wall: onWall.insertFirst(deadline: deadline, token: token)
          case .boottime: onBoottime.insertFirst(deadline: deadline, token: token)
          }
      }
    }
    dead.removeAll(keepingCapacity: true)
    steps.removeAll(keepingCapacity: true)
    return handles
  }
}

extension Int64 {
  /// The wheel's tick of a deadline in microseconds: never early.
  var tick: Int64 {
    let (quotient, rest) = quotientAndRemainder(dividingBy: 1000)
    return rest > 0 ? quotient + 1 : quotient
  }

  /// The last tick that a reading in microseconds has reached.
  var tickBelow: Int64 {
    let (quotient, rest) = quotientAndRemainder(dividingBy: 1000)
    return rest < 0 ? quotient - 1 : quotient
  }

  /// The microseconds of a tick.
  var microsecondsOfTick: Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: 1000)
    return overflow ? (self < 0 ? .min : .max) : product
  }

  /// The difference, clamped at the ends of Int64.
  func subtractingClamped(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (self < 0 ? .min : .max) : difference
  }
}
