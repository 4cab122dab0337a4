public import LiveActivity

/// Who is at the other end of a connection, by the kernel's word (unix(7), SO_PEERCRED and
/// SO_PEERGROUPS).
public struct Peer: Hashable, Sendable {
  /// The user.
  public var user: UserID
  /// The groups, the primary one included.
  public var groups: Set<UInt32>
  /// Whether it may act for others: root, or a member of the admin group.
  public var isAdmin: Bool

  /// A peer.
  public init(user: UserID, groups: Set<UInt32> = [], isAdmin: Bool = false) {
    self.user = user
    self.groups = groups
    self.isAdmin = isAdmin
  }
}
