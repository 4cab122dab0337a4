// The food delivery of Pushwoosh's guide. Changed: `ObservableObject`, `UIKit` and the view are gone, and
// the manager keeps what the guide prints.
import ActivityKit
import Foundation
import PushwooshFramework
import PushwooshLiveActivities

struct FoodDeliveryAttributes: PushwooshLiveActivityAttributes {
  public struct ContentState: PushwooshLiveActivityContentState {
    var status: String
    var estimatedTime: String
    var emoji: String
    var pushwoosh: PushwooshLiveActivityContentStateData?
  }

  var orderNumber: String
  var pushwoosh: PushwooshLiveActivityAttributeData
}

class FoodDeliveryManager: NSObject {
  public static let shared: FoodDeliveryManager = FoodDeliveryManager()

  var currentActivity: Activity<FoodDeliveryAttributes>? = nil
  let lines = Lines()

  override init() {
    super.init()
  }

  func startActivity() {
    guard ActivityAuthorizationInfo().areActivitiesEnabled else {
      lines.add("You can't start live activity.")
      return
    }
    do {
      let pushwooshData = PushwooshLiveActivityAttributeData(activityId: "activity_id")
      let atttribute = FoodDeliveryAttributes(orderNumber: "1234567", pushwoosh: pushwooshData)
      let initialState = FoodDeliveryAttributes.ContentState(
        status: "Preparing your meal",
        estimatedTime: "25 min",
        emoji: "👨‍🍳",
        pushwoosh: nil
      )
      let activity = try Activity<FoodDeliveryAttributes>.request(
        attributes: atttribute,
        content: .init(state: initialState, staleDate: nil),
        pushType: .token
      )
      self.currentActivity = activity

      Task {
        for await pushToken in activity.pushTokenUpdates {
          let pushTokenString = pushToken.reduce("") {
            $0 + String(format: "%02x", $1)
          }
          lines.add("Activity:\(activity.id) push token: \(pushTokenString)")

          // MARK: - Send Push Token to Pushwoosh
          Pushwoosh.LiveActivities.startLiveActivity(
            token: pushTokenString,
            activityId: "activity_id"
          )
        }
      }
    } catch {
      lines.add("Start Activity Error: \(error.localizedDescription)")
    }
  }

  func getPushToStartToken() {
    if #available(iOS 17.2, *) {
      Task {
        for await data in Activity<FoodDeliveryAttributes>.pushToStartTokenUpdates {
          let token = data.map { String(format: "%02x", $0) }.joined()
          lines.add("Activity PushToStart Token: \(token)")

          // Send `pushToStartTokenUpdates` token to Pushwoosh
          try await Pushwoosh.LiveActivities.sendPushToStartLiveActivity(token: token)
        }
      }
    }
  }

  func schedule(after seconds: TimeInterval) {
    if #available(iOS 26.0, *) {
      let startDate = Date().addingTimeInterval(seconds)
      let atttribute = FoodDeliveryAttributes(
        orderNumber: "1234567",
        pushwoosh: PushwooshLiveActivityAttributeData(activityId: "activity_id"))
      let initialState = FoodDeliveryAttributes.ContentState(
        status: "Scheduled", estimatedTime: "60 min", emoji: "🏟", pushwoosh: nil)

      do {
        let activity = try Pushwoosh.LiveActivities.schedule(
          attributes: atttribute,
          contentState: initialState,
          at: startDate,
          alertTitle: "Game starting!",
          alertBody: "The match is about to begin"
        )
        self.currentActivity = activity
      } catch {
        lines.add("Schedule Activity Error: \(error.localizedDescription)")
      }
    }
  }

  func cancel() {
    if #available(iOS 16.2, *) {
      Pushwoosh.LiveActivities.cancel(FoodDeliveryAttributes.self, activityId: "activity_id")
    }
  }

  func setUp() {
    if #available(iOS 16.1, *) {
      Pushwoosh.LiveActivities.setup(FoodDeliveryAttributes.self)
    }
  }

  func startWithoutTypes() {
    Pushwoosh.LiveActivities.defaultSetup()
    Pushwoosh.LiveActivities.defaultStart(
      "activity_id",
      attributes: ["key_attribute": "value_attribute"],
      content: ["key_content": "value_content"])
  }

  func stopInTheOldWay() {
    Pushwoosh.sharedInstance().stopLiveActivity(activityId: "activity_id")
    Pushwoosh.sharedInstance().stopLiveActivity { error in
      self.lines.add("stopped: \(String(describing: error))")
    }
  }
}

/// What the guide would print.
final class Lines: @unchecked Sendable {
  private let lock = NSLock()
  private var kept: [String] = []

  func add(_ line: String) { lock.withLock { kept.append(line) } }
  var all: [String] { lock.withLock { kept } }
}
