public import FoundationEssentials

/// The dynamic content of an activity; an update replaces all of it.
public struct ActivityContent<State: Codable & Hashable & SendableMetatype> {
  /// The content state.
  public var state: State
  /// When it counts as out of date; nil for never.
  public var staleDate: Date?
  /// How it compares with the user's other activities; higher is more relevant.
  public var relevanceScore: Double

  /// Content of that state.
  public init(state: State, staleDate: Date?, relevanceScore: Double = 0) {
    self.state = state
    self.staleDate = staleDate
    self.relevanceScore = relevanceScore
  }
}

extension ActivityContent: Sendable where State: Sendable {}
extension ActivityContent: Equatable {}
extension ActivityContent: Hashable {}

extension ActivityContent: CustomStringConvertible {
  /// State, stale date and relevance.
  public var description: String {
    "ActivityContent(state: \(state), staleDate: \(staleDate.map { "\($0)" } ?? "none"), "
      + "relevanceScore: \(relevanceScore))"
  }
}
