public import JSON
public import LiveActivity

/// `Dismiss`: a person took it off their screen.
public struct DismissParameters: SchedulerCall {
  /// The Activity ID.
  public var id: ActivityID
  /// The session that they saw.
  public var session: Int64
  /// Whose it is; the caller's where there is none.
  public var owner: UserID?

  /// Dismisses that one.
  public init(id: ActivityID, session: Int64) {
    self.id = id
    self.session = session
  }

  /// What `Dismiss` replies.
  public typealias Reply = EmptyReply
  /// The method's full name.
  public static let method = SchedulerMethod.dismiss.name

  private enum Key: Int, FieldKey {
    case id, session, owner
    static let names = fieldNames()
  }

  /// Reads the parameters.
  public init(decoding parameters: JSONNode) throws(SchedulerError) {
    let fields = try FieldReader<Key>(call: parameters)
    id = try fields.required(.id, fields.id(.id))
    session = try fields.required(.session, fields.int(.session))
    owner = try fields.user(.owner)
  }

  /// Writes the members.
  public func encode(_ writer: inout JSONWriter) {
    writer.member("id", id.text)
    writer.member("session", session)
    writer.member("owner", owner)
  }
}

/// `Act`: a person used an action.
public struct ActParameters: SchedulerCall {
  /// The Activity ID.
  public var id: ActivityID
  /// The session that they saw.
  public var session: Int64
  /// The action's name.
  public var action: String
  /// Whose it is; the caller's where there is none.
  public var owner: UserID?

  /// Uses that action.
  public init(id: ActivityID, session: Int64, action: String) {
    self.id = id
    self.session = session
    self.action = action
  }

  /// What `Act` replies.
  public typealias Reply = EmptyReply
  /// The method's full name.
  public static let method = SchedulerMethod.act.name

  private enum Key: Int, FieldKey {
    case id, session, action, owner
    static let names = fieldNames()
  }

  /// Reads the parameters.
  public init(decoding parameters: JSONNode) throws(SchedulerError) {
    let fields = try FieldReader<Key>(call: parameters)
    id = try fields.required(.id, fields.id(.id))
    session = try fields.required(.session, fields.int(.session))
    action = try fields.required(.action, fields.string(.action))
    owner = try fields.user(.owner)
  }

  /// Writes the members.
  public func encode(_ writer: inout JSONWriter) {
    writer.member("id", id.text)
    writer.member("session", session)
    writer.member("action", action)
    writer.member("owner", owner)
  }
}
