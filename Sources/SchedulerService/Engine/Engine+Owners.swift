internal import ActivityStore
internal import LiveActivity
internal import Scheduling

/// The users' names as the store's entries: `owner/UID` holds the name that the uid had, and
/// `former/UID` the last event of somebody who had the uid before.
enum OwnerCoding {
  static func name(_ user: UserID) -> String { "owner/\(user.rawValue)" }
  static func former(_ user: UserID) -> String { "former/\(user.rawValue)" }

  static func user(_ key: String, _ prefix: String) -> UserID? {
    guard key.hasPrefix(prefix) else { return nil }
    return UInt32(key.dropFirst(prefix.count)).map { UserID($0) }
  }
}

extension Engine {
  /// A user has called whose name is this. A uid that was deleted and given to somebody else does
  /// not inherit: what the one before had is ended, and nobody but an admin sees it any more.
  /// Returns whether there is such a one before.
  func meet(_ user: UserID, name: String, at reading: ClockReading) -> Bool {
    let known = ownerNames[user]
    guard known != name else { return false }
    setOwnerName(user, name)
    guard known != nil else { return false }
    for slot in core.slots(of: user) {
      let count = core.events.count
      let target = Target(slot: slot)
      if core.state(slot).isLive {
        var command = EndCommand()
        command.reason = .ownerGone
        command.dismissal = .immediate
        _ = try? core.end(target, command, by: nil, at: reading)
      } else if core.state(slot) == .ended {
        try? core.dismiss(target, by: .root, isForAll: true, endsSeries: true, at: reading)
      } else {
        core.withdrawAlerts(slot, by: nil, at: reading)
      }
      append(since: count)
    }
    for use in tokens.startUses(of: user) { void(.start(use)) }
    setFormer(user, core.nextSequence - 1)
    return true
  }

  /// Forgets the sessions of those who had a uid before, once their end is durable.
  func forgetFormer(_ user: UserID) {
    guard let last = former[user] else { return }
    for slot in core.slots(of: user) where core.first(slot) <= last {
      let first = core.first(slot)
      if core.forget(slot, first: first) { dropHidden(first) }
    }
  }

  /// Whether an event belongs to somebody who had the owner's uid before.
  func isFormer(_ row: EventRow) -> Bool {
    guard let owner = row.owner, let last = former[UserID(owner)] else { return false }
    return row.sequence <= last
  }
}
