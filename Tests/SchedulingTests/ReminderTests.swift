import LiveActivity
import Scheduling
import Testing

/// Alerts some time before the start.
@Suite struct Reminders {
  private func stage(
    in seconds: Double = 2 * hour, reminders: [Double] = [hour, 10 * minute]
  ) throws -> Stage {
    let stage = Stage()
    try stage.schedule(in: seconds) {
      $0.hasAlert = true
      $0.reminders = reminders.map { span($0) }
    }
    return stage
  }

  private func states(_ stage: Stage) throws -> [Reminder.State] {
    try stage.session().reminders(at: stage.now).map(\.state)
  }

  @Test func eachComesBeforeTheStartAndTheLastIsWithdrawnByTheNext() throws {
    let stage = try stage()
    _ = stage.news()
    stage.wait(hour - 0.001)
    #expect(stage.news() == [])
    stage.wait(0.001)
    let told = try #require(stage.newEvents().first)
    #expect(told.kind == .reminded && told.due == date(hour) && told.lateness == 0)
    #expect(told.alert == AlertSource(row: 1, field: .reminder))
    #expect(try states(stage) == [.told, .ahead])
    // Nobody shows anything: the first one expires, the second waits until the start comes.
    stage.wait(hour)
    #expect(
      stage.news() == [
        "tea alertSettled 2 expired", "tea reminded with alert", "tea started with alert",
        "tea alertSettled 4 withdrawn",
      ])
    #expect(stage.open(for: .anna) == [5])
    #expect(try stage.session().aside.isEmpty)
  }

  @Test func whatIsPastAlreadyIsSkipped() throws {
    let stage = try stage(in: 30 * minute)
    #expect(try states(stage) == [.skipped, .ahead])
    _ = stage.news()
    stage.wait(30 * minute)
    #expect(stage.news().filter { $0.hasPrefix("tea reminded") } == ["tea reminded with alert"])
  }

  @Test func oneOfTheVeryNowIsPast() throws {
    let stage = try stage(in: hour)
    #expect(try states(stage) == [.skipped, .ahead])
  }

  @Test func theyMoveWithTheStart() throws {
    let stage = try stage()
    stage.wait(hour)
    _ = stage.news()
    try stage.reschedule { $0.start = .at(date(10 * hour)) }
    #expect(stage.news() == ["tea rescheduled", "tea alertSettled 2 withdrawn by 1000"])
    #expect(try states(stage) == [.ahead, .ahead])
    stage.wait(8 * hour)
    #expect(stage.newEvents().map(\.due) == [date(9 * hour)])
    try stage.reschedule { $0.start = .after(span(5 * minute)) }
    #expect(try states(stage) == [.skipped, .skipped])
  }

  @Test func aChangeOfOtherDatesLeavesThem() throws {
    let stage = try stage()
    stage.wait(hour)
    try stage.reschedule { $0.end = .fromStart(span(hour)) }
    #expect(try states(stage) == [.told, .ahead])
    #expect(stage.open(for: .anna) == [2])
  }

  @Test func othersTakeTheirPlaceOrNone() throws {
    let stage = try stage()
    try stage.reschedule { $0.reminders = [span(20 * minute), span(20 * minute)] }
    #expect(try stage.session().reminders(at: stage.now).map(\.before) == [span(20 * minute)])
    try stage.reschedule { $0.reminders = [] }
    _ = stage.news()
    stage.wait(2 * hour)
    #expect(stage.news() == ["tea started with alert"])
  }

  @Test func theyAreGoneWithACancel() throws {
    let stage = try stage()
    stage.wait(hour)
    _ = stage.news()
    try stage.cancel()
    #expect(stage.news() == ["tea dismissed (cancelled)", "tea alertSettled 2 withdrawn by 1000"])
    stage.wait(day)
    #expect(stage.news() == [])
  }

  @Test func afterDowntimeTheNearestSpeaksForAll() throws {
    let stage = try stage()
    _ = stage.news()
    stage.sleep(115 * minute)
    #expect(stage.news() == ["tea reminded late 300s with alert"])
    #expect(try states(stage) == [.skipped, .told])
  }

  @Test func aStartThatHasComeNeedsNone() throws {
    let stage = try stage()
    _ = stage.news()
    stage.sleep(3 * hour)
    #expect(stage.news() == ["tea started late 3600s with alert"])
  }

  @Test func theyAreOnTheClockOfTheStart() throws {
    let stage = try stage()
    stage.setClock(by: day)
    _ = stage.news()
    stage.wait(hour - 1)
    #expect(stage.news() == [])
    stage.wait(1)
    #expect(stage.news() == ["tea reminded with alert"])
    let wall = Stage()
    try wall.schedule {
      $0.start = .at(date(2 * hour))
      $0.hasAlert = true
      $0.reminders = [span(hour)]
    }
    _ = wall.news()
    wall.setClock(by: 1.5 * hour)
    #expect(wall.news().contains("tea reminded late 1800s with alert"))
  }

  @Test func theySurviveRebootsAndRestarts() throws {
    let stage = try stage()
    stage.restart(after: 1)
    stage.reboot(after: 1)
    _ = stage.news()
    stage.wait(hour - 2)
    #expect(stage.news() == ["tea reminded with alert"])
    stage.restart(after: 1)
    #expect(try states(stage) == [.told, .ahead])
    #expect(stage.open(for: .anna) == [2])
  }

  @Test func onePutOffIsWithdrawnByTheStart() throws {
    let stage = try stage(in: hour, reminders: [10 * minute])
    stage.wait(50 * minute)
    try stage.snooze(2, for: 5 * minute)
    stage.wait(5 * minute)
    let again = try #require(stage.events.last)
    #expect(again.kind == .alertSnoozed && again.alert?.row == 2)
    try stage.snooze(again.sequence, for: 8 * minute)
    _ = stage.news()
    stage.wait(hour)
    #expect(stage.news().first == "tea started with alert")
    #expect(!stage.events.contains { $0.kind == .alertSnoozed && $0.at.wall > date(hour) })
  }

  @Test func oneWithoutAnAlertToRepeatIsRefused() throws {
    let stage = Stage()
    stage.refuses(date: "remindersUSec") { try $0.schedule { $0.reminders = [span(5)] } }
    try stage.schedule()
    stage.refuses(date: "remindersUSec") { try $0.reschedule { $0.reminders = [span(5)] } }
    try stage.reschedule {
      $0.reminders = [span(5)]
      $0.hasAlert = true
    }
    stage.wait(5)
    #expect(stage.events.last?.alert == AlertSource(row: 2, field: .reminder))
  }

  @Test func ofOneThatRunsThereAreNone() throws {
    let stage = Stage()
    try stage.request { $0.hasAlert = true }
    stage.refuses(.alreadyStarted(session: 1, state: .active)) {
      try $0.reschedule { $0.reminders = [span(5)] }
    }
  }

  @Test func anUndoneBatchLeavesThemAhead() throws {
    let stage = try stage()
    stage.move(by: microseconds(hour))
    let before = stage.dump()
    _ = stage.core.advance(to: stage.now)
    #expect(stage.core.events.map(\.kind) == [.reminded])
    stage.undo()
    #expect(stage.dump() == before)
    stage.advance()
    #expect(stage.events.last?.kind == .reminded)
  }
}
