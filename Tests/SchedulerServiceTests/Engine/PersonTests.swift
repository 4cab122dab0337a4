import LiveActivity
import SchedulerAPI
import Scheduling
import Testing

@testable import SchedulerService

/// What one person of an audience does stays theirs.
@Suite struct PersonTests {
  private func dismissal(session: Int64 = 1) -> DismissParameters {
    var call = DismissParameters(id: ActivityID(stored: "a"), session: session)
    call.owner = .root
    return call
  }

  @Test func anAdminOfTheAudienceDismissesForThemselvesHoweverOften() throws {
    let stage = try EngineStage()
    let admin = Peer(user: UserID(900), groups: [27], isAdmin: true)
    try stage.request("a", by: EngineStage.root, audience: [.everyone])
    try stage.commit()
    for _ in 0..<2 { try stage.engine.dismiss(dismissal(), by: admin, at: stage.now) }
    #expect(try stage.commit().count == 1)
    #expect(try stage.get("a", by: EngineStage.root).state == .active)
  }

  @Test func whatOneDismissedIsNoPastSession() throws {
    let stage = try EngineStage()
    try stage.request("a", by: EngineStage.root, audience: [.everyone])
    try stage.commit()
    try stage.engine.dismiss(dismissal(), by: EngineStage.ann, at: stage.now)
    try stage.commit()
    try stage.pass(60)
    try stage.retain()
    #expect(try stage.get("a", by: EngineStage.root).state == .active)
    try stage.reopen()
    #expect(try stage.get("a", by: EngineStage.root).state == .active)
  }

  @Test func whoDismissedItIsNotOfferedItsLastAlert() throws {
    let stage = try EngineStage { $0.endedMax = .seconds(60) }
    try stage.request("a", by: EngineStage.root, audience: [.everyone]) { call in
      call.end = EngineStage.after(10)
      call.endAlert = try? EngineStage.alert("Over")
    }
    try stage.commit()
    try stage.engine.dismiss(dismissal(), by: EngineStage.ann, at: stage.now)
    try stage.commit()
    try stage.pass(10)
    try stage.pass(60)
    #expect(try stage.engine.openAlerts(for: EngineStage.bob).count == 1)
    #expect(try stage.engine.openAlerts(for: EngineStage.ann).isEmpty)
    try stage.reopen()
    #expect(try stage.engine.openAlerts(for: EngineStage.bob).count == 1)
    #expect(try stage.engine.openAlerts(for: EngineStage.ann).isEmpty)
  }

