import Glibc
import Testing

@testable import Systemd

@Suite struct TimerDescriptorTests {
  static let clocks: [TimerDescriptor.Clock] = [.realtime, .boottime, .monotonic]

  private func now(_ clock: TimerDescriptor.Clock) -> Int64 {
    switch clock {
    case .realtime, .realtimeAlarm: SystemClock.realtime
    case .boottime, .boottimeAlarm: SystemClock.boottime
    case .monotonic: SystemClock.monotonic
    }
  }

  @Test(arguments: clocks)
  func unarmedTimersAreSilent(clock: TimerDescriptor.Clock) throws {
    let timer = try TimerDescriptor(clock)
    #expect(timer.read() == .notYet)
  }

  @Test(arguments: clocks, [Int64.min, -1, 0, 1, 1_000_000])
  func pastInstantsFireAtOnce(clock: TimerDescriptor.Clock, instant: Int64) throws {
    let timer = try TimerDescriptor(clock)
    #expect(try !timer.arm(at: instant))
    // The boot may be younger than the second of the last argument; then it is no past instant.
    if instant < now(clock) {
      var descriptor = pollfd(fd: timer.number, events: Int16(POLLIN), revents: 0)
      #expect(unsafe poll(&descriptor, 1, 5000) == 1)
      #expect(timer.read() == .expired)
      #expect(timer.read() == .notYet)
    }
  }

  @Test(arguments: clocks)
  func theFarFutureIsCutToWhatTheKernelTakes(clock: TimerDescriptor.Clock) throws {
    let timer = try TimerDescriptor(clock)
    // 9999-12-31 and beyond; 2262 is the kernel's end.
    for instant in [253_402_300_799_999_999, .max, TimerDescriptor.latest + 1] {
      #expect(try !timer.arm(at: instant))
      #expect(timer.read() == .notYet)
    }
  }

  @Test(arguments: clocks)
  func timersAreNeverEarly(clock: TimerDescriptor.Clock) throws {
    let loop = try EventLoop()
    let timer = try TimerDescriptor(clock)
    var fired: Int64?
    let source = try loop.addTimer(timer) { reading in
      if reading == .expired { fired = now(clock) }
    }
    let deadline = now(clock) + 3000
    _ = try timer.arm(at: deadline)
    try run(loop) { fired != nil }
    #expect(try #require(fired) >= deadline)
    source.remove()
  }

  @Test(arguments: clocks)
  func disarmedAndRearmedTimersForget(clock: TimerDescriptor.Clock) throws {
    let timer = try TimerDescriptor(clock)
    _ = try timer.arm(at: 1)
    try timer.disarm()
    #expect(timer.read() == .notYet)
    _ = try timer.arm(at: 1)
    _ = try timer.arm(at: .max)
    #expect(timer.read() == .notYet)
  }

  @Test func clocksAgreeWithTheKernels() throws {
    let monotonic = SystemClock.monotonic
    #expect(monotonic > 0)
    // Suspend only adds.
    #expect(SystemClock.boottime >= monotonic)
    var seconds = time_t()
    unsafe time(&seconds)
    #expect(abs(SystemClock.realtime / 1_000_000 - Int64(seconds)) <= 1)
    // Either answer is right; it must not be refused here.
    #expect(SystemClock.isSynchronised != nil)
  }

  @Test func theBootIDIsTheKernels() throws {
    let text = String(
      decoding: try Files.read("/proc/sys/kernel/random/boot_id", limit: 100), as: UTF8.self)
    let id = try BootID.current()
    #expect(id.description == text.filter(\.isHexDigit))
    #expect(BootID(id.description) == id)
  }
}
