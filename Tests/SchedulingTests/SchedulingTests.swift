import LiveActivity
import Scheduling
import Testing

@Suite struct ALife {
  @Test func fromScheduleToDismissal() throws {
    func at(_ seconds: Int64) -> ClockReading {
      ClockReading(
        wall: WallTime(microseconds: 1_800_000_000_000_000 + seconds * 1_000_000),
        boottime: BootTime(microseconds: seconds * 1_000_000))
    }
    var core = Scheduler(now: at(0), hashKey: (1, 2))
    let anna = UserID(1000)
    var command = RequestCommand(
      caller: Caller(user: anna), owner: anna, id: try ActivityID("tea"))
    command.start = .after(.seconds(10))
    command.stale = .fromStart(.seconds(5))
    command.end = .fromStart(.seconds(60))
    command.hasAlert = true
    let slot = try core.request(command, at: at(0)).slot
    #expect(core.session(slot).state == .pending)
    _ = core.advance(to: at(9))
    #expect(core.session(slot).state == .pending)
    _ = core.advance(to: at(10))
    #expect(core.session(slot).state == .active)
    _ = core.advance(to: at(15))
    #expect(core.session(slot).state == .stale)
    _ = core.advance(to: at(70))
    #expect(core.session(slot).state == .ended)
    _ = core.advance(to: at(70 + 4 * 3600))
    #expect(core.session(slot).state == .dismissed)
    #expect(
      core.events.map(\.kind) == [
        .scheduled, .started, .stale, .ended, .alertSettled, .dismissed,
      ])
  }
}
