import LiveActivity
import Scheduling
import Testing

/// Random batches, undone and done again.
@Suite struct RandomBatches {
  @Test(arguments: 1...25)
  func undoneBatchesLeaveNoTrace(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let stage = Stage()
    // The same steps, none of them ever undone.
    let plain = Stage()
    for batch in 0..<60 {
      let now = stage.now
      let steps = (0...generator.next(upperBound: 8 as UInt64)).map { _ in
        generator.step(at: now)
      }
      if generator.oneIn(2) {
        let before = stage.dump()
        // Not always the same steps as those that come in the end.
        let lost = generator.oneIn(2) ? steps : steps.reversed()
        for step in lost { stage.take(step) }
        stage.undo()
        stage.now = now
        guard stage.dump() == before else {
          Issue.record("seed \(seed), batch \(batch): undoing left traces of \(lost)")
          return
        }
      }
      for step in steps { stage.take(step) }
      for step in steps { plain.take(step) }
      guard stage.core.events == plain.core.events else {
        Issue.record("seed \(seed), batch \(batch): other events after an undone batch: \(steps)")
        return
      }
      stage.keep()
      plain.keep()
      guard stage.core.nextWakes == stage.expectedWakes else {
        Issue.record("seed \(seed), batch \(batch): wakes otherwise than it should")
        return
      }
    }
    #expect(stage.dump() == plain.dump(), "seed \(seed)")
    #expect(stage.events.count > 30, "seed \(seed)")
  }

  @Test(arguments: 1...20)
  func whatHoldsAlways(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed &* 7919)
    let stage = Stage()
    for _ in 0..<300 {
      stage.take(generator.step(at: stage.now))
      if generator.oneIn(2) { stage.keep() }
      if generator.oneIn(40) {
        stage.keep()
        stage.restart(after: 1)
      }
      if generator.oneIn(80) {
        stage.keep()
        stage.reboot(after: 30)
      }
      guard stage.core.nextWakes == stage.expectedWakes else {
        Issue.record("seed \(seed): wakes otherwise than it should")
        return
      }
    }
    stage.keep()
    stage.endSeries()
    stage.wait(day)
    let broken = Lives(events: stage.events).broken
    #expect(broken.isEmpty, "seed \(seed): \(broken)")
    let counts = stage.core.counts
    #expect(counts.pending == 0 || stage.isWaiting, "seed \(seed)")
    #expect(counts.ended == 0 && counts.active == 0, "seed \(seed)")
  }
}

/// Reads all events, and says what in them may never be.
struct Lives {
  private(set) var broken: [String] = []
  private var states: [Int64: ActivityState] = [:]
  private var last: [Int64: Int64] = [:]
  private var live: [UserID: Set<Int64>] = [:]
  private var settled: Set<Int64> = []
  private var offered: [Int64: Int64] = [:]

  init(events: [Event]) {
    for (index, event) in events.enumerated() {
      if event.sequence != Int64(index) + 1 { broken.append("event \(index) is \(event.sequence)") }
      if let due = event.due, event.kind != .alertSnoozed, due > event.at.wall {
        broken.append("\(event.sequence) is early")
      }
      if let session = event.session { read(event, session) }
    }
  }

  private mutating func read(_ event: Event, _ session: Session) {
    let first = session.first
    if event.kind == .scheduled {
      if states[first] != nil { broken.append("\(first) is scheduled twice") }
    } else {
      if event.previous != last[first] { broken.append("\(event.sequence) misses one before it") }
      if event.from != states[first] { broken.append("\(event.sequence) is from another state") }
    }
    let old = states[first]
    if let old, session.state != old {
      let isForward = old.rawValue < session.state.rawValue
      let isFresh = old == .stale && session.state == .active && event.kind == .fresh
      if !isForward && !isFresh { broken.append("\(event.sequence) revives \(first)") }
    }
    if event.kind == .started, old != .pending { broken.append("\(event.sequence) starts again") }
    if event.alert != nil {
      offered[event.sequence] = first
      if session.state == .dismissed, session.isCancelled {
        broken.append("\(event.sequence) alerts after a cancel")
      }
    }
    states[first] = session.state
    last[first] = event.sequence
  }
}
