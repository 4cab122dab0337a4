import JSON
import LiveActivity
import SchedulerAPI

/// An alert that has just been given, and whom it is for.
struct Announcement {
  let sequence: Int64
  let id: String
  let owner: UInt32
  let title: String
  let body: String
  let isQuiet: Bool
  /// When it was given, in microseconds since 1970.
  let date: Int64
  /// How old it was when it came.
  let age: Int64
  let audience: [Audience]

  /// Whether anybody but its owner is meant.
  var isShared: Bool { !audience.isEmpty }

  /// Whether a person is meant: `groups` are the names of theirs.
  func isFor(_ user: UInt32, name: String, groups: @autoclosure () -> Set<String>) -> Bool {
    if user == owner { return true }
    return audience.contains { entry in
      switch entry {
      case .everyone: true
      case .user(let wanted): wanted == name || wanted == "\(user)"
      case .group(let wanted): groups().contains(wanted)
      }
    }
  }
}
