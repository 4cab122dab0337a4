import Testing

@testable import SchedulerService

/// A clock that is set all the time.
@Suite struct ClockStormTests {
  @Test func aFewStepsASecondAreHeardOneByOne() {
    var storm = ClockStorm()
    for second in 0..<100 as Range<Int64> {
      for step in 0..<20 as Range<Int64> {
        guard case .nothing = storm.note(at: second * 1_000_000 + step) else {
          Issue.record("a storm at \(second) s")
          return
        }
      }
      #expect(!storm.isPolling(at: second * 1_000_000))
    }
  }

  @Test func aStormIsPolledAndToldOnce() {
    var storm = ClockStorm()
    var told = 0
    var polled = 0
    for instant in stride(from: 0 as Int64, to: 60_000_000, by: 1000) {
      // While it polls nobody tells it.
      if storm.isPolling(at: instant) { continue }
      switch storm.note(at: instant) {
      case .nothing: break
      case .poll: polled += 1
      case .pollAndTell: told += 1
      }
    }
    #expect(told == 1)
    #expect(polled == 5)
    #expect(storm.isPolling(at: 59_000_000))
    #expect(!storm.isPolling(at: 600_000_000))
  }
}
