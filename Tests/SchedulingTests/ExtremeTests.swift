import LiveActivity
import Scheduling
import Testing

/// Values at the ends of their range end in an answer or a refusal, never in a trap.
@Suite struct Extremes {
  let last = WallTime.latest

  @Test func aStartAfterTheYear9999IsRefused() {
    let stage = Stage()
    let after = WallTime(microseconds: last.microseconds + 1)
    for start in [StartRule.at(after), .at(last), .at(WallTime(microseconds: .max))] {
      stage.refuses(date: "start.at") { try $0.request { $0.start = start } }
    }
    for span in [TimeSpan(microseconds: .max), TimeSpan.seconds(300_000_000_000)] {
      stage.refuses(date: "start.afterUSec") { try $0.request { $0.start = .after(span) } }
    }
  }

  @Test func theLastMillisecondOfTheYear9999IsADate() throws {
    let stage = Stage()
    let start = WallTime(microseconds: last.microseconds - 999_999)
    let end = WallTime(microseconds: last.microseconds - 999)
    try stage.request {
      $0.start = .at(start)
      $0.end = .date(end)
    }
    #expect(stage.core.nextDeadlines.wall == start)
    stage.sleep(Double(end.microseconds - stage.now.wall.microseconds) / 1_000_000)
    #expect(stage.state() == .dismissed)
  }

  @Test(arguments: [Int64.max, Int64.max - 1, .min, .min + 1, -1, 253_402_300_799_999_999])
  func otherDatesAreRefused(_ value: Int64) {
    let stage = Stage()
    let rules = [
      DateRule.date(WallTime(microseconds: value)), .fromStart(TimeSpan(microseconds: value)),
    ]
    for rule in rules {
      stage.refuses(date: "endDate") { try $0.schedule { $0.end = rule } }
      stage.refuses(date: "staleDate") { try $0.schedule { $0.stale = rule } }
      stage.refuses(date: "startByDate") { try $0.schedule { $0.startBy = rule } }
    }
  }

  @Test func anyStartBefore1970IsPast() {
    let stage = Stage()
    for value in [Int64.min, -1, 0] {
      #expect(throws: Refusal.self) {
        try stage.request { $0.start = .at(WallTime(microseconds: value)) }
      }
      #expect(throws: Refusal.self) {
        try stage.request { $0.start = .after(TimeSpan(microseconds: value)) }
      }
    }
  }

  @Test(arguments: [Int64.max, .min, -1_000_000, 253_402_300_799_999_999])
  func datesInChangesOfWhatRuns(_ value: Int64) throws {
    let stage = Stage()
    let date = WallTime(microseconds: value)
    try stage.request { $0.end = .fromStart(span(hour)) }
    for rule in [DateRule.date(date), .fromStart(TimeSpan(microseconds: value))] {
      stage.refuses(date: "endDate") { try $0.reschedule { $0.end = rule } }
      stage.refuses(date: "staleDate") { try $0.reschedule { $0.stale = rule } }
      stage.refuses(date: "endDate") {
        try $0.request {
          $0.end = rule
          $0.ifExists = .update
        }
      }
    }
    stage.refuses(date: "staleDate") { try $0.update { $0.stale = .set(date) } }
    try stage.end { $0.dismissal = .after(date) }
  }

  @Test func timestampsAtTheEnds() throws {
    let stage = Stage()
    try stage.request()
    stage.refuses(date: "timestamp") {
      try $0.update { $0.timestamp = WallTime(microseconds: .max) }
    }
    try stage.update { $0.timestamp = WallTime(microseconds: .min) }
    try stage.update { $0.timestamp = WallTime(microseconds: 0) }
  }

  @Test func snoozesAtTheEnds() throws {
    let stage = Stage()
    try stage.request { $0.hasAlert = true }
    for microseconds in [Int64.max, .min, -1, 0] {
      stage.refuses(date: "forUSec") { stage in
        _ = try stage.core.snoozeAlert(
          2, source: AlertSource(row: 1, field: .startAlert), slot: try stage.slot("tea"),
          for: TimeSpan(microseconds: microseconds), by: .anna, at: stage.now)
      }
    }
  }

  @Test func handlesAtTheEnds() throws {
    let stage = Stage()
    try stage.schedule()
    for value in [Int64.max, .min, 0, -1] {
      stage.refuses(.conflict(session: 1, sequence: 1)) { try $0.cancel(session: value) }
      stage.refuses(.conflict(session: 1, sequence: 1)) { try $0.update(ifSequence: value) }
    }
  }

  @Test(arguments: [
    (Int64.min, Int64.min), (.max, .max), (.min, .max), (.max, .min), (-1, -1), (0, 0),
  ])
  func readingsOfTheClocksAtTheEnds(_ wall: Int64, _ boottime: Int64) throws {
    let stage = Stage()
    try stage.schedule("a") {
      $0.hasAlert = true
      $0.startBy = .fromStart(span(5))
      $0.stale = .fromStart(span(10))
      $0.end = .fromStart(span(20))
    }
    try stage.request("b") {
      $0.hasAlert = true
      $0.stale = .fromStart(span(10))
      $0.end = .date(date(hour))
    }
    try stage.request("c")
    try stage.end("c")
    stage.now = ClockReading(
      wall: WallTime(microseconds: wall), boottime: BootTime(microseconds: boottime))
    stage.advance()
    _ = try? stage.update("b")
    _ = try? stage.reschedule("b") { $0.end = .fromStart(span(60)) }
    _ = try? stage.end("b")
    _ = try? stage.request("d") { $0.start = .after(span(1)) }
    stage.core.noteStep(wall, at: stage.now)
    _ = stage.dump()
    _ = stage.core.nextDate
    stage.undo()
  }

  @Test func absurdLimits() throws {
    for value in [Int64.min, -1, 0, .max] {
      var limits = Limits()
      limits.active = TimeSpan(microseconds: value)
      limits.ended = TimeSpan(microseconds: value)
      limits.alertTimeToLive = TimeSpan(microseconds: value)
      limits.stepThreshold = TimeSpan(microseconds: value)
      limits.timestampAhead = TimeSpan(microseconds: value)
      let stage = Stage(limits: limits)
      try stage.request { $0.hasAlert = true }
      stage.wait(day)
      stage.setClock(by: 1)
      _ = try? stage.update { $0.timestamp = date(0) }
      _ = try? stage.end()
      stage.wait(day)
      _ = stage.dump()
    }
  }
}
