import JSON
import LiveActivity
import SchedulerAPI
import Scheduling
import Testing

@testable import SchedulerService

/// Sessions of the past: told whole, and let go in order.
@Suite struct PastTests {
  @Test func whatComesOfAnAlertAfterItsIDIsUsedAgainIsInTheHistory() throws {
    let stage = try EngineStage { $0.endedMax = .seconds(60) }
    try stage.request("a") { call in
      call.end = EngineStage.after(10)
      call.endAlert = try? EngineStage.alert("Over")
    }
    try stage.commit()
    try stage.pass(10)
    try stage.pass(60)
    try stage.request("a")
    try stage.commit()
    try stage.pass(901)
    var call = HistoryParameters()
    call.id = ActivityID(stored: "a")
    let text = try HistoryStream(call, stage.engine, by: EngineStage.ann).whole()
    let kinds = try text.parsed().elements.compactMap { $0["kind"]?.string }
    #expect(
      kinds == [
        "scheduled", "started", "ended", "dismissed", "scheduled", "started", "alertSettled",
      ])
    call.session = 1
    let first = try HistoryStream(call, stage.engine, by: EngineStage.ann).whole()
    #expect(try first.parsed().elements.map { $0.kind }.count == 5)
  }

  @Test func theOldestOfAnIDGoesFirstWhateverTheClockSaid() throws {
    let stage = try EngineStage()
    func cancel() throws {
      _ = try stage.engine.cancel(
        stage.slot("a"), ActivityID(stored: "a"), session: nil, by: EngineStage.ann, at: stage.now)
      try stage.commit()
    }
    try stage.request("a")
    try cancel()
    // The second session is over a day before the first one, by the wall clock.
    stage.now.wall.microseconds -= 86_400_000_000
    try stage.request("a")
    try cancel()
    try stage.pass(60)
    try stage.retain()
    #expect(try stage.get("a").session == 2)
    #expect(try stage.get("a", session: 1).reason == .cancelled)
    #expect(try stage.request("a").session == 3)
    try stage.commit()
    try stage.reopen()
    #expect(try stage.get("a").session == 3)
  }
}
