internal import ActivityStore
internal import JSON
internal import LiveActivity
internal import SchedulerAPI
internal import Scheduling
internal import Systemd
internal import Varlink

/// A move of the test clock: it is answered once all that became due has fired, is durable, and has
/// been sent to every watcher.
final class ClockMove {
  /// How the clocks are moved.
  enum Kind {
    /// Both, deadline by deadline, by what is left.
    case advance(left: Int64)
    /// Both, to the next deadline.
    case next
    /// The wall clock alone, at once.
    case step(Int64)
    /// Both at once, as in a sleep.
    case suspend(Int64)
    /// Neither: the machine has another zone, and wall times are looked at again.
    case zone
  }

  var kind: Kind
  let connection: Connection
  let wantsReply: Bool
  /// The last event before it.
  let sequence: Int64
  /// The clock is where it is to be, and nothing is due any more.
  var isDone = false
  /// When watchers that do not read are no longer waited for, on CLOCK_MONOTONIC.
  var patience: Int64 = 0

  init(_ kind: Kind, _ connection: Connection, wantsReply: Bool, sequence: Int64) {
    self.kind = kind
    self.connection = connection
    self.wantsReply = wantsReply
    self.sequence = sequence
  }
}

extension Service {
  private static let deadlinesInTurn = 500

  func perform(
    _ method: TestClockMethod, _ call: VarlinkCall, _ connection: Connection
  ) throws(SchedulerError) {
    guard connection.peer.user == .root || connection.peer.user.rawValue == Surroundings.userID
    else { throw .notPermitted(why: "only root and the daemon's own user may move its clock") }
    let wantsReply = !call.oneway
    let parameters: JSONNode
    do throws(VarlinkServiceError) { parameters = try call.checkedParameters() } catch {
      throw .service(error)
    }
    guard let move = try TestClockMove(method, decoding: parameters) else {
      _ = try TestClockNow(decoding: parameters)
      let told = TestClockNow.Reply(clocks: clock.reading)
      return reply(told, connection, wantsReply: wantsReply)
    }
    switch move {
    case .failNextCommits(let count):
      engine.store.failNextCommits(Int(clamping: max(0, count)))
      return reply(moved(since: engine.store.highestSequence), connection, wantsReply: wantsReply)
    case .setZone(let zone):
      guard Surroundings.setZone(zone) else { throw .service(.invalidParameter("zone")) }
      engine.zones.tz = zone
      lookAtZones()
      try queue(.zone, connection, wantsReply)
    case .setWakeProblem(let problem):
      engine.wakeProblem = problem
      return reply(moved(since: engine.store.highestSequence), connection, wantsReply: wantsReply)
    case .advance(let span): try queue(.advance(left: span.microseconds), connection, wantsReply)
    case .advanceTo(let date):
      let now = clock.reading.wall
      guard date >= now else {
        throw .invalidDate(
          field: "date", value: date.rfc3339, why: "the clock is past it: \(now.rfc3339)")
      }
      try queue(.advance(left: date.microseconds - now.microseconds), connection, wantsReply)
    case .advanceToNext: try queue(.next, connection, wantsReply)
    case .step(let span): try queue(.step(span.microseconds), connection, wantsReply)
    case .suspend(let span): try queue(.suspend(span.microseconds), connection, wantsReply)
    }
  }

  private func queue(
    _ kind: ClockMove.Kind, _ connection: Connection, _ wantsReply: Bool
  ) throws(SchedulerError) {
    connection.isBusy = true
    connection.endsCallLater(wantsReply: wantsReply)
    clockMoves.append(
      ClockMove(
        kind, connection, wantsReply: wantsReply, sequence: engine.core.nextSequence - 1))
    scheduleTurn()
  }

  /// Moves the clock on for the first of those that wait, and fires what becomes due; returns
  /// whether more is due at once.
  func moveClock() -> Bool {
    clockBefore = clock
    guard let move = clockMoves.first(where: { !$0.isDone }), !isPaused else { return false }
    movedBefore = (move, move.kind)
    for _ in 0..<Self.deadlinesInTurn {
      if engine.advance(to: clock.reading, limit: Self.dueInTurn) { return true }
      guard moveOnce(move) else {
        move.isDone = true
        move.patience = SystemClock.monotonic + 2_000_000
        pulse?.wake(.clockMove, at: move.patience)
        return false
      }
      if engine.failure != nil { return false }
    }
    return true
  }

  /// The batch was undone: the clock stands where it stood before it, so that what is due then is
  /// not late.
  func restoreClock() {
    guard clock.isTest else { return }
    clock = clockBefore
    if let (move, kind) = movedBefore { move.kind = kind }
    for move in clockMoves { move.isDone = false }
    lastOffset = clock.reading.offset
  }

  /// Moves the clock once; returns false where it is where it is to be.
  private func moveOnce(_ move: ClockMove) -> Bool {
    switch move.kind {
    case .advance(let left):
      guard left > 0 else { return false }
      let span = min(left, toNextDeadline ?? left)
      clock.move(wall: span, boottime: span)
      move.kind = .advance(left: left - span)
    case .next:
      guard let span = toNextDeadline else { return false }
      clock.move(wall: span, boottime: span)
      move.kind = .advance(left: 0)
    case .step(let span):
      clock.move(wall: span, boottime: 0)
      move.kind = .advance(left: 0)
    case .suspend(let span):
      // Once it has been woken, it stays awake.
      let asleep = min(span, toNextWake ?? span)
      clock.move(wall: asleep, boottime: asleep)
      move.kind = .advance(left: span - asleep)
    case .zone: return false
    }
    return true
  }

  /// The time until the next deadline on either clock.
  private var toNextDeadline: Int64? {
    toNext(engine.core.nextDeadlines)
  }

  /// The time until something wakes the machine; nil where nothing does.
  private var toNextWake: Int64? {
    engine.wakeProblem == nil ? toNext(engine.core.nextWakes) : nil
  }

  private func toNext(_ next: NextDeadlines) -> Int64? {
    let now = clock.reading
    let wall = next.wall.map { $0.microseconds - now.wall.microseconds }
    let boottime = next.boottime.map { $0.microseconds - now.boottime.microseconds }
    return [wall, boottime].compactMap { $0 }.min().map { max(0, $0) }
  }

  /// Answers moves that are through and have been told to every watcher.
  func answerClockMoves() {
    guard let move = clockMoves.first, move.isDone else { return }
    let isTold = connections.values.allSatisfy { connection in
      guard let watcher = connection.watcher else { return true }
      return watcher.isLive && connection.outbox.waiting == 0
    }
    guard isTold || SystemClock.monotonic >= move.patience else { return }
    clockMoves.removeFirst()
    move.connection.isBusy = false
    reply(moved(since: move.sequence), move.connection, wantsReply: move.wantsReply)
    settle(move.connection)
    if !clockMoves.isEmpty { scheduleTurn() }
  }

  private func moved(since sequence: Int64) -> TestClockReply {
    let last = engine.store.highestSequence
    return TestClockReply(wall: clock.reading.wall, events: last - sequence, sequence: last)
  }
}
