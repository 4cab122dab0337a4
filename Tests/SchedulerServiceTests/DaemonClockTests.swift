import LiveActivity
import SchedulerService
import Testing

@Suite("The daemon's clock")
struct DaemonClockTests {
  @Test("The offset of the machine's clocks does not tremble, and neither goes back")
  func offset() {
    var clock = DaemonClock.machine
    var last = clock.reading
    var offsets: Set<Int64> = []
    for _ in 0..<20_000 {
      let reading = clock.reading
      #expect(reading.boottime.microseconds >= last.boottime.microseconds)
      offsets.insert(reading.offset)
      last = reading
    }
    // What is measured is a whole number of microseconds, what is true lies between two.
    #expect(offsets.count <= 2)
  }

  @Test("A clock that stands still stands still")
  func standing() {
    var clock = DaemonClock.standing(at: WallTime(microseconds: 5_000_000))
    #expect(clock.reading == clock.reading)
    #expect(clock.reading.wall.microseconds == 5_000_000)
  }
}
