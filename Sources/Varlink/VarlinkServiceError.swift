public import JSON

/// The errors of `org.varlink.service`, which any method may answer with.
public enum VarlinkServiceError: Error, Hashable, Sendable {
  /// There is no such interface.
  case interfaceNotFound(String)
  /// The interface has no such method.
  case methodNotFound(String)
  /// The method is there in name only.
  case methodNotImplemented(String)
  /// A parameter is missing, unknown or not as it must be; by its path (`content.stalDate`).
  case invalidParameter(String)
  /// The caller may not do that.
  case permissionDenied
  /// The method has more than one reply, and the call did not say `more`.
  case expectedMore

  /// The name without the interface.
  private var member: StaticString {
    switch self {
    case .interfaceNotFound: "InterfaceNotFound"
    case .methodNotFound: "MethodNotFound"
    case .methodNotImplemented: "MethodNotImplemented"
    case .invalidParameter: "InvalidParameter"
    case .permissionDenied: "PermissionDenied"
    case .expectedMore: "ExpectedMore"
    }
  }

  /// The full name.
  public var name: String { "org.varlink.service.\(member)" }

  /// Writes the members of the error's parameters. What a peer sent is cut off after 512 bytes.
  public func encode(_ writer: inout JSONWriter) {
    switch self {
    case .interfaceNotFound(let name): writer.member("interface", name.cutOff(512))
    case .methodNotFound(let name), .methodNotImplemented(let name):
      writer.member("method", name.cutOff(512))
    case .invalidParameter(let path): writer.member("parameter", path.cutOff(512))
    case .permissionDenied, .expectedMore: break
    }
  }

  /// Reads an error by its full name; nil if it is none of these.
  public init?(name: String, parameters: JSONNode) {
    func text(_ key: String) -> String { parameters[key]?.string ?? "" }
    switch name {
    case "org.varlink.service.InterfaceNotFound": self = .interfaceNotFound(text("interface"))
    case "org.varlink.service.MethodNotFound": self = .methodNotFound(text("method"))
    case "org.varlink.service.MethodNotImplemented": self = .methodNotImplemented(text("method"))
    case "org.varlink.service.InvalidParameter": self = .invalidParameter(text("parameter"))
    case "org.varlink.service.PermissionDenied": self = .permissionDenied
    case "org.varlink.service.ExpectedMore": self = .expectedMore
    default: return nil
    }
  }
}

extension VarlinkServiceError: CustomStringConvertible {
  /// One line for a person.
  public var description: String {
    switch self {
    case .interfaceNotFound(let name): "the service has no interface '\(name)'"
    case .methodNotFound(let name): "the service has no method '\(name)'"
    case .methodNotImplemented(let name): "the service does not implement '\(name)'"
    case .invalidParameter(let path):
      "the parameter '\(path)' is missing, unknown or not as it must be"
    case .permissionDenied: "permission denied"
    case .expectedMore: "the method has several replies: call it with \"more\""
    }
  }
}

extension String {
  /// The text, or as much of it as fits into that many bytes with `…` after it.
  func cutOff(_ limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var kept = ""
    for scalar in unicodeScalars {
      guard kept.utf8.count + 7 <= limit else { break }
      kept.unicodeScalars.append(scalar)
    }
    return kept + "…"
  }
}
