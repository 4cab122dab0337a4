import ActivityStore
import JSON
import LiveActivity
import SchedulerAPI
import Scheduling
import Testing

@testable import SchedulerService

/// What reminders and planned updates look like from outside, and after a restart.
@Suite struct AsideTests {
  private func json(_ text: String) -> JSONText { JSONText(trusted: Array(text.utf8)) }

  private func planned(_ stage: EngineStage, _ fill: (inout UpdateParameters) -> Void) throws {
    var call = UpdateParameters(.id(ActivityID(stored: "a")))
    fill(&call)
    _ = try stage.engine.update(
      stage.slot("a"), ActivityID(stored: "a"), call, by: EngineStage.ann, shared: nil,
      at: stage.now)
  }

  @Test func aReminderSaysHowFarTheStartIs() throws {
    let stage = try EngineStage()
    let made = try stage.request("a") { call in
      call.start = EngineStage.after(2 * 3600)
      call.alert = try? Alert(title: "Tea", body: "Green", sound: "bell", urgency: .critical)
      call.reminders = [.seconds(600), .seconds(3600), .seconds(9000)]
    }
    #expect(made.reminders.map(\.before) == [.seconds(9000), .seconds(3600), .seconds(600)])
    #expect(made.reminders.map(\.state) == [.skipped, .ahead, .ahead])
    try stage.commit()
    #expect(try stage.get("a") == made)
    let told = try #require(try stage.pass(3600).first)
    #expect(told.kind == .reminded && told.startDate == made.startDate)
    #expect(
      told.alert
        == (try Alert(title: "Tea", body: "in 1h\nGreen", sound: "bell", urgency: .critical)))
    // Late, it tells the distance that is true; a restart and the folded store change nothing.
    while try stage.engine.store.foldStep() {}
    try stage.reopen()
    #expect(try stage.get("a").reminders.map(\.state) == [.skipped, .told, .ahead])
    let late = try #require(try stage.pass(3300).first { $0.kind == .reminded })
    #expect(late.alert?.body == "in 5min\nGreen" && late.latenessMicroseconds == 300_000_000)
    #expect(
      try stage.engine.records.event(
        try #require(try stage.engine.store.event(late.sequence))) == late)
    #expect(try stage.get("a").alert?.body == "Green")
  }

  @Test func onePutOffTellsTheDistanceAnew() throws {
    let stage = try EngineStage()
    try stage.request("a") { call in
      call.start = EngineStage.after(3600)
      call.alert = try? EngineStage.alert("Tea")
      call.reminders = [.seconds(1800)]
    }
    try stage.commit()
    let told = try #require(try stage.pass(1800).first)
    _ = try stage.engine.snoozeAlert(
      SnoozeAlertParameters(sequence: told.sequence, span: .seconds(600)), by: EngineStage.ann,
      at: stage.now)
    try stage.commit()
    let again = try #require(try stage.pass(600).first { $0.alert != nil })
    #expect(again.kind == .alertSnoozed && again.alert?.body == "in 20min")
  }

