// The coach's order, a manager as an Objective-C app wraps it. Changed: `@objcMembers` is gone, and the
// type's name is one throughout, where the post has two.
import ActivityKit
import Foundation

struct CoachLiveActivityAttributes: ActivityAttributes {
  typealias EasyDriveOrderState = ContentState
  public struct ContentState: Codable, Hashable {
    var orderId: Int?
    var status: Int?
    var startTime: String?
    var studentName: String?
    var lessonLeftTime: Int?
    var isMicrophonePermissionGranted: Int?
  }
  var contentState: ContentState
  init(orderData: OrderData) {
    self.contentState = ContentState(
      orderId: orderData.orderId,
      status: orderData.status,
      startTime: orderData.startTime,
      studentName: orderData.studentName,
      lessonLeftTime: orderData.lessonLeftTime
    )
  }
}

struct OrderData: Codable {
  let orderId: Int?
  let status: Int?
  let startTime: String?
  let studentName: String?
  let lessonLeftTime: Int?
  enum CodingKeys: String, CodingKey {
    case orderId = "order_id"
    case status = "status"
    case startTime = "start_time"
    case studentName = "student_name"
    case lessonLeftTime = "lesson_left_time"
  }
}

func parseOrderData(jsonData: Data) -> OrderData? {
  let decoder = JSONDecoder()
  do {
    let orderData = try decoder.decode(OrderData.self, from: jsonData)
    return orderData
  } catch {
    print("Error decoding JSON: \(error)")
    return nil
  }
}

@available(iOS 16.1, *)
class CoachLiveActivityManager: NSObject {
  static let shared = CoachLiveActivityManager()
  override init() {}
  var liveActivity: Activity<CoachLiveActivityAttributes>?
  var isActivityRunning = false

  @available(iOS 16.1, *)
  func startLiveActivity(data: [String: Any], completion: @escaping (String?) -> Void) async {
    guard let jsonData = try? JSONSerialization.data(withJSONObject: data, options: []),
      let orderData = parseOrderData(jsonData: jsonData)
    else {
      print("Missing or invalid arguments")
      completion(nil)
      return
    }
    if self.isActivityRunning || Activity<CoachLiveActivityAttributes>.activities.count > 0 {
      self.updateLiveActivity(data: data)
    } else {
      let attributes = CoachLiveActivityAttributes(orderData: orderData)
      do {
        let activity = try Activity.request(
          attributes: attributes, contentState: attributes.contentState, pushType: .token)
        self.liveActivity = activity
        self.isActivityRunning = true
        Task {
          do {
            if let pushTokenUpdates = self.liveActivity?.pushTokenUpdates {
              for await data in pushTokenUpdates {
                let token = data.map { String(format: "%02x", $0) }.joined()
                completion(token)
                return
              }
            }
          } catch {
            completion("")
          }
        }
        Task {
          for await state in activity.activityStateUpdates {
            if state == .active {
              isActivityRunning = true
            } else if state == .ended {
              isActivityRunning = false
            } else {
              isActivityRunning = false
            }
          }
        }
      } catch let error {
        print("can't launch live activity: \(error.localizedDescription)")
        completion("")
      }
    }
  }

  func updateLiveActivity(data: [String: Any]) -> Bool {
    guard let jsonData = try? JSONSerialization.data(withJSONObject: data, options: []),
      let orderData = parseOrderData(jsonData: jsonData)
    else {
      print("Missing or invalid arguments")
      return false
    }
    let attributes = CoachLiveActivityAttributes(orderData: orderData)
    Task {
      do {
        await liveActivity?.update(using: attributes.contentState)
        return true
      } catch {
        print("Failed to update live activity: \(error)")
        return false
      }
    }
    return false
  }

  func endLiveActivity(data: [String: Any], completion: @escaping (Bool) -> Void) {
    guard let jsonData = try? JSONSerialization.data(withJSONObject: data, options: []),
      let orderData = parseOrderData(jsonData: jsonData)
    else {
      print("Missing or invalid arguments")
      completion(false)
      return
    }
    let attributes = CoachLiveActivityAttributes(orderData: orderData)
    Task {
      do {
        await liveActivity?.end(using: attributes.contentState, dismissalPolicy: .immediate)
        self.isActivityRunning = false
        completion(true)
      } catch {
        print("Failed to end live activity: \(error)")
        completion(false)
      }
    }
  }

  func isLiveActivitySupported() -> Bool {
    return ActivityAuthorizationInfo().areActivitiesEnabled
  }
}
