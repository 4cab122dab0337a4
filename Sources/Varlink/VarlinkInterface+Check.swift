public import JSON

extension VarlinkInterface {
  /// Which part of a call's or reply's parameters a definition does not allow.
  public struct Fault: Hashable, Sendable {
    /// Its path, such as `content.stalDate`; empty for the whole.
    public let path: String
    /// What is wrong with it, in a few words.
    public let reason: String
  }

  /// The method of that name (without the interface's).
  public func method(_ name: String) -> VarlinkMethod? { methods.first { $0.name == name } }

  /// The error of that name (without the interface's).
  public func error(_ name: String) -> VarlinkDefinition? { errors.first { $0.name == name } }

  /// The first part of a value that a type does not allow; nil if all is as it should be. Missing,
  /// unknown and wrongly typed fields are faults; null counts as absent.
  public func fault(in value: JSONNode, as type: VarlinkType) -> Fault? {
    fault(value, type, root: value)
  }

  private func fault(_ value: JSONNode, _ type: VarlinkType, root: JSONNode) -> Fault? {
    func wrong(_ reason: String) -> Fault {
      Fault(path: value.path(in: root) ?? "", reason: reason)
    }
    switch type {
    case .bool: return value.kind == .bool ? nil : wrong("true or false expected")
    case .int: return value.int64 != nil ? nil : wrong("a whole number expected")
    case .float: return value.kind == .number ? nil : wrong("a number expected")
    case .string: return value.kind == .string ? nil : wrong("a string expected")
    case .object: return value.kind == .object ? nil : wrong("an object expected")
    case .optional(let type): return value.isNull ? nil : fault(value, type, root: root)
    case .named(let name):
      guard let type = types.first(where: { $0.name == name })?.type else {
        return wrong("there is no type \(name)")
      }
      return fault(value, type, root: root)
    case .enumeration(let values):
      guard let text = value.string, values.contains(text) else {
        return wrong("one of \(values.joined(separator: ", ")) expected")
      }
      return nil
    case .array(let type):
      guard value.kind == .array else { return wrong("an array expected") }
      for element in value.elements {
        if let fault = fault(element, type, root: root) { return fault }
      }
      return nil
    case .map(let type):
      guard value.kind == .object else { return wrong("an object expected") }
      for member in value.members {
        if let fault = fault(member.value, type, root: root) { return fault }
      }
      return nil
    case .structure(let fields): return fault(value, fields, root: root)
    }
  }

  private func fault(_ value: JSONNode, _ fields: [VarlinkField], root: JSONNode) -> Fault? {
    let path = value.path(in: root) ?? ""
    guard value.kind == .object else { return Fault(path: path, reason: "an object expected") }
    for member in value.members where !fields.contains(where: { member.key.equals($0.name) }) {
      return Fault(path: member.key.path(in: root) ?? "", reason: "unknown")
    }
    for field in fields {
      if let value = value[field.name], !value.isNull {
        if let fault = fault(value, field.type, root: root) { return fault }
      } else if case .optional = field.type {
        continue
      } else {
        return Fault(path: path.isEmpty ? field.name : path + "." + field.name, reason: "missing")
      }
    }
    return nil
  }
}
