import ActivityStore
import JSON
import LiveActivity
import SchedulerAPI
import Testing

@testable import SchedulerService

/// Tokens and the store: failed commits, restarts, people who get another's uid.
@Suite struct PushTests {
  private func token(_ stage: EngineStage, _ id: String) throws -> String {
    try stage.engine.createToken(
      CreateTokenParameters(id: ActivityID(stored: id)), by: EngineStage.ann
    ).token
  }

  private func push(
    _ stage: EngineStage, _ token: String, _ event: String, _ more: String
  ) throws -> Bool {
    let seconds = stage.now.wall.microseconds / 1_000_000
    let aps = #""timestamp":\#(seconds),"event":"\#(event)","content-state":{}\#(more)"#
    let payload = try JSONText(validating: #"{"aps":{\#(aps)}}"#)
    return try stage.engine.push(PushParameters(token: token, payload: payload), at: stage.now)
  }

  private func entries(_ stage: EngineStage) throws -> Int {
    try stage.engine.store.entries(prefix: TokenCoding.prefix).count
  }

  @Test func aTokenOfAnUndoneBatchNeverWas() throws {
    let stage = try EngineStage()
    try stage.request("a")
    try stage.commit()
    let lost = try token(stage, "a")
    try stage.failToCommit()
    #expect(throws: SchedulerError.invalidToken) { try push(stage, lost, "update", "") }
    try stage.request("b")
    try stage.commit()
    #expect(try entries(stage) == 0)
  }

  @Test func aTokenAndItsSessionAreUndoneTogether() throws {
    let stage = try EngineStage()
    try stage.request("a")
    let lost = try token(stage, "a")
    try stage.failToCommit()
    // It gets the number that the other had.
    try stage.request("b")
    try stage.commit()
    #expect(throws: SchedulerError.invalidToken) { try push(stage, lost, "update", "") }
  }

  @Test func anEndThatIsUndoneVoidsNothing() throws {
    let stage = try EngineStage()
    try stage.request("a")
    let kept = try token(stage, "a")
    try stage.commit()
    #expect(try push(stage, kept, "end", ""))
    #expect(throws: SchedulerError.invalidToken) { try push(stage, kept, "end", "") }
    try stage.failToCommit()
    #expect(try push(stage, kept, "end", ""))
    try stage.commit()
    #expect(try entries(stage) == 0)
    #expect(throws: SchedulerError.invalidToken) { try push(stage, kept, "end", "") }
  }

  @Test func whatTimeEndsLeavesNoTokenBehind() throws {
    let stage = try EngineStage()
    try stage.request("a") { $0.end = EngineStage.after(60) }
    let token = try token(stage, "a")
    try stage.commit()
    #expect(try entries(stage) == 1)
    try stage.pass(60)
    #expect(try entries(stage) == 0)
    #expect(throws: SchedulerError.invalidToken) { try push(stage, token, "update", "") }
  }

  @Test func aStartSweepsOutTokensThatAreOfNoUse() throws {
    let stage = try EngineStage()
    try stage.request("a")
    let kept = try token(stage, "a")
    try stage.commit()
    let zeros = TokenCoding.prefix + String(repeating: "0", count: 64)
    try stage.engine.setEntry(zeros, Array("9 session 1001 999".utf8))
    try stage.engine.setEntry(TokenCoding.prefix + "x", Array("nonsense".utf8))
    try stage.commit()
    #expect(try entries(stage) == 3)
    try stage.reopen()
    try stage.commit()
    #expect(try entries(stage) == 1)
    #expect(try push(stage, kept, "update", ""))
  }

  @Test func whoGetsAUidGetsNoTokensWithIt() throws {
    let stage = try EngineStage()
    let ann = EngineStage.ann
    _ = try stage.engine.meet(ann.user, name: "ann", at: stage.now)
    try stage.request("a")
    let update = try token(stage, "a")
    let start = try stage.engine.createStartToken(
      CreateStartTokenParameters(attributesType: "T"), by: ann
    ).token
    try stage.commit()
    let more = #","attributes-type":"T","attributes":{},"alert":"x""#
    #expect(try push(stage, start, "start", more))
    #expect(try stage.engine.meet(ann.user, name: "eve", at: stage.now))
    try stage.commit()
    #expect(throws: SchedulerError.invalidToken) { try push(stage, start, "start", more) }
    #expect(throws: SchedulerError.invalidToken) { try push(stage, update, "update", "") }
    #expect(try entries(stage) == 0)
  }

  @Test func anOrdinaryOwnersLimitsHoldForPushedStartsToo() throws {
    let stage = try EngineStage { $0.activitiesPerUser = 1 }
    let start = try stage.engine.createStartToken(
      CreateStartTokenParameters(attributesType: "T"), by: EngineStage.ann
    ).token
    let more = #","attributes-type":"T","attributes":{},"alert":"x""#
    #expect(try push(stage, start, "start", more))
    #expect(throws: SchedulerError.tooManyActivities(limit: 1)) {
      try push(stage, start, "start", more)
    }
  }
}
