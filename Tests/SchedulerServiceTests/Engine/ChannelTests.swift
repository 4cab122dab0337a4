import JSON
import LiveActivity
import SchedulerAPI
import Scheduling
import Testing

@testable import SchedulerService

/// One text that many sessions share is there for as long as one of them needs it.
@Suite struct ChannelTests {
  private func stage(starting seconds: Int64? = nil) throws -> EngineStage {
    let stage = try EngineStage()
    for id in ["a", "b"] {
      try stage.request(id) { call in
        call.channel = "news"
        call.start = seconds.map { EngineStage.after($0) }
      }
    }
    try stage.commit()
    return stage
  }

  @Test func eachEndTellsItsFinalContent() throws {
    let stage = try stage()
    var call = EndParameters(.channel("news"))
    call.content = EngineStage.state("{\"score\":3}")
    #expect(try stage.forMany(.end(call)).applied == 2)
    #expect(
      try stage.commit().map { $0.content?.state.string } == ["{\"score\":3}", "{\"score\":3}"])
  }

  @Test func finalContentOutlivesTheSessionThatItWasStoredWith() throws {
    let stage = try stage()
    var call = EndParameters(.channel("news"))
    call.content = EngineStage.state("{\"score\":3}")
    _ = try stage.forMany(.end(call))
    try stage.commit()
    _ = try stage.engine.cancel(
      stage.slot("a"), ActivityID(stored: "a"), session: nil, by: EngineStage.ann, at: stage.now)
    try stage.commit()
    try stage.pass(60)
    try stage.retain()
    #expect(throws: SchedulerError.self) { try stage.get("a") }
    #expect(try stage.get("b").content.state.string == "{\"score\":3}")
    try stage.reopen()
    #expect(try stage.get("b").content.state.string == "{\"score\":3}")
  }

  @Test func aStartAlertOutlivesTheSessionThatWasUpdatedWithIt() throws {
    let stage = try stage(starting: 3600)
    var call = UpdateParameters(.channel("news"))
    call.alert = try EngineStage.alert("Now")
    #expect(try stage.forMany(.update(call)).applied == 2)
    try stage.commit()
    _ = try stage.engine.cancel(
      stage.slot("a"), ActivityID(stored: "a"), session: nil, by: EngineStage.ann, at: stage.now)
    try stage.commit()
    try stage.pass(60)
    try stage.retain()
    try stage.reopen()
    #expect(try stage.pass(3600).first?.alert?.title == "Now")
  }
}
