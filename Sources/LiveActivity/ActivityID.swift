/// The caller's own name for an activity: 1 to 255 bytes of UTF-8, compared as bytes, unique per
/// owner.
public struct ActivityID: Sendable {
  /// The name as text.
  public let text: String

  /// Takes a name; throws where it is empty, too long, or holds control, bidi-control or
  /// line-separator characters.
  public init(_ text: String) throws(InvalidValue) {
    try TextRules.check(text, "the Activity ID", bytes: 1...255, plain: true)
    self.text = text
  }

  /// A name that was checked when it was stored.
  public init(stored text: String) { self.text = text }
}

extension ActivityID: Hashable {
  /// Equal bytes; Swift's `==` on strings would also equate canonically equivalent ones.
  public static func == (a: ActivityID, b: ActivityID) -> Bool {
    a.text.utf8.elementsEqual(b.text.utf8)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}

/// The Unix user that an activity belongs to, or that caused a change.
public struct UserID: Hashable, Comparable, Sendable {
  /// The uid.
  public let rawValue: UInt32

  /// A user by uid.
  public init(_ rawValue: UInt32) { self.rawValue = rawValue }

  /// The superuser.
  public static let root = UserID(0)
  /// What the kernel reports for a user of another namespace (user_namespaces(7)): nobody here.
  public static let overflow = UserID(65_534)

  /// Order by number.
  public static func < (a: UserID, b: UserID) -> Bool { a.rawValue < b.rawValue }
}
