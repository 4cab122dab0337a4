public import FoundationEssentials
internal import LiveActivity
public import LiveActivityKit

/// A daemon of a test's own, in mocked time: nothing is shared with the machine's daemon, time stands
/// still until the test moves it, and nothing stays behind.
///
///     try await TestDaemon.with { daemon in
///       let activity = try Activity.request(…, start: Date.now + 3600)
///       try daemon.advance(by: .seconds(3600))
///       #expect(activity.activityState == .active)
///     }
///
/// It needs the programs `laschedctl` and `lasched`: beside the test's own, in `$PATH`, or where
/// `$LASCHEDCTL` says.
public final class TestDaemon: Sendable {
  /// The daemon's address, for `LiveActivityDaemon.$local` and `LiveActivityDaemon.standard`.
  public let daemon: LiveActivityDaemon
  private let program: HelperProgram

  /// Starts one whose clock stands at that date; now where none is given, so that what a test
  /// reckons from `Date.now` is right. Throws where the programs are not found or do not start.
  public init(clock: Date? = nil, application: String? = nil) throws {
    let date = clock ?? Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
    let wall = WallTime(microseconds: Int64((date.timeIntervalSince1970 * 1_000_000).rounded()))
    program = try HelperProgram(
      try HelperProgram.find("laschedctl"),
      [
        "test", "--clock", wall.rfc3339, "--", "/bin/sh", "-c",
        "echo \"$LASCHED_SOCKET\"; exec cat > /dev/null",
      ])
    guard let socket = program.line(), !socket.isEmpty else {
      throw TestDaemonError("laschedctl test did not start a daemon: \(program.stop())")
    }
    daemon = LiveActivityDaemon(socket: socket, application: application)
  }

  deinit { stop() }

  /// Ends the daemon. What is asked of it from here on fails.
  public func stop() {
    daemon.forget()
    program.stop()
  }

  /// Runs `body` with a new daemon as the one that its activities live in; the daemon ends with it.
  /// Tests side by side have one each.
  @discardableResult
  public static func with<Result>(
    clock: Date? = nil, application: String? = nil,
    _ body: (TestDaemon) async throws -> Result
  ) async throws -> Result {
    let daemon = try TestDaemon(clock: clock, application: application)
    defer { daemon.stop() }
    return try await LiveActivityDaemon.$local.withValue(daemon.daemon) {
      try await body(daemon)
    }
  }

  // MARK: Time

  /// The daemon's wall clock.
  public var now: Date { get throws { try daemon.testClock() } }

  /// Moves both clocks on, deadline by deadline, so that nothing is late. Returns how many events
  /// there were; all that activities know, and all that sequences have been told, is as of then.
  @discardableResult
  public func advance(by span: Duration) throws -> Int {
    try daemon.move(.advance(microseconds: span.inMicroseconds))
  }

  /// Moves both clocks on to a date, as `advance(by:)` does.
  @discardableResult
  public func advance(to date: Date) throws -> Int { try daemon.move(.advanceTo(date)) }

  /// Moves both clocks on to the next deadline.
  @discardableResult
  public func advanceToNext() throws -> Int { try daemon.move(.advanceToNext) }

  /// Sets the wall clock forward, or back by a negative span.
  @discardableResult
  public func step(by span: Duration) throws -> Int {
    try daemon.move(.step(microseconds: span.inMicroseconds))
  }

  /// Lets the machine sleep: what comes due meanwhile is late.
  @discardableResult
  public func suspend(for span: Duration) throws -> Int {
    try daemon.move(.suspend(microseconds: span.inMicroseconds))
  }

  /// Lets so many of the next commits fail, as on a full disk.
  public func failNextCommits(_ count: Int) throws {
    try daemon.move(.failNextCommits(count))
  }
}

extension Duration {
  /// Rounded up, so that nothing that is due then is missed.
  fileprivate var inMicroseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    guard !overflow else { return seconds < 0 ? .min : .max }
    let rest = attoseconds / 1_000_000_000_000
    return whole &+ (attoseconds % 1_000_000_000_000 > 0 ? rest + 1 : rest)
  }
}