  @Test func plannedContentIsShownAndAppliedAlsoAfterARestart() throws {
    let stage = try EngineStage()
    try stage.request("a") { $0.content = EngineStage.state("{\"n\":1}") }
    try stage.commit()
    try planned(stage) { call in
      call.due = EngineStage.after(20)
      call.patch = json("{\"m\":2}")
      call.relevanceScore = 3
      call.alert = try? EngineStage.alert("Half-time")
    }
    try planned(stage) { call in
      call.due = .at(WallTime(microseconds: stage.now.wall.microseconds + 10_000_000))
      call.content = EngineStage.state("{\"n\":5}")
    }
    try stage.commit()
    let shown = try stage.get("a").plannedUpdates
    #expect(shown.map(\.content?.state.string) == ["{\"n\":5}", nil])
    #expect(shown.map(\.patch?.string) == [nil, "{\"m\":2}"])
    #expect(shown[1].alert?.title == "Half-time" && shown[1].relevanceScore == 3)
    while try stage.engine.store.foldStep() {}
    try stage.reopen()
    #expect(try stage.get("a").plannedUpdates == shown)
    let events = try stage.pass(30)
    #expect(events.map(\.content?.state.string) == ["{\"n\":5}", "{\"n\":5,\"m\":2}"])
    #expect(events.map(\.alert?.title) == [nil, "Half-time"])
    #expect(events.map(\.latenessMicroseconds) == [20_000_000, 10_000_000])
    #expect(events.allSatisfy { $0.kind == .updated && $0.by == nil })
    #expect(try stage.get("a").content.relevanceScore == 3)
    try stage.reopen()
    #expect(try stage.get("a").content.state.string == "{\"n\":5,\"m\":2}")
    #expect(try stage.engine.store.check().isEmpty)
  }

  @Test func aMergeThatWouldBeTooLargeLeavesContentAsItIs() throws {
    let stage = try EngineStage { $0.payloadMaxBytes = 40 }
    try stage.request("a") { $0.content = EngineStage.state("{\"n\":1}") }
    try planned(stage) { call in
      call.due = EngineStage.after(10)
      call.patch = json("{\"m\":\"\(String(repeating: "x", count: 28))\"}")
      call.alert = try? EngineStage.alert("now")
    }
    #expect(throws: SchedulerError.payloadTooLarge(bytes: 49, limit: 40)) {
      try planned(stage) { call in
        call.due = EngineStage.after(10)
        call.patch = json("{\"m\":\"\(String(repeating: "x", count: 39))\"}")
      }
    }
    try stage.commit()
    let event = try #require(try stage.pass(10).first)
    #expect(event.content?.state.string == "{\"n\":1}" && event.alert?.title == "now")
  }

  @Test func aFailedCommitLeavesThePlan() throws {
    let stage = try EngineStage()
    try stage.request("a")
    try planned(stage) { call in
      call.due = EngineStage.after(10)
      call.patch = json("{\"m\":2}")
    }
    try stage.commit()
    let before = try stage.get("a")
    stage.now.wall.microseconds += 10_000_000
    stage.now.boottime.microseconds += 10_000_000
    _ = try stage.engine.advance(to: stage.now, limit: 10)
    try stage.failToCommit()
    #expect(try stage.get("a") == before)
    #expect(try stage.pass(0).map(\.content?.state.string) == ["{\"m\":2}"])
  }

  @Test func retentionKeepsWhatAPlanWillBring() throws {
    let stage = try EngineStage()
    try stage.request("a")
    try planned(stage) { call in
      call.due = EngineStage.after(3600)
      call.content = EngineStage.state("{\"last\":1}")
    }
    for n in 0..<20 {
      try planned(stage) { $0.content = EngineStage.state("{\"n\":\(n)}") }
      try stage.commit()
    }
    let rules = try stage.engine.retentionRules(cutoff: nil, eventsPerOwner: 3)
    while try stage.engine.store.retentionStep(rules).hasMore {}
    try stage.reopen()
    #expect(try stage.engine.store.check().isEmpty)
    let events = try stage.pass(3600)
    #expect(events.first?.content?.state.string == "{\"last\":1}")
  }

  @Test func aChannelPlansForAllThatListen() throws {
    let stage = try EngineStage()
    for id in ["a", "b"] { try stage.request(id) { $0.channel = "c" } }
    try stage.commit()
    var call = UpdateParameters(.channel("c"))
    call.due = EngineStage.after(10)
    call.content = EngineStage.state("{\"x\":1}")
    #expect(try stage.forMany(.update(call)).applied == 2)
    try stage.commit()
    #expect(try stage.pass(10).map(\.content?.state.string) == ["{\"x\":1}", "{\"x\":1}"])
  }
}
