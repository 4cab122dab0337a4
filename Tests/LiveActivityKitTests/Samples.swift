import Foundation
import LiveActivityKit
import LiveActivityTestKit

struct DeliveryAttributes: ActivityAttributes, Equatable {
  struct ContentState: Codable, Hashable {
    var status: String
    var minutes = 25
  }
  var order: String
}

struct NamedAttributes: IdentifiedActivityAttributes {
  struct ContentState: Codable, Hashable { var step: Int }
  var activityID: String
}

typealias Delivery = Activity<DeliveryAttributes>

/// Requests a delivery that begins at once.
func deliver(_ order: String = "1", _ status: String = "cooking") throws -> Delivery {
  try Delivery.request(
    attributes: DeliveryAttributes(order: order),
    content: .init(state: .init(status: status), staleDate: nil))
}

extension AsyncSequence {
  /// The first elements.
  func first(_ count: Int) async throws -> [Element] {
    var elements: [Element] = []
    for try await element in self {
      elements.append(element)
      if elements.count == count { break }
    }
    return elements
  }
}

/// Waits for something that another thread is about to do; gives up after many seconds.
func eventually(_ condition: () -> Bool) async -> Bool {
  for _ in 0..<3000 {
    if condition() { return true }
    try? await Task.sleep(for: .milliseconds(5))
  }
  return false
}