  @Test func anAlertOnATerminalIsToldAndStillOfferedToAnAgent() throws {
    let stage = try EngineStage()
    try stage.request("a", by: EngineStage.root, audience: [.everyone]) {
      $0.alert = try? EngineStage.alert("Now")
    }
    try stage.commit()
    let number = try #require(try stage.engine.openAlerts(for: EngineStage.ann).first)
    var call = ConfirmAlertParameters(sequence: number, wasShown: true)
    call.person = EngineStage.ann.user
    #expect(throws: SchedulerError.self) {
      try stage.engine.confirmAlert(call, by: EngineStage.bob, at: stage.now)
    }
    try stage.engine.confirmAlert(call, by: EngineStage.root, at: stage.now)
    let told = try stage.commit()
    #expect(told.map(\.kind) == [.alertShown])
    #expect(told.first?.by == EngineStage.ann.user)
    #expect(told.first?.alertSequence == number)
    try stage.reopen()
    #expect(try stage.engine.openAlerts(for: EngineStage.ann) == [number])
    // Of who has been told by an agent nothing more is told.
    try stage.engine.confirmAlert(
      ConfirmAlertParameters(sequence: number, wasShown: true), by: EngineStage.ann, at: stage.now)
    #expect(try stage.commit().map(\.kind) == [.alertSettled])
    try stage.engine.confirmAlert(call, by: EngineStage.root, at: stage.now)
    #expect(try stage.commit().isEmpty)
  }

  @Test func whoWasShownAnAlertMayPutItOffThoughItExpiredForOthers() throws {
    let stage = try EngineStage()
    try stage.request("a", by: EngineStage.root, audience: [.everyone]) {
      $0.alert = try? EngineStage.alert("Now")
    }
    let number = try #require(try stage.commit().last { $0.alert != nil }?.sequence)
    try stage.engine.confirmAlert(
      ConfirmAlertParameters(sequence: number, wasShown: true), by: EngineStage.ann, at: stage.now)
    try stage.commit()
    try stage.pass(901)
    let snooze = SnoozeAlertParameters(sequence: number, span: .seconds(60))
    _ = try stage.engine.snoozeAlert(snooze, by: EngineStage.ann, at: stage.now)
    #expect(throws: SchedulerError.noSuchAlert(sequence: number)) {
      try stage.engine.snoozeAlert(snooze, by: EngineStage.bob, at: stage.now)
    }
  }

  @Test func nobodyPutsOffWhatComesAgainForSomebodyElse() throws {
    let stage = try EngineStage()
    try stage.request("a", by: EngineStage.root, audience: [.everyone]) {
      $0.alert = try? EngineStage.alert("Now")
    }
    let first = try #require(try stage.commit().last { $0.alert != nil }?.sequence)
    let snooze = SnoozeAlertParameters(sequence: first, span: .seconds(60))
    _ = try stage.engine.snoozeAlert(snooze, by: EngineStage.ann, at: stage.now)
    try stage.commit()
    let again = try #require(try stage.pass(60).last { $0.alert != nil }?.sequence)
    #expect(throws: SchedulerError.noSuchAlert(sequence: again)) {
      try stage.engine.snoozeAlert(
        SnoozeAlertParameters(sequence: again, span: .seconds(60)), by: EngineStage.bob,
        at: stage.now)
    }
    #expect(try stage.engine.openAlerts(for: EngineStage.ann) == [again])
  }

  @Test func whomItFailedToReachCannotPutItOff() throws {
    let stage = try EngineStage()
    try stage.request("a", by: EngineStage.root, audience: [.everyone]) {
      $0.alert = try? EngineStage.alert("Now")
    }
    let number = try #require(try stage.commit().last { $0.alert != nil }?.sequence)
    try stage.engine.confirmAlert(
      ConfirmAlertParameters(sequence: number, wasShown: false), by: EngineStage.ann, at: stage.now)
    let snooze = SnoozeAlertParameters(sequence: number, span: .seconds(60))
    #expect(throws: SchedulerError.noSuchAlert(sequence: number)) {
      try stage.engine.snoozeAlert(snooze, by: EngineStage.ann, at: stage.now)
    }
    _ = try stage.engine.snoozeAlert(snooze, by: EngineStage.bob, at: stage.now)
  }

  @Test func somebodyElseWithTheSameUidIsNotOfferedOldAlerts() throws {
    let stage = try EngineStage { $0.endedMax = .seconds(60) }
    let user = EngineStage.ann.user
    _ = try stage.engine.meet(user, name: "ann", at: stage.now)
    try stage.request("a") { call in
      call.end = EngineStage.after(10)
      call.endAlert = try? EngineStage.alert("Over")
    }
    try stage.commit()
    try stage.pass(10)
    try stage.pass(60)
    #expect(try stage.engine.openAlerts(for: EngineStage.ann).count == 1)
    #expect(try stage.engine.meet(user, name: "eve", at: stage.now))
    try stage.commit()
    try stage.engine.forgetFormer(user)
    #expect(try stage.engine.openAlerts(for: EngineStage.ann).isEmpty)
    #expect(throws: SchedulerError.noSuchActivity(id: "a")) { try stage.get("a") }
  }

  @Test(arguments: [0, 10, 30]) func noSeriesGoesOnForSomebodyElse(seconds: Int64) throws {
    let stage = try EngineStage { $0.endedMax = .seconds(60) }
    let user = EngineStage.ann.user
    _ = try stage.engine.meet(user, name: "ann", at: stage.now)
    try stage.request("a") { call in
      call.start = EngineStage.after(5)
      call.end = EngineStage.after(20)
      call.repeats = Repeat(every: .seconds(3600))
    }
    try stage.commit()
    try stage.pass(seconds)
    #expect(try stage.engine.meet(user, name: "eve", at: stage.now))
    try stage.commit()
    try stage.engine.forgetFormer(user)
    #expect(throws: SchedulerError.noSuchActivity(id: "a")) { try stage.get("a") }
    try stage.pass(7200)
    #expect(throws: SchedulerError.noSuchActivity(id: "a")) { try stage.get("a") }
  }
}
