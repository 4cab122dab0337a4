public import JSON

/// An update that is to come by itself; the interface's `PlannedUpdate`.
public struct PlannedUpdate: Hashable, Sendable {
  /// The event that took it.
  public var sequence: Int64
  /// When it is applied.
  public var date: WallTime?
  /// The content that replaces what is there then.
  public var content: Content?
  /// Otherwise: what is merged into the state that is there then (RFC 7396).
  public var patch: JSONText?
  /// Without `content`: the stale date from then on.
  public var staleDate: WallTime?
  /// Without `content`: the relevance score from then on.
  public var relevanceScore: Double?
  /// What a person is told then.
  public var alert: Alert?

  /// A planned update of nothing.
  public init(sequence: Int64, date: WallTime?) {
    self.sequence = sequence
    self.date = date
  }

  /// The most that an activity may have.
  public static let most = 64
}
