public import JSON
public import Varlink

/// The parameters of a method.
public protocol SchedulerCall: Hashable, Sendable {
  /// What the method replies.
  associatedtype Reply: SchedulerReply
  /// The method's full name.
  static var method: String { get }

  /// Reads them. Throws `InvalidParameter` with the path, or `InvalidDate`.
  init(decoding parameters: JSONNode) throws(SchedulerError)

  /// Writes the members: in the order of the interface, what is not set left out. The same
  /// parameters give the same bytes.
  func encode(_ writer: inout JSONWriter)
}

extension SchedulerCall {
  /// Reads the parameters of a call, first of all whether they break a limit of JSON.
  public init(_ call: VarlinkCall) throws(SchedulerError) {
    let parameters: JSONNode
    do throws(VarlinkServiceError) {
      parameters = try call.checkedParameters()
    } catch {
      throw .service(error)
    }
    try self.init(decoding: parameters)
  }

  /// The parameters as one object.
  public var text: JSONText {
    var writer = JSONWriter()
    writer.beginObject()
    encode(&writer)
    writer.endObject()
    return JSONText(trusted: writer.take())
  }
}

/// The parameters of a reply.
public protocol SchedulerReply: Hashable, Sendable {
  /// Reads them; members that are not known are passed over. Throws `InvalidParameter` with the
  /// path of what is missing or wrong.
  init(decoding parameters: JSONNode) throws(SchedulerError)

  /// Writes the members.
  func encode(_ writer: inout JSONWriter)
}

/// A reply that says no more than that it was done.
public struct EmptyReply: SchedulerReply {
  /// Nothing.
  public init() {}

  /// Reads nothing.
  public init(decoding parameters: JSONNode) throws(SchedulerError) {}

  /// Writes nothing.
  public func encode(_ writer: inout JSONWriter) {}
}
