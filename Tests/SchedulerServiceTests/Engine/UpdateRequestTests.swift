import JSON
import LiveActivity
import SchedulerAPI
import Scheduling
import Testing

@testable import SchedulerService

/// `ifExists: update`: what becomes of the request in force.
@Suite struct UpdateRequestTests {
  @Test(arguments: [true, false])
  func aStaleDateGivenTheOtherWayReplacesTheOneThatWasThere(isSpanFirst: Bool) throws {
    let stage = try EngineStage()
    func give(_ isSpan: Bool, _ call: inout RequestParameters) {
      call.start = EngineStage.after(60)
      call.ifExists = .update
      if isSpan {
        call.staleAfter = .seconds(30)
      } else {
        call.content = EngineStage.state("{\"n\":1}")
        call.content?.staleDate = WallTime(microseconds: stage.now.wall.microseconds + 100_000_000)
      }
    }
    try stage.request("a") { give(isSpanFirst, &$0) }
    try stage.request("a") { give(!isSpanFirst, &$0) }
    let last = try stage.request("a") { $0.ifExists = .keep }
    #expect(
      last.content.staleDate?.microseconds
        == stage.now.wall.microseconds + (isSpanFirst ? 100_000_000 : 90_000_000))
  }

  @Test func attributesThatStayCountWithNewContent() throws {
    let stage = try EngineStage { $0.payloadMaxBytes = 40 }
    try stage.request("a") {
      $0.attributes = JSONText(trusted: Array("{\"home\":\"Springfield\"}".utf8))
    }
    #expect(throws: SchedulerError.payloadTooLarge(bytes: 42, limit: 40)) {
      try stage.request("a") { call in
        call.ifExists = .update
        call.content = EngineStage.state("{\"minute\":\"twelfth\"}")
      }
    }
  }

  @Test(arguments: [[], [Audience.user("1002")]])
  func aRunningOneKeepsItsAudience(audience: [Audience]) throws {
    let stage = try EngineStage()
    try stage.request("a", by: EngineStage.root, audience: [.user("1001")])
    try stage.request("a", by: EngineStage.root, audience: audience) { call in
      call.audience = audience
      call.ifExists = .update
    }
    try stage.commit()
    var call = GetParameters(id: ActivityID(stored: "a"))
    call.owner = .root
    #expect(try stage.engine.get(call, by: EngineStage.ann).activity.audience == ["user:1001"])
    #expect(throws: SchedulerError.self) { try stage.engine.get(call, by: EngineStage.bob) }
  }

  @Test func aPendingOneTakesAnother() throws {
    let stage = try EngineStage()
    try stage.request("a", by: EngineStage.root, audience: [.user("1001")]) {
      $0.start = EngineStage.after(60)
    }
    try stage.request("a", by: EngineStage.root, audience: [.user("1002")]) {
      $0.ifExists = .update
    }
    try stage.commit()
    var call = GetParameters(id: ActivityID(stored: "a"))
    call.owner = .root
    #expect(try stage.engine.get(call, by: EngineStage.bob).activity.audience == ["user:1002"])
    #expect(throws: SchedulerError.self) { try stage.engine.get(call, by: EngineStage.ann) }
  }
}
