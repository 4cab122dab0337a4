// A driving coach's order: JSON with snake_case keys comes from a server and becomes an activity's content;
// starting while it runs updates it.
import ActivityKit
import Foundation

struct CoachAttributes: ActivityAttributes {
  struct ContentState: Codable, Hashable {
    var orderId: Int?
    var status: Int?
    var studentName: String?
    var lessonLeftTime: Int?

    enum CodingKeys: String, CodingKey {
      case orderId = "order_id"
      case status
      case studentName = "student_name"
      case lessonLeftTime = "lesson_left_time"
    }
  }

  var coach: String
}

/// Holds the one activity that there is.
actor CoachManager {
  private var liveActivity: Activity<CoachAttributes>?

  /// Begins an activity with the order, or updates the one that there is.
  func startLiveActivity(order json: String) async throws {
    let state = try JSONDecoder().decode(CoachAttributes.ContentState.self, from: Data(json.utf8))
    let content = ActivityContent(state: state, staleDate: nil)
    if let running = Activity<CoachAttributes>.activities.first {
      await running.update(content)
      print("updated, \(running.content.state.lessonLeftTime ?? 0) min left")
    } else {
      let activity = try Activity.request(
        attributes: CoachAttributes(coach: "李"), content: content, pushType: nil)
      liveActivity = activity
      print("started for \(activity.content.state.studentName ?? "")")
    }
  }

  func endLiveActivity() async {
    await liveActivity?.end(nil, dismissalPolicy: .immediate)
    print("ended: \(liveActivity.map { "\($0.activityState)" } ?? "none")")
  }
}

@main struct CoachOrder {
  static func main() async throws {
    let manager = CoachManager()
    let id = 9_007_199_254_740_993
    for left in [45, 30, 15] {
      try await manager.startLiveActivity(
        order:
          #"{"order_id": \#(id), "status": 2, "student_name": "王小明", "lesson_left_time": \#(left)}"#
      )
    }
    await manager.endLiveActivity()
  }
}
