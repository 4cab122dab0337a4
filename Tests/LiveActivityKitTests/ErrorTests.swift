import Foundation
import JSON
import LiveActivityKit
import LiveActivityTestKit
import Testing
import Varlink

@Suite struct ErrorTests {
  @Test func withoutADaemonThereIsAClearErrorAtOnce() async throws {
    let nowhere = LiveActivityDaemon(socket: "/nonexistent/lasched/socket", application: "x")
    LiveActivityDaemon.$local.withValue(nowhere) {
      let start = ContinuousClock.now
      let error = #expect(throws: LiveActivityError.self) { try deliver() }
      #expect(error?.code == .noDaemon)
      #expect(error?.localizedDescription.contains("/nonexistent/lasched/socket") == true)
      #expect(error?.localizedDescription.contains("systemctl start lasched") == true)
      #expect(ActivityAuthorizationInfo().areActivitiesEnabled == false)
      #expect(Delivery.activities.isEmpty)
      var errors: [(any Error)?] = []
      LiveActivities.cancel(FoodAttributes.self, activityId: "a") { errors.append($0) }
      LiveActivities.stopLiveActivity { errors.append($0) }
      LiveActivities.stopLiveActivity(activityId: "a") { errors.append($0) }
      LiveActivities.startLiveActivity(token: "ab", activityId: "a") { errors.append($0) }
      #expect(
        errors.map { ($0 as? LiveActivityError)?.code } == Array(repeating: .noDaemon, count: 4))
      #expect(ContinuousClock.now - start < .seconds(20))
    }
  }

  @Test func tooMuchIsCalledTooLarge() async throws {
    try await TestDaemon.with { _ in
      #expect(throws: ActivityAuthorizationError.attributesTooLarge) {
        try deliver(String(repeating: "x", count: 5000))
      }
    }
  }

  @Test func aBadIDIsCalledMalformed() async throws {
    try await TestDaemon.with { _ in
      for id in ["", "a\nb", String(repeating: "x", count: 256)] {
        #expect(throws: ActivityAuthorizationError.malformedActivityIdentifier) {
          try Activity.request(
            attributes: NamedAttributes(activityID: id),
            content: .init(state: .init(step: 1), staleDate: nil))
        }
      }
    }
  }

  @Test func anIDThatIsTakenIsRefusedWhereThatIsWanted() async throws {
    try await TestDaemon.with { _ in
      var options = ActivityOptions()
      options.id = "once"
      options.ifExists = .fail
      func request(_ order: String) throws -> Delivery {
        try Delivery.request(
          attributes: .init(order: order),
          content: .init(state: .init(status: ""), staleDate: nil), style: .standard,
          options: options)
      }
      let first = try request("1")
      #expect(throws: ActivityAuthorizationError.reconnectNotPermitted) { try request("2") }
      #expect(first.activityState == .active)
      #expect(try request("1").details.session == 1)
    }
  }

  @Test func aStoreThatFailsIsCalledSo() async throws {
    try await TestDaemon.with { daemon in
      try daemon.failNextCommits(1)
      #expect(throws: ActivityAuthorizationError.persistenceFailure) { try deliver() }
      #expect(try deliver().activityState == .active)
    }
  }

  @Test func alertsThatAreTooLongAreRefused() async throws {
    try await TestDaemon.with { _ in
      let error = #expect(throws: LiveActivityError.self) {
        try Delivery.request(
          attributes: .init(order: "1"), content: .init(state: .init(status: ""), staleDate: nil),
          alertConfiguration: .init(
            title: .init(String(repeating: "x", count: 300)), body: ""),
          start: Date().addingTimeInterval(60))
      }
      #expect(error?.code == .malformed)
    }
  }

  @Test func whatLinuxHasMoreIsReached() async throws {
    try await TestDaemon.with { daemon in
      var options = ActivityOptions()
      options.actions = [.init(name: "call", label: "Call the courier")]
      options.endAfter = 1800
      options.endAlert = .init(title: "Over", body: "")
      options.channel = "food"
      let activity = try Delivery.request(
        attributes: .init(order: "1"), content: .init(state: .init(status: ""), staleDate: nil),
        style: .standard, options: options)
      #expect(activity.details.actions == options.actions)
      #expect(activity.details.channel == "food")
      try daemon.advance(by: .seconds(1800))
      #expect(activity.activityState == .ended)
      try await activity.cancel()
      try await activity.cancel()
      #expect(activity.activityState == .dismissed)
    }
  }

  @Test func remindersAndAWakeComeWithTheStart() async throws {
    try await TestDaemon.with { daemon in
      let start = try daemon.now.addingTimeInterval(7200)
      var options = ActivityOptions()
      options.reminders = [3600, 600]
      options.wakesMachine = true
      let activity = try Delivery.request(
        attributes: .init(order: "1"), content: .init(state: .init(status: ""), staleDate: nil),
        style: .standard, alertConfiguration: .init(title: "Food", body: ""), start: start,
        options: options)
      #expect(activity.details.wakesMachine)
      #expect(
        activity.details.reminderDates
          == [start.addingTimeInterval(-3600), start.addingTimeInterval(-600)])
      options.reminders = [-1]
      let error = #expect(throws: LiveActivityError.self) {
        try Delivery.request(
          attributes: .init(order: "2"), content: .init(state: .init(status: ""), staleDate: nil),
          style: .standard, alertConfiguration: .init(title: "Food", body: ""), start: start,
          options: options)
      }
      #expect(error?.code == .invalidDate)
    }
  }

  @Test func aPendingOneIsMoved() async throws {
    try await TestDaemon.with { daemon in
      let start = try daemon.now.addingTimeInterval(3600)
      let activity = try Delivery.request(
        attributes: .init(order: "1"), content: .init(state: .init(status: ""), staleDate: nil),
        alertConfiguration: .init(title: "a", body: "b"), start: start)
      try await activity.reschedule(start: start.addingTimeInterval(3600))
      try daemon.advance(to: start.addingTimeInterval(60))
      #expect(activity.activityState == .pending)
      try daemon.advanceToNext()
      #expect(activity.activityState == .active)
    }
  }
}

struct FoodAttributes: PushwooshLiveActivityAttributes {
  struct ContentState: PushwooshLiveActivityContentState {
    var status: String
    var pushwoosh: PushwooshLiveActivityContentStateData?
  }
  var pushwoosh: PushwooshLiveActivityAttributeData
}

@Suite struct AuthorizationTests {
  @Test func aPersonsChoiceIsFollowedAsItChanges() async throws {
    try await TestDaemon.with { daemon in
      let info = ActivityAuthorizationInfo()
      var updates = info.activityEnablementUpdates.makeAsyncIterator()
      #expect(info.areActivitiesEnabled)
      #expect(await updates.next() == true)
      for parameters in [[:], ["application": daemon.daemon.application]] {
        try setEnabled(false, parameters, daemon)
        #expect(await updates.next() == false)
        #expect(throws: ActivityAuthorizationError.denied) { try deliver() }
        try setEnabled(true, parameters, daemon)
        #expect(await updates.next() == true)
        #expect(try deliver().activityState == .active)
      }
    }
  }

  private func setEnabled(
    _ enabled: Bool, _ parameters: [String: String], _ daemon: TestDaemon
  ) throws {
    let connection = try VarlinkConnection(connectingTo: daemon.daemon.socket)
    let reply = try connection.call("io.lasched.LiveActivities.SetEnabled") { writer in
      writer.key("enabled")
      writer.bool(enabled)
      for (key, value) in parameters {
        writer.key(escaping: key)
        writer.string(value)
      }
    }
    try #require(reply.error == nil)
  }
}
