import LiveActivity
import Scheduling
import Testing

/// Starts and put-off alerts that wake the machine.
@Suite struct Wakes {
  private func stage(in seconds: Double = hour, skew: Int64 = 0) throws -> Stage {
    let stage = Stage(skew: skew)
    try stage.schedule(in: seconds) {
      $0.wakes = true
      $0.hasAlert = true
    }
    return stage
  }

  @Test func nothingWakesUnlessItIsAsked() throws {
    let stage = Stage()
    try stage.schedule(in: 10) { $0.hasAlert = true }
    try stage.request("told") {
      $0.start = .at(date(20))
      $0.wakes = false
    }
    #expect(stage.core.nextWakes == NextDeadlines())
    #expect(stage.nextWakeDate() == nil && stage.nextWakeDate(of: .anna) == nil)
  }

  @Test func theEarliestOfEachClockAndOwner() throws {
    let stage = try stage()
    try stage.request("dated") {
      $0.start = .at(date(2 * hour))
      $0.wakes = true
    }
    try stage.request("other", owner: .bert) {
      $0.start = .at(date(90 * minute))
      $0.wakes = true
    }
    #expect(stage.core.nextWakes.wall == date(90 * minute))
    #expect(stage.core.nextWakes == stage.expectedWakes)
    #expect(stage.nextWakeDate() == date(hour))
    #expect(stage.nextWakeDate(of: .bert) == date(90 * minute))
    stage.wait(hour)
    #expect(stage.core.nextWakes.boottime == nil)
    #expect(stage.nextWakeDate(of: .anna) == date(2 * hour))
    stage.wait(hour)
    #expect(stage.core.nextWakes == NextDeadlines())
  }

  @Test func itIsNeverBeforeTheMillisecondAtWhichTheStartFires() throws {
    let stage = try stage(skew: 1)
    let wake = try #require(stage.core.nextWakes.boottime)
    #expect(wake == stage.core.nextDeadlines.boottime)
  }

  @Test func itGoesWithTheStart() throws {
    let stage = try stage()
    try stage.reschedule { $0.start = .at(date(5 * hour)) }
    #expect(stage.core.nextWakes == NextDeadlines(wall: date(5 * hour)))
    stage.setClock(by: -day)
    #expect(stage.nextWakeDate() == date(5 * hour))
    stage.restart(after: minute)
    #expect(stage.core.nextWakes == NextDeadlines(wall: date(5 * hour)))
    try stage.cancel()
    #expect(stage.core.nextWakes == NextDeadlines())
  }

  @Test func aSpanWakesAfterAReboot() throws {
    let stage = try stage()
    stage.reboot(after: minute)
    #expect(stage.nextWakeDate() == date(hour))
    stage.setClock(by: 0)
    #expect(stage.core.nextWakes.wall == nil)
    #expect(stage.nextWakeDate() == date(hour))
  }

  @Test func anUpdateByRequestSetsItWhilePending() throws {
    let stage = Stage()
    try stage.schedule(in: hour)
    try stage.request {
      $0.ifExists = .update
      $0.wakes = true
    }
    #expect(stage.nextWakeDate() == date(hour))
    // What says nothing of it leaves it.
    try stage.request {
      $0.ifExists = .update
      $0.start = .at(date(2 * hour))
    }
    #expect(stage.nextWakeDate() == date(2 * hour))
    try stage.request {
      $0.ifExists = .update
      $0.wakes = false
    }
    #expect(stage.nextWakeDate() == nil)
    #expect(try !stage.session().wakes)
  }

  @Test func aReplacementWakesAsItSays() throws {
    let stage = try stage()
    try stage.request {
      $0.start = .at(date(2 * hour))
      $0.ifExists = .replace
    }
    #expect(stage.nextWakeDate() == nil)
  }

  @Test(arguments: [true, false]) func eachOccurrenceWakes(isDismissed: Bool) throws {
    let stage = Stage()
    try stage.schedule(in: hour) {
      $0.series = SeriesRequest(rule: .every(span(hour)))
      $0.end = .fromStart(span(minute))
      $0.wakes = true
    }
    for occurrence in 1...3 as ClosedRange<Int> {
      #expect(stage.nextWakeDate() == date(Double(occurrence) * hour))
      stage.wait(30 * minute)
      stage.restart(after: 0)
      stage.wait(30 * minute)
      if isDismissed { try stage.dismiss() }
    }
    #expect(try stage.session().wakes)
  }

  @Test func remindersDoNotWakeNorDoesAnythingAfterTheStart() throws {
    let stage = Stage()
    try stage.schedule(in: 2 * hour) {
      $0.hasAlert = true
      $0.reminders = [span(hour)]
      $0.wakes = true
    }
    #expect(stage.nextWakeDate() == date(2 * hour))
    stage.wait(hour)
    let reminder = try #require(stage.unsettled.first)
    try stage.snooze(reminder, for: 60)
    #expect(stage.nextWakeDate() == date(2 * hour))
    stage.wait(hour)
    #expect(stage.nextWakeDate() == nil)
  }

  @Test func anAlertThatItsOwnerPutOffWakes() throws {
    let stage = try stage()
    stage.wait(hour)
    let alert = try #require(stage.unsettled.first)
    let again = try stage.snooze(alert, for: 10 * minute)
    #expect(stage.nextWakeDate() == again && stage.nextWakeDate(of: .anna) == again)
    #expect(stage.core.nextWakes == stage.expectedWakes)
    stage.restart(after: minute)
    #expect(stage.nextWakeDate() == again)
    stage.wait(10 * minute)
    #expect(stage.nextWakeDate() == nil)
    let second = try #require(stage.unsettled.first)
    try stage.snooze(second, for: minute)
    try stage.cancel()
    #expect(stage.nextWakeDate() == nil)
  }

  @Test func somebodyElseDoesNotWakeTheMachine() throws {
    let stage = Stage()
    try stage.schedule {
      $0.hasAlert = true
      $0.isShared = true
      $0.wakes = true
    }
    stage.wait(10)
    let alert = try #require(stage.unsettled.first)
    try stage.snooze(alert, for: minute, by: .bert)
    #expect(stage.nextWakeDate() == nil)
  }

  @Test func whatCannotBeIsRefused() throws {
    let stage = Stage()
    let refusal = Refusal.cannotWake(why: "no clock")
    stage.refuses(refusal) {
      try $0.schedule {
        $0.wakes = true
        $0.wakeRefusal = "no clock"
      }
    }
    try stage.schedule(in: hour) { $0.wakeRefusal = "no clock" }
    stage.refuses(refusal) {
      try $0.request {
        $0.ifExists = .update
        ($0.wakes, $0.wakeRefusal) = (true, "no clock")
      }
    }
    // The same request again is what there is already.
    let again = try stage.repeatRequest(ifExists: .fail) {
      ($0.wakes, $0.wakeRefusal) = (true, "no clock")
    }
    #expect(!again.isCreated)
  }
}
