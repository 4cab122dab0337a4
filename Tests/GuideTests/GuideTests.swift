import ActivityKit
import Foundation
import LiveActivityTestKit
import PushwooshFramework
import PushwooshLiveActivities
import Testing

/// Waits for something that a task of the guide is about to do; gives up after many seconds.
func eventually(_ condition: () -> Bool) async -> Bool {
  for _ in 0..<3000 {
    if condition() { return true }
    try? await Task.sleep(for: .milliseconds(5))
  }
  return false
}

@Suite struct GuideTests {
  @Test func theFoodDeliveryIsStartedAndCancelled() async throws {
    try await TestDaemon.with { daemon in
      let manager = FoodDeliveryManager()
      manager.startActivity()
      let activity = try #require(manager.currentActivity, "\(manager.lines.all)")
      #expect(activity.id == "activity_id")
      #expect(activity.content.state.emoji == "👨‍🍳")
      manager.cancel()
      #expect(activity.activityState == .dismissed)
      #expect(activity.details.reason == "cancelled")
    }
  }

  @Test func theFoodDeliveryIsScheduledAndStarts() async throws {
    try await TestDaemon.with { daemon in
      let manager = FoodDeliveryManager()
      manager.setUp()
      manager.setUp()
      manager.schedule(after: 3600)
      let activity = try #require(manager.currentActivity, "\(manager.lines.all)")
      #expect(activity.activityState == .pending)
      try daemon.advanceToNext()
      #expect(activity.activityState == .active)
      manager.stopInTheOldWay()
      #expect(activity.details.remoteUpdates == false)
      #expect(activity.activityState == .active)
      #expect(manager.lines.all.contains("stopped: nil"))
    }
  }

  @Test func aScheduledFoodDeliveryThatIsCancelledNeverStarts() async throws {
    try await TestDaemon.with { daemon in
      let manager = FoodDeliveryManager()
      manager.schedule(after: 3600)
      manager.cancel()
      try daemon.advance(by: .seconds(7200))
      #expect(manager.currentActivity?.activityState == .dismissed)
      #expect(manager.currentActivity?.details.startedDate == nil)
    }
  }

  @Test func aPastDateIsTold() async throws {
    try await TestDaemon.with { daemon in
      let manager = FoodDeliveryManager()
      manager.schedule(after: -3600)
      #expect(manager.currentActivity == nil)
      #expect(manager.lines.all.first?.hasPrefix("Schedule Activity Error: the start") == true)
      #expect(Activity<FoodDeliveryAttributes>.activities.isEmpty)
    }
  }

  @Test func defaultStartTakesDictionaries() async throws {
    try await TestDaemon.with { daemon in
      FoodDeliveryManager().startWithoutTypes()
      let activity = try #require(Activity<DefaultLiveActivityAttributes>.activities.first)
      #expect(activity.id == "activity_id")
      #expect(activity.content.state.data == ["key_content": "value_content"])
      #expect(activity.attributes.data["key_attribute"]?.value as? String == "value_attribute")
      Pushwoosh.initialize(["app_id": "XXXXX-XXXXX"])
      Pushwoosh.getInstance.defaultSetup()
      Pushwoosh.getInstance().defaultStart(
        "stopwatch_activity", ["title": "Stopwatch Activity"], ["elapsedSeconds": 0])
      #expect(Activity<DefaultLiveActivityAttributes>.activities.count == 2)
      PushwooshLiveActivities.defaultSetup()
    }
  }

  @Test func theStopwatchRuns() async throws {
    try await TestDaemon.with { daemon in
      let manager = StopwatchManager()
      var answers: [FlutterError] = []
      let result: FlutterResult = { if let error = $0 as? FlutterError { answers.append(error) } }
      manager.startLiveActivity(data: ["elapsedSeconds": 0], result: result)
      let activity = try #require(manager.stopwatchActivity)
      manager.updateLiveActivity(data: ["elapsedSeconds": 7], result: result)
      #expect(await eventually { activity.content.state.elapsedTime == 7 })
      manager.stopLiveActivity(result: result)
      #expect(await eventually { activity.activityState == .dismissed })
      #expect(answers.isEmpty)
      manager.startLiveActivity(data: nil, result: result)
      #expect(answers.map(\.code) == ["418"])
    }
  }

  @Test func theCoachsOrderIsFollowed() async throws {
    try await TestDaemon.with { daemon in
      let manager = CoachLiveActivityManager()
      #expect(manager.isLiveActivitySupported())
      let order: [String: Any] = ["order_id": 9_007_199_254_740_993, "student_name": "王小明"]
      await manager.startLiveActivity(data: order) { _ in }
      let activity = try #require(manager.liveActivity)
      #expect(activity.attributes.contentState.orderId == 9_007_199_254_740_993)
      await manager.startLiveActivity(data: ["order_id": 2, "status": 3]) { _ in }
      #expect(await eventually { activity.content.state.status == 3 })
      #expect(Activity<CoachLiveActivityAttributes>.activities.count == 1)
      let ended = Lines()
      manager.endLiveActivity(data: ["order_id": 2]) { ended.add("\($0)") }
      #expect(await eventually { ended.all == ["true"] })
      #expect(activity.activityState == .dismissed)
      #expect(await eventually { !manager.isActivityRunning })
    }
  }
}
