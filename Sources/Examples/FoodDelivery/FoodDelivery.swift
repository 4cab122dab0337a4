// A food delivery that is scheduled, starts at its date, is updated, and is cancelled by its Activity ID.
// Apart from the imports of a user interface it is what an iPhone app would hold.
import ActivityKit
import Foundation
import PushwooshFramework
import PushwooshLiveActivities

struct FoodDeliveryAttributes: PushwooshLiveActivityAttributes {
  struct ContentState: PushwooshLiveActivityContentState {
    var status: String
    var estimatedTime: String
    var emoji: String
    var pushwoosh: PushwooshLiveActivityContentStateData?
  }

  var orderNumber: String
  var pushwoosh: PushwooshLiveActivityAttributeData
}

@main struct FoodDelivery {
  static func main() async throws {
    guard ActivityAuthorizationInfo().areActivitiesEnabled else {
      print("You can't start live activity.")
      exit(1)
    }
    Pushwoosh.LiveActivities.setup(FoodDeliveryAttributes.self)
    let activity = try Pushwoosh.LiveActivities.schedule(
      attributes: FoodDeliveryAttributes(
        orderNumber: "1234567", pushwoosh: .create(activityId: "order-1234567")),
      contentState: FoodDeliveryAttributes.ContentState(
        status: "Preparing your meal", estimatedTime: "25 min", emoji: "👨‍🍳"),
      at: Date().addingTimeInterval(3600), alertTitle: "Your order", alertBody: "It is being made")
    print("scheduled \(activity.id)")
    for await state in activity.activityStateUpdates {
      print("state \(state)")
      switch state {
      case .active:
        await activity.update(
          ActivityContent(
            state: FoodDeliveryAttributes.ContentState(
              status: "On its way", estimatedTime: "5 min", emoji: "🛵"),
            staleDate: nil))
        print("content \(activity.content.state.status)")
        Pushwoosh.LiveActivities.cancel(
          FoodDeliveryAttributes.self, activityId: "order-1234567")
      default: break
      }
    }
    print("over: \(activity.details.reason ?? "")")
  }
}
