import LiveActivity

extension Model {
  /// A user calls whose name is this. Of somebody else with the same uid everything is ended.
  mutating func meet(_ user: UserID, name: String) -> Bool {
    let known = names[user]
    names[user] = name
    guard let known, known != name else { return false }
    for first in lives.values.filter({ $0.owner == user }).map(\.first).sorted() {
      guard var life = lives[first] else { continue }
      if life.state == .pending {
        leave(&life, .ownerGone, by: nil, endsSeries: true)
      } else if life.state.isRunning {
        life.serie = nil
        finish(&life, nominal: now.wall.microseconds, .ownerGone, by: nil) { _ in }
        dismiss(&life, at: now.wall.microseconds, due: nil, by: nil)
      } else if life.state == .ended {
        leave(&life, .dismissedByPerson, by: .root, endsSeries: true)
      } else {
        withdraw(waiting(first), by: nil)
      }
      former.insert(first)
    }
    return true
  }

  /// Once that is durable, the uid begins anew.
  mutating func forgetFormer() {
    for first in former { forget(first) }
    former = []
  }

  mutating func forget(_ first: Int64) {
    lives[first] = nil
    hidden[first] = nil
    notices = notices.filter { $0.value.first != first }
  }
}
