/// Attributes that carry the Activity ID, as Pushwoosh's SDK has them.
public protocol PushwooshLiveActivityAttributes: ActivityAttributes
where ContentState: PushwooshLiveActivityContentState {
  /// What carries the Activity ID.
  var pushwoosh: PushwooshLiveActivityAttributeData { get set }
}

/// What carries the Activity ID.
public struct PushwooshLiveActivityAttributeData: Codable, Hashable, Sendable {
  /// The Activity ID: 1 to 255 bytes of UTF-8.
  public var activityId: String

  /// That ID.
  public init(activityId: String) { self.activityId = activityId }

  /// That ID.
  public static func create(activityId: String) -> PushwooshLiveActivityAttributeData {
    PushwooshLiveActivityAttributeData(activityId: activityId)
  }
}

/// Content of such an activity.
public protocol PushwooshLiveActivityContentState: Codable, Hashable {
  /// Room for what a push says of itself.
  var pushwoosh: PushwooshLiveActivityContentStateData? { get set }
}

/// What a push says of itself: nothing so far.
public struct PushwooshLiveActivityContentStateData: Codable, Hashable, Sendable {
  /// Nothing.
  public init() {}
}

/// Attributes and content without a Swift type of their own: a dictionary each, under the key `data`.
public struct DefaultLiveActivityAttributes: PushwooshLiveActivityAttributes, Hashable, Sendable {
  /// The static part.
  public var data: [String: AnyCodable]
  /// What carries the Activity ID.
  public var pushwoosh: PushwooshLiveActivityAttributeData

  /// The dynamic part.
  public struct ContentState: PushwooshLiveActivityContentState, Sendable {
    /// The dynamic part.
    public var data: [String: AnyCodable]
    /// Room for what a push says of itself.
    public var pushwoosh: PushwooshLiveActivityContentStateData?

    /// Content of those values.
    public init(data: [String: AnyCodable], pushwoosh: PushwooshLiveActivityContentStateData? = nil)
    {
      self.data = data
      self.pushwoosh = pushwoosh
    }
  }

  /// Attributes of those values.
  public init(data: [String: AnyCodable], pushwoosh: PushwooshLiveActivityAttributeData) {
    self.data = data
    self.pushwoosh = pushwoosh
  }
}
