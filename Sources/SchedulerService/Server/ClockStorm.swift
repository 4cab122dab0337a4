/// Whether the wall clock is set so often that hearing of each time would be all that the daemon does:
/// then it is not told any more, and looks once a second. What is due still comes in time.
struct ClockStorm {
  /// So often in a second is no person and no time server.
  static let most = 20
  /// How long it looks by itself before it wants to be told again.
  static let calm: Int64 = 10_000_000

  private var second: Int64 = -1
  private var count = 0
  private var pollsUntil: Int64?
  private var isTold = false

  /// Whether the daemon looks by itself, at an instant in microseconds of CLOCK_MONOTONIC.
  func isPolling(at instant: Int64) -> Bool { pollsUntil.map { instant < $0 } ?? false }

  /// What there is to do when the clock was set once more.
  enum Answer {
    case nothing
    /// It looks by itself from here on.
    case poll
    /// The same, and the journal has not been told yet.
    case pollAndTell
  }

  /// The clock was set, at an instant of CLOCK_MONOTONIC.
  mutating func note(at instant: Int64) -> Answer {
    if instant / 1_000_000 != second { (second, count) = (instant / 1_000_000, 0) }
    count += 1
    guard count > Self.most, !isPolling(at: instant) else { return .nothing }
    pollsUntil = instant + Self.calm
    defer { isTold = true }
    return isTold ? .poll : .pollAndTell
  }
}
