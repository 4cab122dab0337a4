import Foundation
import LiveActivityKit
import LiveActivityTestKit
import Testing

/// A daemon that can be killed and started again on what it has.
private final class Restartable {
  let directory: URL
  let daemon: LiveActivityDaemon
  private var process = Process()

  init() throws {
    directory = FileManager.default.temporaryDirectory.appending(
      path: "lasched-kit-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    daemon = LiveActivityDaemon(socket: directory.path + "/socket", application: "org.example.kit")
    try start()
  }

  deinit {
    kill()
    daemon.forget()
    try? FileManager.default.removeItem(at: directory)
  }

  func start(at clock: String = "2026-12-01T12:00:00Z") throws {
    process = Process()
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    process.executableURL = URL(fileURLWithPath: own).deletingLastPathComponent().appending(
      path: "lasched")
    process.arguments = [
      "--system", "--state-directory=\(directory.path)/state", "--socket=\(daemon.socket)",
      "--config=/dev/null", "--log-level=err", "--test-clock=\(clock)",
    ]
    try process.run()
  }

  func kill() {
    guard process.isRunning else { return }
    Glibc.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Waits until it answers.
  func answers() async -> Bool {
    await eventually { (try? daemon.testClock()) != nil }
  }
}

@Suite struct RestartTests {
  @Test func sequencesResumeWithoutAGapOrARepeat() async throws {
    let ground = try Restartable()
    try await LiveActivityDaemon.$local.withValue(ground.daemon) {
      try #require(await ground.answers())
      let activity = try deliver()
      let contents = activity.contentUpdates
      let states = activity.activityStateUpdates
      let minutes = Task {
        var all: [Int] = []
        for await content in contents { all.append(content.state.minutes) }
        return all
      }
      let seen = Task {
        var all: [ActivityState] = []
        for await state in states { all.append(state) }
        return all
      }
      #expect(await eventually { activity.listeners == 2 })
      for round in 0..<3 {
        for i in 0..<5 {
          await activity.update(
            .init(state: .init(status: "", minutes: 100 * round + i), staleDate: nil))
        }
        ground.kill()
        try ground.start()
        // The first call waits for the daemon itself.
        await activity.update(
          .init(state: .init(status: "", minutes: 100 * round + 50), staleDate: nil))
        #expect(activity.content.state.minutes == 100 * round + 50)
      }
      try await activity.finish(dismissalPolicy: .immediate)
      #expect(
        await minutes.value
          == [25] + [0, 100, 200].flatMap { round in [0, 1, 2, 3, 4, 50].map { round + $0 } })
      let came = await seen.value
      #expect(came == [.active, .dismissed] || came == [.active, .ended, .dismissed])
    }
  }

  @Test func whatHappenedWhileNobodyListenedIsHeardAfterwards() async throws {
    let ground = try Restartable()
    try await LiveActivityDaemon.$local.withValue(ground.daemon) {
      try #require(await ground.answers())
      let activity = try Delivery.request(
        attributes: .init(order: "1"), content: .init(state: .init(status: ""), staleDate: nil),
        alertConfiguration: .init(title: "a", body: "b"),
        start: ISO8601DateFormatter().date(from: "2026-12-01T13:00:00Z")!)
      var iterator = activity.activityStateUpdates.makeAsyncIterator()
      #expect(await iterator.next() == .pending)
      ground.kill()
      try ground.start(at: "2026-12-01T14:00:00Z")
      #expect(await iterator.next() == .active)
      #expect(activity.activityState == .active)
    }
  }

  @Test func anotherStoreKnowsNoneOfThem() async throws {
    let ground = try Restartable()
    try await LiveActivityDaemon.$local.withValue(ground.daemon) {
      try #require(await ground.answers())
      let activity = try deliver()
      var iterator = activity.activityStateUpdates.makeAsyncIterator()
      #expect(await iterator.next() == .active)
      ground.kill()
      try FileManager.default.removeItem(at: ground.directory.appending(path: "state"))
      try ground.start()
      #expect(await iterator.next() == .dismissed)
      #expect(await iterator.next() == nil)
      let newer = try deliver()
      #expect(Delivery.activities.map(\.id) == [newer.id])
    }
  }
}
