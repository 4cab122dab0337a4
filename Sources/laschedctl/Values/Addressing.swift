import LiveActivity
import SchedulerAPI

/// An activity, or all in a channel, as the command line names them.
enum Target: Sendable {
  case id(String)
  case channel(String)

  /// Throws where the ID cannot be one.
  func address() throws(Failure) -> Address {
    switch self {
    case .id(let text): return .id(try Invocation.id(text))
    case .channel(let name): return .channel(name)
    }
  }

  /// As people are told of it.
  var text: String {
    switch self {
    case .id(let text): harmless(text)
    case .channel(let name): "channel \(harmless(name))"
    }
  }
}

extension Invocation {
  /// An Activity ID.
  static func id(_ text: String) throws(Failure) -> ActivityID {
    do throws(InvalidValue) {
      return try ActivityID(text)
    } catch {
      throw .malformed(error.why)
    }
  }

  /// The one ID among the operands.
  func id() throws(Failure) -> ActivityID {
    guard let text = operands.first else { throw .usage("\(verb.name) needs an Activity ID") }
    return try Invocation.id(text)
  }

  /// What is addressed: the channel, or each of the operands. Several IDs are looked at one by one,
  /// so that a bad one does not stop the others.
  func targets() throws(Failure) -> [Target] {
    if let channel = last(.channel) {
      guard operands.isEmpty else {
        throw .usage("an Activity ID and \(channel.spelling) exclude each other; give one of them")
      }
      guard !has(.session), !has(.ifSequence) else {
        throw .usage("--session and --if-sequence go with an Activity ID")
      }
      return [.channel(channel.value)]
    }
    guard !operands.isEmpty else {
      throw .usage("\(verb.name) needs an Activity ID or --channel NAME")
    }
    return operands.map { .id($0) }
  }

  /// The one target of a verb that takes one.
  func address() throws(Failure) -> Address {
    guard let target = try targets().first else {
      throw .usage("\(verb.name) needs an Activity ID")
    }
    return try target.address()
  }

  /// Whose activities are meant, if that is said.
  func owner() throws(Failure) -> UserID? {
    try exclude(.owner, .everyOwner)
    return try last(.owner).map { given throws(Failure) in
      try Users.user(given.value, given.spelling)
    }
  }

  /// Whose activities a listing shows: everyone's for root, unless it says otherwise.
  func listedOwner() throws(Failure) -> (owner: UserID?, everyOwner: Bool) {
    let owner = try owner()
    return (owner, has(.everyOwner) || (owner == nil && Users.isRoot))
  }
}
