package import FoundationEssentials
internal import LiveActivity
internal import SchedulerAPI

/// How the clocks of a daemon with `--test-clock` move.
package enum TestClockStep: Sendable {
  case advance(microseconds: Int64)
  case advanceTo(Date)
  case advanceToNext
  case step(microseconds: Int64)
  case suspend(microseconds: Int64)
  case failNextCommits(Int)

  fileprivate func move() throws -> TestClockMove {
    switch self {
    case .advance(let span): .advance(by: TimeSpan(microseconds: span))
    case .advanceTo(let date): .advanceTo(try WallTime(date, "the date"))
    case .advanceToNext: .advanceToNext
    case .step(let span): .step(by: TimeSpan(microseconds: span))
    case .suspend(let span): .suspend(for: TimeSpan(microseconds: span))
    case .failNextCommits(let count): .failNextCommits(Int64(count))
    }
  }
}

extension LiveActivityDaemon {
  /// Moves the clocks; returns how many events there were. All that this program knows is as of
  /// then: events are sent before the reply.
  @discardableResult
  package func move(_ step: TestClockStep) throws -> Int {
    let reply: TestClockReply
    let move = try step.move()
    do throws(LinkFailure) { reply = try DaemonLink.to(self).calls.call(move) } catch {
      throw error.publicError
    }
    for link in DaemonLink.all(socket: socket) { link.monitor.catchUp() }
    return Int(reply.events)
  }

  /// The wall clock.
  package func testClock() throws -> Date {
    do throws(LinkFailure) {
      return try DaemonLink.to(self).calls.call(TestClockNow()).clocks.wall.date
    } catch {
      throw error.publicError
    }
  }

  /// Lets go of its connections.
  package func forget() { DaemonLink.close(socket: socket) }
}
