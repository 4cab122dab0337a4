import LiveActivity
import Scheduling
import Testing

@Suite struct Queries {
  @Test func countsFollowEveryLife() throws {
    let stage = Stage()
    try stage.request("a") { $0.stale = .fromStart(span(5)) }
    try stage.schedule("b")
    try stage.schedule("c", owner: .bert)
    stage.wait(5)
    #expect(stage.counts(of: .anna).pending == 1)
    #expect(stage.counts(of: .anna).active == 1)
    try stage.end("a")
    #expect(stage.counts(of: .anna).ended == 1)
    #expect(stage.counts().pending == 2)
    try stage.cancel("a")
    stage.wait(10)
    var counts = Scheduler.Counts()
    counts.active = 2
    #expect(stage.counts() == counts)
    #expect(stage.counts(of: .root) == Scheduler.Counts())
  }

  @Test func ownersAndTheirSlotsOldestFirst() throws {
    let stage = Stage()
    try stage.schedule("b", owner: .bert)
    for id in ["c", "a", "b"] { try stage.schedule(id) }
    let core = stage.core.owners
    #expect(core == [.anna, .bert])
    let slots = stage.core.slots(of: .anna)
    #expect(slots == [try stage.slot("c"), try stage.slot("a"), try stage.slot("b")])
  }

  @Test func theNextDateIsASessionsNotAnAlerts() throws {
    let stage = Stage()
    #expect(stage.nextDate() == nil)
    try stage.request("a") { $0.hasAlert = true }
    #expect(stage.nextDate() == date(8 * hour))
    try stage.schedule("b", in: hour, owner: .bert)
    #expect(stage.nextDate() == date(hour))
    #expect(stage.nextDate(of: .anna) == date(8 * hour))
    #expect(stage.nextDate(of: .bert) == date(hour))
    #expect(stage.nextDate(of: .root) == nil)
  }

  @Test func theNextDateFollowsTheWallClock() throws {
    let stage = Stage()
    try stage.schedule(in: hour)
    stage.setClock(by: day)
    #expect(stage.nextDate() == date(day + hour))
    #expect(stage.nextDate(of: .anna) == date(day + hour))
    #expect(try stage.session().nextDate(at: stage.now) == date(day + hour))
  }

  @Test func aSlotTellsWhoseItIsAndItsOtherSessions() throws {
    let stage = Stage()
    for _ in 0..<3 { try stage.request { $0.ifExists = .replace } }
    let slot = try stage.slot("tea")
    let core = [1, 2, 3, 4].map { stage.core.slot(ofSession: $0, sameIDAs: slot) }
    #expect(core[2] == slot && core[3] == nil)
    #expect(core.compactMap { $0 }.map { stage.core.session($0).number } == [1, 2, 3])
    let owner = stage.core.owner(slot)
    #expect(owner == .anna)
    let dismissed = stage.core.dismissedSlots(of: [1, 2, 3, 4, 5, 6])
    #expect(dismissed == [core[0], core[1]])
  }
}
