/// One call of `Notify`, as the Desktop Notifications Specification has it.
public struct Notice: Hashable, Sendable {
  /// A value of a hint.
  public enum Hint: Hashable, Sendable {
    /// `y`.
    case byte(UInt8)
    /// `b`.
    case boolean(Bool)
    /// `i`.
    case int32(Int32)
    /// `s`.
    case string(String)
  }

  /// A button, or with the key `default` the click on the bubble.
  public struct Button: Hashable, Sendable {
    /// What comes back when it is used.
    public var key: String
    /// What it says.
    public var label: String

    /// A button.
    public init(_ key: String, _ label: String) {
      self.key = key
      self.label = label
    }
  }

  /// The program's name.
  public var application: String
  /// The bubble that it takes the place of; 0 for none.
  public var replaces: UInt32
  /// An icon's name or file; may be empty.
  public var icon: String
  /// The first line; never markup.
  public var summary: String
  /// What stands below; markup where the server takes it.
  public var body: String
  /// The buttons.
  public var buttons: [Button]
  /// The hints, by name.
  public var hints: [String: Hint]
  /// Milliseconds until it goes; -1 for as long as the server likes, 0 for until it is closed.
  public var timeout: Int32

  /// Whether a person would see the same.
  func looksLike(_ other: Notice) -> Bool {
    var (a, b) = (self, other)
    (a.replaces, b.replaces) = (0, 0)
    for name in ["suppress-sound", "sound-name", "sound-file", "category"] {
      a.hints[name] = nil
      b.hints[name] = nil
    }
    return a == b
  }
}

/// Why a bubble went, by the number in `NotificationClosed`.
public enum CloseReason: Hashable, Sendable {
  /// Its time was over.
  case expired
  /// The person closed it.
  case byPerson
  /// `CloseNotification` did.
  case byCall
  /// The server does not say, or something that this version does not know.
  case unknown

  /// The number's meaning.
  public init(_ number: Int64) {
    switch number {
    case 1: self = .expired
    case 2: self = .byPerson
    case 3: self = .byCall
    default: self = .unknown
    }
  }
}
