public import JSON
public import LiveActivity

/// A token, in the one reply that ever shows it.
public struct TokenReply: SchedulerReply {
  /// 64 hexadecimal digits.
  public var token: String

  /// A reply.
  public init(token: String) { self.token = token }

  private enum Key: Int, FieldKey {
    case token
    static let names = fieldNames()
  }

  /// Reads the parameters.
  public init(decoding parameters: JSONNode) throws(SchedulerError) {
    let fields = try FieldReader<Key>(reply: parameters)
    token = try fields.required(.token, fields.string(.token))
  }

  /// Writes the members.
  public func encode(_ writer: inout JSONWriter) { writer.member("token", token) }
}

/// `CreateToken`: makes a token for an activity that is active or stale.
public struct CreateTokenParameters: SchedulerCall {
  /// The Activity ID.
  public var id: ActivityID
  /// Only if this is the current session.
  public var session: Int64?
  /// Whose it is; the caller's where there is none.
  public var owner: UserID?
  /// Whether tokens made before are void from here on.
  public var voidOthers = false

  /// Asks for a token of that activity.
  public init(id: ActivityID) { self.id = id }

  /// What `CreateToken` replies.
  public typealias Reply = TokenReply
  /// The method's full name.
  public static let method = PushMethod.createToken.name

  private enum Key: Int, FieldKey {
    case id, session, owner, voidOthers
    static let names = fieldNames()
  }

  /// Reads the parameters.
  public init(decoding parameters: JSONNode) throws(SchedulerError) {
    let fields = try FieldReader<Key>(call: parameters)
    id = try fields.required(.id, fields.id(.id))
    session = try fields.int(.session)
    owner = try fields.user(.owner)
    voidOthers = try fields.bool(.voidOthers) ?? false
  }

  /// Writes the members.
  public func encode(_ writer: inout JSONWriter) {
    writer.member("id", id.text)
    writer.member("session", session)
    writer.member("owner", owner)
    writer.flag("voidOthers", voidOthers)
  }
}

/// `CreateStartToken`: makes a token that starts activities of a type.
public struct CreateStartTokenParameters: SchedulerCall {
  /// The type that activities started with it have.
  public var attributesType: String
  /// The application that they have.
  public var application: String?
  /// Whose they are; the caller's where there is none.
  public var owner: UserID?
  /// Whether tokens made before for the same are void from here on.
  public var voidOthers = false

  /// Asks for a token of that type.
  public init(attributesType: String) { self.attributesType = attributesType }

  /// What `CreateStartToken` replies.
  public typealias Reply = TokenReply
  /// The method's full name.
  public static let method = PushMethod.createStartToken.name

  private enum Key: Int, FieldKey {
    case attributesType, application, owner, voidOthers
    static let names = fieldNames()
  }

  /// Reads the parameters.
  public init(decoding parameters: JSONNode) throws(SchedulerError) {
    let fields = try FieldReader<Key>(call: parameters)
    attributesType = try fields.required(.attributesType, fields.attributesType(.attributesType))
    application = try fields.name(.application)
    owner = try fields.user(.owner)
    voidOthers = try fields.bool(.voidOthers) ?? false
  }

  /// Writes the members.
  public func encode(_ writer: inout JSONWriter) {
    writer.member("attributesType", attributesType)
    writer.member("application", application)
    writer.member("owner", owner)
    writer.flag("voidOthers", voidOthers)
  }
}

/// `VoidStartTokens`: takes push-to-start tokens back.
public struct VoidStartTokensParameters: SchedulerCall {
  /// Only those of this type.
  public var attributesType: String?
  /// Only those of this application.
  public var application: String?
  /// Whose they are; the caller's where there is none.
  public var owner: UserID?

  /// Takes all of them back.
  public init() {}

  /// The method's full name.
  public static let method = PushMethod.voidStartTokens.name

  private enum Key: Int, FieldKey {
    case attributesType, application, owner
    static let names = fieldNames()
  }

  /// Reads the parameters.
  public init(decoding parameters: JSONNode) throws(SchedulerError) {
    let fields = try FieldReader<Key>(call: parameters)
    attributesType = try fields.attributesType(.attributesType)
    application = try fields.name(.application)
    owner = try fields.user(.owner)
  }

  /// Writes the members.
  public func encode(_ writer: inout JSONWriter) {
    writer.member("attributesType", attributesType)
    writer.member("application", application)
    writer.member("owner", owner)
  }

  /// What `VoidStartTokens` replies.
  public struct Reply: SchedulerReply {
    /// How many were valid until now.
    public var voided: Int64

    /// A reply.
    public init(voided: Int64) { self.voided = voided }

    private enum Key: Int, FieldKey {
      case voided
      static let names = fieldNames()
    }

    /// Reads the parameters.
    public init(decoding parameters: JSONNode) throws(SchedulerError) {
      let fields = try FieldReader<Key>(reply: parameters)
      voided = try fields.required(.voided, fields.int(.voided))
    }

    /// Writes the members.
    public func encode(_ writer: inout JSONWriter) { writer.member("voided", voided) }
  }
}
