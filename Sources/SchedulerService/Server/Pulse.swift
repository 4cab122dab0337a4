internal import Systemd

/// What the daemon does at times of its own, on CLOCK_MONOTONIC: nothing of it is anybody's
/// deadline.
final class Pulse {
  /// What is to be done.
  enum Kind: CaseIterable {
    /// Tell the service manager that the deciding thread decides.
    case watchdog
    /// Tell it what is new, at most once a second.
    case status
    /// Try again what could not be stored.
    case retry
    /// Look whether the disk has room again.
    case room
    /// Take connections again.
    case accept
    /// Wait no longer for watchers that do not read.
    case clockMove
    /// Look whether the clock was set, while it is set all the time.
    case clockStorm
    /// Look at the zones again: their files have come to rest.
    case zones
    /// Tell the journal what was held back.
    case journal
    /// End: those who had just come have had their time to ask.
    case stop
  }

  private let timer: TimerDescriptor
  private var source: EventSource?
  private var times: [Kind: Int64] = [:]
  private var armed: Int64?

  init(_ loop: EventLoop, _ handler: @escaping (Kind) -> Void) throws(SystemError) {
    timer = try TimerDescriptor(.monotonic)
    source = try loop.addTimer(timer) { [weak self] _ in self?.fire(handler) }
  }

  /// Wakes for that at an instant in microseconds of CLOCK_MONOTONIC; the earlier one counts.
  func wake(_ kind: Kind, at instant: Int64) {
    times[kind] = min(times[kind] ?? .max, instant)
    arm()
  }

  /// Whether it wakes for that.
  func isSet(_ kind: Kind) -> Bool { times[kind] != nil }

  private func fire(_ handler: (Kind) -> Void) {
    armed = nil
    let now = SystemClock.monotonic
    for kind in Kind.allCases where times[kind].map({ $0 <= now }) == true {
      times[kind] = nil
      handler(kind)
    }
    arm()
  }

  private func arm() {
    guard let next = times.values.min() else { return }
    if armed == next { return }
    armed = next
    _ = try? timer.arm(at: next)
  }
}
