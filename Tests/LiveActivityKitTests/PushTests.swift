import Foundation
import JSON
import LiveActivityKit
import LiveActivityTestKit
import Testing
import Varlink

@Suite(.enabled("the daemon has io.lasched.Push") { try daemonHasPush() }) struct PushTests {
  @Test func whoeverHasTheTokenUpdatesAndEndsTheActivity() async throws {
    try await TestDaemon.with { daemon in
      let activity = try deliverWithToken()
      let token = try #require(await first(activity.pushTokenUpdates))
      #expect(token.count == 32)
      #expect(activity.pushToken == token)
      let now = Int(try daemon.now.timeIntervalSince1970)
      try push(
        token,
        #"{"timestamp":\#(now),"event":"update","content-state":{"status":"pushed","minutes":3}}"#,
        daemon)
      #expect(await eventually { activity.content.state == .init(status: "pushed", minutes: 3) })
      try push(
        token, #"{"timestamp":\#(now + 1),"event":"end","dismissal-date":\#(now - 1)}"#, daemon)
      #expect(await eventually { activity.activityState == .dismissed })
      #expect(throws: Refusal.self) {
        try push(
          token, #"{"timestamp":\#(now + 2),"event":"update","content-state":{"status":""}}"#,
          daemon)
      }
    }
  }

  @Test func aScheduledOneHasItsTokenWhenItHasStarted() async throws {
    try await TestDaemon.with { daemon in
      let activity = try Delivery.request(
        attributes: .init(order: "1"), content: .init(state: .init(status: ""), staleDate: nil),
        pushType: .token, alertConfiguration: .init(title: "a", body: "b"),
        start: try daemon.now.addingTimeInterval(3600))
      var tokens = activity.pushTokenUpdates.makeAsyncIterator()
      #expect(activity.pushToken == nil)
      try daemon.advance(by: .seconds(3600))
      #expect(await tokens.next()?.count == 32)
    }
  }

  @Test func withoutPushTypeThereIsNoToken() async throws {
    try await TestDaemon.with { _ in
      let activity = try deliver()
      let tokens = activity.pushTokenUpdates
      let all = Task {
        var all: [Data] = []
        for await token in tokens { all.append(token) }
        return all
      }
      #expect(await eventually { activity.listeners == 1 })
      #expect(activity.pushToken == nil)
      await activity.end(nil, dismissalPolicy: .immediate)
      #expect(await all.value.isEmpty)
    }
  }

  @Test func aStartTokenStartsActivitiesOfItsType() async throws {
    try await TestDaemon.with { daemon in
      let token = try #require(await first(Delivery.pushToStartTokenUpdates))
      #expect(Delivery.pushToStartToken == token)
      var opened = Delivery.activityUpdates.makeAsyncIterator()
      let now = Int(try daemon.now.timeIntervalSince1970)
      try push(
        token,
        #"{"timestamp":\#(now),"event":"start","attributes-type":"DeliveryAttributes","attributes":{"order":"9"},"content-state":{"status":"begun","minutes":1},"alert":{"title":"a","body":"b"}}"#,
        daemon)
      let activity = try #require(await opened.next())
      #expect(activity.attributes.order == "9")
      #expect(activity.content.state == .init(status: "begun", minutes: 1))
      #expect(activity.activityState == .active)
    }
  }

  @Test func setupTellsTheServerOfTokens() async throws {
    let told = Locked<[LiveActivities.ServerMessage]>([])
    LiveActivities.server = { message in told.with { $0.append(message) } }
    defer { LiveActivities.server = nil }
    try await TestDaemon.with { _ in
      LiveActivities.setup(TokenAttributes.self)
      let activity = try Activity.request(
        attributes: TokenAttributes(pushwoosh: .create(activityId: "told")),
        content: .init(state: .init(), staleDate: nil), pushType: .token)
      #expect(
        await eventually {
          told.with { messages in
            messages.contains {
              if case .updateToken(let token, "told") = $0 { token.count == 64 } else { false }
            }
              && messages.contains {
                if case .startToken(_, "TokenAttributes") = $0 { true } else { false }
              }
          }
        })
      LiveActivities.stopLiveActivity(activityId: "told")
      #expect(told.with { $0.contains(.stopped(activityId: "told")) })
      #expect(activity.activityState == .active)
    }
  }

  private struct TokenAttributes: PushwooshLiveActivityAttributes {
    struct ContentState: PushwooshLiveActivityContentState {
      var pushwoosh: PushwooshLiveActivityContentStateData?
    }
    var pushwoosh: PushwooshLiveActivityAttributeData
  }

  private struct Refusal: Error { let name: String }

  private func deliverWithToken() throws -> Delivery {
    try Delivery.request(
      attributes: .init(order: "1"), content: .init(state: .init(status: ""), staleDate: nil),
      pushType: .token)
  }

  private func first(_ tokens: Delivery.PushTokenUpdates) async -> Data? {
    for await token in tokens { return token }
    return nil
  }

  private func push(_ token: Data, _ aps: String, _ daemon: TestDaemon) throws {
    let connection = try VarlinkConnection(connectingTo: daemon.daemon.socket)
    let payload = try JSONText(validating: #"{"aps":\#(aps)}"#)
    let text = token.map { String(format: "%02x", $0) }.joined()
    let reply = try connection.call("io.lasched.Push.Push") { writer in
      writer.key("token")
      writer.string(text)
      writer.key("payload")
      writer.text(payload)
    }
    if let name = reply.error {
      throw Refusal(name: "\(name) \(reply.parameters.text?.string ?? "")")
    }
  }
}

/// Whether the daemon tells of the interface.
private func daemonHasPush() throws -> Bool {
  let daemon = try TestDaemon()
  let connection = try VarlinkConnection(connectingTo: daemon.daemon.socket)
  let interfaces = try connection.call("org.varlink.service.GetInfo").parameters["interfaces"]
  return interfaces?.elements.contains { $0.equals("io.lasched.Push") } ?? false
}
