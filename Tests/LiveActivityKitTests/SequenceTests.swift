import Foundation
import Glibc
import LiveActivityKit
import LiveActivityTestKit
import Testing

@Suite struct SequenceTests {
  @Test func statesComeInOrderAndEndWithTheActivity() async throws {
    try await TestDaemon.with { daemon in
      let now = try daemon.now
      let activity = try Delivery.request(
        attributes: .init(order: "1"),
        content: .init(state: .init(status: ""), staleDate: now + 5400),
        alertConfiguration: .init(title: "a", body: "b"), start: now + 3600)
      let updates = activity.activityStateUpdates
      let states = Task {
        var all: [ActivityState] = []
        for await state in updates { all.append(state) }
        return all
      }
      #expect(await eventually { activity.listeners > 0 })
      try daemon.advance(to: now + 3600)
      try daemon.advance(to: now + 5400)
      await activity.end(nil)
      try daemon.advance(by: .seconds(4 * 3600))
      #expect(await states.value == [.pending, .active, .stale, .ended, .dismissed])
    }
  }

  @Test func contentsComeOneByOne() async throws {
    try await TestDaemon.with { _ in
      let activity = try deliver()
      var iterator = activity.contentUpdates.makeAsyncIterator()
      for minutes in 0..<50 {
        await activity.update(.init(state: .init(status: "s", minutes: minutes), staleDate: nil))
      }
      #expect(await iterator.next()?.state.status == "cooking")
      for minutes in 0..<50 { #expect(await iterator.next()?.state.minutes == minutes) }
      await activity.end(nil, dismissalPolicy: .immediate)
      #expect(await iterator.next() == nil)
    }
  }

  @Test func newActivitiesAreHeardOfAfterThoseThatThereAre() async throws {
    try await TestDaemon.with { _ in
      let first = try deliver("1")
      var iterator = Delivery.activityUpdates.makeAsyncIterator()
      let second = try deliver("2")
      let third = try deliver("3")
      let ids = [await iterator.next()?.id, await iterator.next()?.id, await iterator.next()?.id]
      #expect(ids == [first.id, second.id, third.id])
    }
  }

  @Test func aSequenceOfWhatIsGoneEnds() async throws {
    try await TestDaemon.with { _ in
      let activity = try deliver()
      await activity.end(nil, dismissalPolicy: .immediate)
      var states: [ActivityState] = []
      for await state in activity.activityStateUpdates { states.append(state) }
      #expect(states == [.dismissed])
      for await _ in activity.pushTokenUpdates { Issue.record("a token of what is gone") }
    }
  }

  @Test func aListenerThatIsCancelledIsLetGo() async throws {
    try await TestDaemon.with { _ in
      let activity = try deliver()
      let listening = Task {
        for await _ in activity.activityStateUpdates {}
      }
      #expect(await eventually { activity.listeners == 1 })
      listening.cancel()
      await listening.value
      #expect(await eventually { activity.listeners == 0 })
    }
  }

  @Test func aThousandActivitiesShareTwoConnectionsAndASlowReaderSlowsNobody() async throws {
    try await TestDaemon.with { daemon in
      let process = try process(of: daemon.daemon)
      // Once the connection that asked for it is gone.
      var before = Int.max
      for _ in 0..<20 {
        before = min(before, sockets(of: process))
        try await Task.sleep(for: .milliseconds(10))
      }
      let activities = try (0..<1000).map { try deliver("\($0)") }
      let slow = activities[0].contentUpdates.makeAsyncIterator()
      let collectors = activities.map { activity in
        Task {
          var states: [ActivityState] = []
          for await state in activity.activityStateUpdates { states.append(state) }
          return states
        }
      }
      #expect(await eventually { activities.allSatisfy { $0.listeners > 0 } })
      #expect(sockets(of: process) - before == 2)
      for minutes in 0..<100 {
        await activities[0].update(
          .init(state: .init(status: "s", minutes: minutes), staleDate: nil))
      }
      // Eight hours are the most that an activity runs, and four it stays.
      try daemon.advance(by: .seconds(8 * 3600))
      try daemon.advance(by: .seconds(4 * 3600))
      for collector in collectors {
        #expect(await collector.value == [.active, .ended, .dismissed])
      }
      _ = slow
    }
  }
}

/// The process that listens at a daemon's socket (SO_PEERCRED, unix(7)).
private func process(of daemon: LiveActivityDaemon) throws -> Int32 {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  unsafe withUnsafeMutableBytes(of: &address.sun_path) {
    unsafe $0.copyBytes(from: daemon.socket.utf8)
  }
  let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
  defer { close(probe) }
  let connected = unsafe withUnsafePointer(to: &address) { address in
    unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      unsafe connect(probe, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
  try #require(connected == 0)
  var peer: (process: Int32, user: UInt32, group: UInt32) = (0, 0, 0)
  var size = socklen_t(MemoryLayout.size(ofValue: peer))
  try #require(unsafe getsockopt(probe, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0)
  return peer.process
}

/// Sockets that a process has open (proc(5)).
private func sockets(of process: Int32) -> Int {
  let directory = "/proc/\(process)/fd"
  let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
  return names.count {
    let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(directory)/\($0)")
    return target?.hasPrefix("socket:") ?? false
  }
}
