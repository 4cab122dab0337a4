internal import JSON

extension JSONValue {
  /// The JSON of an untyped value. Throws where JSON cannot say it.
  init(anyOf value: Any?) throws {
    guard let value else {
      self = .null
      return
    }
    // Foundation's numbers answer to every type, so their description tells whether it is a truth.
    switch value {
    case let value as AnyCodable: self = value.json
    case let truth as Bool where type(of: value) == Bool.self: self = .bool(truth)
    case let value as String: self = .string(value)
    case let value as any FixedWidthInteger: self = .number("\(value)")
    case let value as any BinaryFloatingPoint: self = try JSONValue(number: value)
    case let value as [Any?]: self = .array(try value.map { try JSONValue(anyOf: $0) })
    case let value as [String: Any?]: self = try JSONValue(members: value)
    default: self = try JSONValue(foundationNumber: value)
    }
  }

  init(members: [String: Any?]) throws {
    self = .object(
      try members.sorted { $0.key < $1.key }.map { .init($0.key, try JSONValue(anyOf: $0.value)) })
  }

  private init(number value: some BinaryFloatingPoint) throws {
    let number = Double(value)
    guard number.isFinite else {
      throw LiveActivityError(.malformed, "\(number) cannot be said in JSON")
    }
    self = .number("\(number)")
  }

  /// What JSONSerialization makes of numbers, which bridges to Swift's; and optionals in `Any`.
  private init(foundationNumber value: Any) throws {
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .optional {
      self = try JSONValue(anyOf: mirror.children.first?.value)
      return
    }
    let text = "\(value)"
    if "\(type(of: value))".hasSuffix("Null") {
      self = .null
    } else if "\(type(of: value))".hasSuffix("Boolean"), let truth = value as? Bool {
      self = .bool(truth)
    } else if let number = value as? Int64, Int64(text) != nil {
      self = .number("\(number)")
    } else if let number = value as? UInt64, UInt64(text) != nil {
      self = .number("\(number)")
    } else if let number = value as? Double {
      self = try JSONValue(number: number)
    } else {
      throw LiveActivityError(
        .malformed, "a value of type \(type(of: value)) cannot be said in JSON")
    }
  }

  /// The value as Swift has it.
  var anyValue: Any? {
    switch self {
    case .null: nil
    case .bool(let value): value
    case .number(let literal):
      if let value = Int(literal) {
        value
      } else if let value = UInt64(literal) {
        value
      } else {
        Double(literal)
      }
    case .string(let value): value
    case .array(let elements): elements.map { $0.anyValue as Any }
    case .object(let members):
      Dictionary(members.map { ($0.key, $0.value.anyValue as Any) }, uniquingKeysWith: { $1 })
    }
  }
}
