import JSON
public import LiveActivity

/// Which activities a change is for.
public enum Address: Hashable, Sendable {
  /// The one of that ID.
  case id(ActivityID)
  /// Every live one in that channel.
  case channel(String)

  var id: ActivityID? {
    if case .id(let id) = self { return id }
    return nil
  }

  var channel: String? {
    if case .channel(let name) = self { return name }
    return nil
  }
}

extension FieldReader {
  /// Exactly one of an ID and a channel; `single` are fields that only go with an ID.
  func address(_ id: Key, _ channel: Key, single: Key...) throws(SchedulerError) -> Address {
    if let id = try self.id(id) {
      try exclude(true, channel)
      return .id(id)
    }
    guard let name = try name(channel) else { throw invalid(id) }
    for key in single { try exclude(true, key) }
    return .channel(name)
  }

  /// Whether all owners are meant, which excludes naming one.
  func everyOwner(_ key: Key, owner: UserID?) throws(SchedulerError) -> Bool {
    guard try bool(key) ?? false else { return false }
    try exclude(owner != nil, key)
    return true
  }
}

extension JSONWriter {
  mutating func members(_ address: Address) {
    member("id", address.id?.text)
    member("channel", address.channel)
  }
}
