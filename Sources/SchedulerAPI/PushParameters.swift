public import JSON
import LiveActivity

/// How urgent a push is (Apple's `apns-priority`).
public enum PushPriority: Int64, Sendable {
  /// Not held to the budget.
  case low = 5
  /// Held to an hourly budget.
  case high = 10
}

/// `Push`: applies a payload of ActivityKit with a token.
public struct PushParameters: SchedulerCall {
  /// The token; any text, since only the daemon knows which are valid.
  public var token: String
  /// The payload, an object with the member `aps` (see `PushPayload`).
  public var payload: JSONText
  /// How urgent it is.
  public var priority = PushPriority.high

  /// A push of that payload.
  public init(token: String, payload: JSONText) {
    self.token = token
    self.payload = payload
  }

  /// The method's full name.
  public static let method = PushMethod.push.name

  private enum Key: Int, FieldKey {
    case token, payload, priority
    static let names = fieldNames()
  }

  /// Reads the parameters; the payload as it is, whatever it holds.
  public init(decoding parameters: JSONNode) throws(SchedulerError) {
    let fields = try FieldReader<Key>(call: parameters)
    token = try fields.required(.token, fields.string(.token))
    payload = try fields.required(.payload, fields.object(.payload))
    if let number = try fields.int(.priority) {
      priority = try fields.required(.priority, PushPriority(rawValue: number))
    }
  }

  /// Writes the members.
  public func encode(_ writer: inout JSONWriter) {
    writer.member("token", token)
    writer.member("payload", payload)
    if priority != .high { writer.member("priority", priority.rawValue) }
  }

  /// What `Push` replies.
  public struct Reply: SchedulerReply {
    /// Whether anything changed: not with an older timestamp, nor by what was applied before.
    public var applied: Bool

    /// A reply.
    public init(applied: Bool) { self.applied = applied }

    private enum Key: Int, FieldKey {
      case applied
      static let names = fieldNames()
    }

    /// Reads the parameters.
    public init(decoding parameters: JSONNode) throws(SchedulerError) {
      let fields = try FieldReader<Key>(reply: parameters)
      applied = try fields.required(.applied, fields.bool(.applied))
    }

    /// Writes the members.
    public func encode(_ writer: inout JSONWriter) { writer.member("applied", applied) }
  }
}
