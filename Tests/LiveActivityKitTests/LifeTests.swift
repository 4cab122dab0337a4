import Foundation
import LiveActivityKit
import LiveActivityTestKit
import Testing

@Suite struct LifeTests {
  @Test func whatIsRequestedIsActiveAtOnceWithWhatWentIn() async throws {
    try await TestDaemon.with { _ in
      let stale = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded() + 7200)
      let activity = try Delivery.request(
        attributes: .init(order: "7"),
        content: .init(state: .init(status: "👨‍🍳"), staleDate: stale, relevanceScore: 0.5))
      #expect(activity.activityState == .active)
      #expect(activity.attributes == .init(order: "7"))
      #expect(activity.content.state == .init(status: "👨‍🍳"))
      #expect(activity.content.staleDate == stale)
      #expect(activity.content.relevanceScore == 0.5)
      #expect(UUID(uuidString: activity.id) != nil)
      #expect(activity.details.attributesType == "DeliveryAttributes")
      #expect(Delivery.activities.map(\.id) == [activity.id])
    }
  }

  @Test func aScheduledOneStartsAtItsDateAndNotBefore() async throws {
    try await TestDaemon.with { daemon in
      let activity = try Delivery.request(
        attributes: .init(order: "8"),
        content: .init(state: .init(status: "later"), staleDate: nil),
        alertConfiguration: .init(title: "Food", body: "It is \(1) minute away"),
        start: try daemon.now.addingTimeInterval(3600))
      #expect(activity.activityState == .pending)
      try daemon.advance(by: .milliseconds(3_599_999))
      #expect(activity.activityState == .pending)
      try daemon.advance(by: .milliseconds(1))
      #expect(activity.activityState == .active)
    }
  }

  @Test func aPastDateThrowsAndStoresNothing() async throws {
    try await TestDaemon.with { daemon in
      let error = #expect(throws: LiveActivityError.self) {
        try Delivery.request(
          attributes: .init(order: "9"), content: .init(state: .init(status: ""), staleDate: nil),
          alertConfiguration: .init(title: "a", body: "b"),
          start: try daemon.now.addingTimeInterval(-60))
      }
      #expect(error?.code == .invalidDate)
      #expect(Delivery.activities.isEmpty)
    }
  }

  @Test func anUpdateIsSeenWhenItReturns() async throws {
    try await TestDaemon.with { _ in
      let activity = try deliver()
      for minutes in 0..<20 {
        await activity.update(
          .init(state: .init(status: "on its way", minutes: minutes), staleDate: nil))
        #expect(activity.content.state.minutes == minutes)
      }
    }
  }

  @Test func anOlderTimestampIsPassedOver() async throws {
    try await TestDaemon.with { daemon in
      let activity = try deliver()
      let now = try daemon.now
      await activity.update(
        .init(state: .init(status: "new"), staleDate: nil), timestamp: now.addingTimeInterval(-1))
      let older = now.addingTimeInterval(-2)
      let error = await #expect(throws: LiveActivityError.self) {
        try await activity.submit(
          .init(state: .init(status: "old"), staleDate: nil), timestamp: older)
      }
      #expect(error?.code == .outdated)
      #expect(activity.content.state.status == "new")
    }
  }

  @Test func endingKeepsItUntilItsDismissal() async throws {
    try await TestDaemon.with { daemon in
      let activity = try deliver()
      await activity.end(
        .init(state: .init(status: "eaten"), staleDate: nil), dismissalPolicy: .default)
      #expect(activity.activityState == .ended)
      #expect(activity.content.state.status == "eaten")
      #expect(Delivery.activities.count == 1)
      try daemon.advance(by: .seconds(4 * 3600))
      #expect(activity.activityState == .dismissed)
      #expect(Delivery.activities.isEmpty)
      let error = await #expect(throws: LiveActivityError.self) {
        try await activity.submit(.init(state: .init(status: "more"), staleDate: nil))
      }
      #expect(error?.code == .activityOver)
    }
  }

  @Test func anIDThatAttributesNameReplacesTheOlderSession() async throws {
    try await TestDaemon.with { _ in
      let attributes = NamedAttributes(activityID: "match/1")
      let first = try Activity.request(
        attributes: attributes, content: .init(state: .init(step: 1), staleDate: nil))
      let second = try Activity.request(
        attributes: attributes, content: .init(state: .init(step: 2), staleDate: nil))
      #expect(first.id == "match/1")
      #expect(second.id == "match/1")
      #expect(first.activityState == .dismissed)
      #expect(first.details.reason == "replaced")
      #expect(second.activityState == .active)
      #expect(second.details.session == 2)
      await first.update(.init(state: .init(step: 9), staleDate: nil))
      #expect(second.content.state.step == 2)
    }
  }

  @Test func othersNeverCollide() async throws {
    try await TestDaemon.with { _ in
      let one = try deliver("same")
      let two = try deliver("same")
      #expect(one.id != two.id)
      #expect(Delivery.activities.count == 2)
    }
  }

  @Test func activitiesAreThisApplicationsOnly() async throws {
    try await TestDaemon.with(application: "org.example.A") { daemon in
      let own = try deliver()
      var other = daemon.daemon
      other.application = "org.example.B"
      try LiveActivityDaemon.$local.withValue(other) {
        #expect(Delivery.activities.isEmpty)
        let theirs = try deliver()
        #expect(Delivery.activities.map(\.id) == [theirs.id])
      }
      #expect(Delivery.activities.map(\.id) == [own.id])
    }
  }
}
