public import JSON

/// A reply as it came (https://varlink.org/Method-Call).
public struct VarlinkReply: Sendable {
  /// The parameters of the reply or of its error; `{}` where it has none or null.
  public let parameters: JSONNode
  /// The error's full name, if the call failed.
  public let error: String?
  /// More replies to the same call follow.
  public let continues: Bool

  /// Reads one message, its NUL not included. Throws where it is not a reply.
  public init(_ message: Span<UInt8>) throws(VarlinkMessageError) {
    let root: JSONNode
    do throws(JSONError) {
      root = try JSONDocument(validating: message, maximumDepth: VarlinkLimits.messageDepth).root
    } catch {
      throw VarlinkMessageError("\(error)")
    }
    guard root.kind == .object else { throw VarlinkMessageError("a message is not an object") }
    let error = root["error"]
    if let error, !error.isNull, error.kind != .string {
      throw VarlinkMessageError("'error' in a reply is not a string")
    }
    self.error = error?.string
    continues = root["continues"]?.bool ?? false
    let parameters = root["parameters"] ?? JSONDocument.emptyObject.root
    self.parameters = parameters.isNull ? JSONDocument.emptyObject.root : parameters
  }
}
