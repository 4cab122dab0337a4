public import JSON

/// What a person is told at the start, at an update or at an end.
public struct Alert: Hashable, Sendable {
  /// How much it may interrupt (the Desktop Notifications Specification's levels).
  public enum Urgency: UInt8, CaseIterable, Sendable {
    /// May wait.
    case low
    /// As usual.
    case normal
    /// Shown even when notifications are held back.
    case critical

    /// The name in the interface.
    public var name: String {
      switch self {
      case .low: "low"
      case .normal: "normal"
      case .critical: "critical"
      }
    }
  }

  /// One line, at most 256 bytes.
  public let title: String
  /// The text, at most 2048 bytes.
  public let body: String
  /// A sound's name, at most 256 bytes.
  public let sound: String?
  /// How much it may interrupt; normal where absent.
  public let urgency: Urgency?

  /// Takes an alert; throws where a text is too long or holds what it may not.
  public init(
    title: String, body: String, sound: String? = nil, urgency: Urgency? = nil
  ) throws(InvalidValue) {
    try TextRules.check(title, "the title", bytes: 0...256, plain: true)
    try TextRules.check(body, "the body", bytes: 0...2048, plain: false)
    if let sound { try TextRules.check(sound, "the sound", bytes: 1...256, plain: true) }
    self.title = title
    self.body = body
    self.sound = sound
    self.urgency = urgency
  }
}

/// Dynamic content: setting it replaces all three.
public struct Content: Hashable, Sendable {
  /// The content state, a JSON object.
  public var state: JSONText
  /// When it counts as out of date.
  public var staleDate: WallTime?
  /// How it compares with the owner's other activities; higher is more relevant.
  public var relevanceScore: Double?

  /// Content of that state.
  public init(
    state: JSONText = .emptyObject, staleDate: WallTime? = nil, relevanceScore: Double? = nil
  ) {
    self.state = state
    self.staleDate = staleDate
    self.relevanceScore = relevanceScore
  }
}

/// What becomes of a session after its end.
public enum DismissalPolicy: Hashable, Sendable {
  /// Gone at once.
  case immediate
  /// Stays for the ended limit, four hours.
  case `default`
  /// Stays until a date, four hours at most.
  case after(WallTime)
}

/// Something a person can do with an activity.
public struct Action: Hashable, Sendable {
  /// The name that the owner hears: 1 to 128 of `A-Za-z0-9._-`.
  public let name: String
  /// What the person reads, at most 256 bytes.
  public let label: String

  /// The most that an activity may have.
  public static let most = 8

  /// Takes an action; throws where a text is not as it must be.
  public init(name: String, label: String) throws(InvalidValue) {
    try TextRules.checkName(name, "the action's name")
    try TextRules.check(label, "the action's label", bytes: 0...256, plain: true)
    self.name = name
    self.label = label
  }
}

/// One entry of an audience.
public enum Audience: Hashable, Sendable {
  /// Everyone on the machine.
  case everyone
  /// One user, by name.
  case user(String)
  /// The members of a group, by name.
  case group(String)

  /// The most entries that an activity may have.
  public static let most = 32

  /// Reads `everyone`, `user:NAME` or `group:NAME`.
  public init(_ text: String) throws(InvalidValue) {
    try TextRules.check(text, "the audience", bytes: 1...255, plain: true)
    if text == "everyone" {
      self = .everyone
    } else if text.hasPrefix("user:"), text.utf8.count > 5 {
      self = .user(String(text.dropFirst(5)))
    } else if text.hasPrefix("group:"), text.utf8.count > 6 {
      self = .group(String(text.dropFirst(6)))
    } else {
      throw InvalidValue(
        "the audience '\(text)' is none of everyone, user:NAME and group:NAME")
    }
  }

  /// As it is written.
  public var text: String {
    switch self {
    case .everyone: "everyone"
    case .user(let name): "user:\(name)"
    case .group(let name): "group:\(name)"
    }
  }
}
