import ActivityStore
import LiveActivity
import SchedulerAPI
import Scheduling
import Testing

@testable import SchedulerService

/// What a batch that did not reach the disk leaves behind: nothing.
@Suite struct UndoTests {
  @Test func whatItDisabledIsNotKeptLater() throws {
    let stage = try EngineStage()
    try stage.engine.setEnabled(
      SetEnabledParameters(enabled: false), by: EngineStage.ann, at: stage.now)
    try stage.failToCommit()
    try stage.request("a")
    try stage.commit()
    try stage.reopen()
    try stage.request("b")
  }

  @Test func whatItHidIsShown() throws {
    let stage = try EngineStage()
    try stage.request("a", by: EngineStage.root, audience: [.everyone])
    try stage.commit()
    var call = DismissParameters(id: ActivityID(stored: "a"), session: 1)
    call.owner = .root
    try stage.engine.dismiss(call, by: EngineStage.ann, at: stage.now)
    try stage.failToCommit()
    #expect(try stage.engine.hidden.isEmpty)
    try stage.request("b")
    try stage.commit()
    try stage.reopen()
    #expect(try stage.engine.hidden.isEmpty)
  }

  @Test func whoItMetIsMetAgain() throws {
    let stage = try EngineStage()
    let user = EngineStage.ann.user
    #expect(try !stage.engine.meet(user, name: "ann", at: stage.now))
    try stage.request("a")
    try stage.commit()
    #expect(try stage.engine.meet(user, name: "eve", at: stage.now))
    try stage.failToCommit()
    #expect(try stage.engine.meet(user, name: "eve", at: stage.now))
    #expect(try stage.commit().map(\.kind) == [.ended, .dismissed])
  }

  @Test func whatABrokenConnectionLeavesIsEndedWithWhatIsDueNext() throws {
    let stage = try EngineStage()
    try stage.request("a") { $0.bound = true }
    try stage.commit()
    let slot = try stage.slot("a")
    try stage.engine.endBound([(slot, stage.engine.core.first(slot))], at: stage.now)
    try stage.failToCommit()
    #expect(try stage.get("a").state == .active)
    #expect(try stage.pass(1).map(\.reason) == [.ownerGone])
    #expect(try stage.get("a").state == .ended)
    #expect(try stage.pass(1).isEmpty)
  }

  @Test func aBrokenConnectionEndsNoOtherSessionThatGetsTheNumber() throws {
    let stage = try EngineStage()
    try stage.request("a") { $0.bound = true }
    let slot = try stage.slot("a")
    try stage.engine.endBound([(slot, stage.engine.core.first(slot))], at: stage.now)
    try stage.failToCommit()
    try stage.request("b")
    try stage.commit()
    #expect(try stage.pass(1).isEmpty)
    #expect(try stage.get("b").state == .active)
  }

  @Test func whatAStartFoundBoundIsEndedThoughTheFirstCommitFails() throws {
    let stage = try EngineStage()
    try stage.request("a") { $0.bound = true }
    try stage.commit()
    try stage.reopen()
    try stage.failToCommit()
    try stage.request("b")
    try stage.commit()
    #expect(try stage.pass(1).map(\.reason) == [.ownerGone])
  }

  @Test func theClocksAreWrittenDownAllTheSame() throws {
    let stage = try EngineStage()
    try stage.commit()
    stage.now.wall.microseconds += 3_600_000_000
    try stage.engine.seeClock(stage.now)
    try stage.request("a")
    try stage.failToCommit()
    try stage.commit()
    let entries = try stage.engine.store.entries(prefix: "boot/")
    #expect(entries.compactMap { BootCoding.boot($0.value)?.offset } == [stage.now.offset])
  }
}
