public import JSON

/// What the protocol allows one message.
public enum VarlinkLimits {
  /// Bytes of a message, its closing NUL not counted.
  public static let messageBytes = 1 << 20
  /// Levels of arrays and objects: a JSON text's own, and what a message puts around one.
  public static let messageDepth = JSONDocument.maximumDepth + 8
}

/// Why a peer's bytes are no message. The connection cannot go on: what follows has no meaning.
public struct VarlinkMessageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One line for a person.
  public let description: String

  init(_ description: String) { self.description = description }
}

/// A method call as it came (https://varlink.org/Method-Call), looked into only where asked.
public struct VarlinkCall: Sendable {
  /// The method's full name, as a string value.
  public let methodNode: JSONNode
  /// The parameters; `{}` where the call has none or null. May be of any kind.
  public let parameters: JSONNode
  /// No reply is wanted, not even an error.
  public let oneway: Bool
  /// Several replies may come.
  public let more: Bool
  /// The connection is to be handed over to another protocol.
  public let upgrade: Bool

  private let document: JSONDocument

  private static let names = JSONFieldNames(["method", "parameters", "oneway", "more", "upgrade"])

  /// Reads one message, its NUL not included. Throws where it is not a call. Members that the
  /// protocol does not know are passed over: extensions may add some.
  public init(_ message: Span<UInt8>) throws(VarlinkMessageError) {
    let document: JSONDocument
    do throws(JSONError) {
      document = try JSONDocument(recording: message, maximumDepth: VarlinkLimits.messageDepth)
    } catch {
      throw VarlinkMessageError("\(error)")
    }
    try self.init(document)
  }

  private init(_ document: JSONDocument) throws(VarlinkMessageError) {
    let fields = try VarlinkCall.fields(of: document.root)
    guard let method = fields[0], method.kind == .string else {
      throw VarlinkMessageError("a call names no method")
    }
    self.document = document
    methodNode = method
    parameters = fields[1] ?? JSONDocument.emptyObject.root
    oneway = try VarlinkCall.flag(fields, 2)
    more = try VarlinkCall.flag(fields, 3)
    upgrade = try VarlinkCall.flag(fields, 4)
    if let violation = document.violation, parameterAtFault == nil {
      throw VarlinkMessageError("\(violation)")
    }
  }

  private static func fields(of root: JSONNode) throws(VarlinkMessageError) -> JSONFields {
    do throws(JSONFieldsError) {
      return try JSONFields(root, names, ignoringUnknown: true)
    } catch {
      throw VarlinkMessageError("a message is not an object")
    }
  }

  private static func flag(
    _ fields: borrowing JSONFields, _ place: Int
  ) throws(VarlinkMessageError) -> Bool {
    guard let node = fields[place] else { return false }
    guard let flag = node.bool else {
      throw VarlinkMessageError("'\(names.names[place])' in a call is not true or false")
    }
    return flag
  }

  /// The method's full name, such as `org.varlink.service.GetInfo`.
  public var method: String { methodNode.string ?? "" }

  /// The path of the parameter that breaks a limit of JSON (see `JSONDocument`), if one does: the
  /// call is to be refused with `InvalidParameter` before anything else is read from it.
  public var parameterAtFault: String? { document.violating?.path(in: parameters) }

  /// The parameters, once it is known that they break no limit of JSON. Throws too where the
  /// caller wants the connection for another protocol: a plain reply would give it away.
  public func checkedParameters() throws(VarlinkServiceError) -> JSONNode {
    if let path = parameterAtFault { throw .invalidParameter(path) }
    if upgrade { throw .methodNotImplemented(method) }
    return parameters
  }
}
