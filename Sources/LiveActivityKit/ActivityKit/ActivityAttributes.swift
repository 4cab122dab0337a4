/// What an activity is about, and what of it changes: the static part is the conforming type itself, the
/// dynamic part its `ContentState`. Both travel as JSON objects, by the coders' default strategies.
public protocol ActivityAttributes: Codable, SendableMetatype {
  /// The dynamic part.
  associatedtype ContentState: Codable, Hashable, SendableMetatype
}

/// Attributes that name their activity: a request of an ID that is live replaces that session.
public protocol IdentifiedActivityAttributes: ActivityAttributes {
  /// The Activity ID: 1 to 255 bytes of UTF-8.
  var activityID: String { get }
}
