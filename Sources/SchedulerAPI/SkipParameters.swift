public import JSON
public import LiveActivity

/// `Skip`: leaves the next occurrence of a series out.
public struct SkipParameters: SchedulerCall {
  /// The Activity ID.
  public var id: ActivityID
  /// Only if this is the current session.
  public var session: Int64?
  /// Only if nothing has changed since this event.
  public var ifSequence: Int64?
  /// Whose it is; the caller's where there is none.
  public var owner: UserID?

  /// Skips its next occurrence.
  public init(id: ActivityID) { self.id = id }

  /// The method's full name.
  public static let method = SchedulerMethod.skip.name

  private enum Key: Int, FieldKey {
    case id, session, ifSequence, owner
    static let names = fieldNames()
  }

  /// Reads the parameters.
  public init(decoding parameters: JSONNode) throws(SchedulerError) {
    let fields = try FieldReader<Key>(call: parameters)
    id = try fields.required(.id, fields.id(.id))
    session = try fields.int(.session)
    ifSequence = try fields.int(.ifSequence)
    owner = try fields.user(.owner)
  }

  /// Writes the members.
  public func encode(_ writer: inout JSONWriter) {
    writer.member("id", id.text)
    writer.member("session", session)
    writer.member("ifSequence", ifSequence)
    writer.member("owner", owner)
  }

  /// What `Skip` replies.
  public struct Reply: SchedulerReply {
    /// The current session after it.
    public var activity: Activity
    /// The date that was left out.
    public var skippedDate: WallTime

    /// A reply.
    public init(activity: Activity, skippedDate: WallTime) {
      self.activity = activity
      self.skippedDate = skippedDate
    }

    private enum Key: Int, FieldKey {
      case activity, skippedDate
      static let names = fieldNames()
    }

    /// Reads the parameters.
    public init(decoding parameters: JSONNode) throws(SchedulerError) {
      let fields = try FieldReader<Key>(reply: parameters)
      activity = try fields.required(.activity, fields.nested(.activity, decodeActivity))
      skippedDate = try fields.required(.skippedDate, fields.date(.skippedDate))
    }

    /// Writes the members.
    public func encode(_ writer: inout JSONWriter) {
      writer.key("activity")
      activity.encode(&writer)
      writer.member("skippedDate", skippedDate)
    }
  }
}
