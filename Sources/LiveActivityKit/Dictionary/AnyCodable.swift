internal import JSON

/// A JSON value whose type is not known beforehand. Numbers are kept as they are written: integers of any
/// length, and `1.0` apart from `1`.
public struct AnyCodable: Sendable {
  let json: JSONValue

  init(_ json: JSONValue) { self.json = json }

  /// A value of the kinds that JSON has: `nil`, `Bool`, integers, floating-point numbers, `String`,
  /// arrays, dictionaries with `String` keys, and any of these inside. Another value is kept as its
  /// description.
  public init(_ value: Any?) {
    json = (try? JSONValue(anyOf: value)) ?? .string(value.map { "\($0)" } ?? "")
  }

  /// The value: `Bool`, `Int` (`UInt64`, or `Double` beyond), `Double`, `String`, `[Any]` or
  /// `[String: Any]`; nil for `null`.
  public var value: Any? { json.anyValue }
}

extension AnyCodable: Hashable {}

extension AnyCodable: Codable {
  /// Reads a value of any kind.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      json = .null
    } else if let value = try? container.decode(Bool.self) {
      json = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      json = .number("\(value)")
    } else if let value = try? container.decode(UInt64.self) {
      json = .number("\(value)")
    } else if let value = try? container.decode(Double.self) {
      json = .number("\(value)")
    } else if let value = try? container.decode(String.self) {
      json = .string(value)
    } else if let value = try? container.decode([AnyCodable].self) {
      json = .array(value.map(\.json))
    } else {
      let members = try container.decode([String: AnyCodable].self)
      json = .object(members.sorted { $0.key < $1.key }.map { .init($0.key, $0.value.json) })
    }
  }

  /// Writes the value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch json {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .number(let literal):
      if let value = Int64(literal) {
        try container.encode(value)
      } else if let value = UInt64(literal) {
        try container.encode(value)
      } else {
        try container.encode(Double(literal) ?? 0)
      }
    case .string(let value): try container.encode(value)
    case .array(let elements): try container.encode(elements.map { AnyCodable($0) })
    case .object(let members):
      let pairs = members.map { ($0.key, AnyCodable($0.value)) }
      try container.encode(Dictionary(pairs, uniquingKeysWith: { $1 }))
    }
  }
}

extension AnyCodable: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral
{
  /// A string.
  public init(stringLiteral value: String) { self.init(.string(value)) }
  /// A whole number.
  public init(integerLiteral value: Int) { self.init(.number("\(value)")) }
  /// A number.
  public init(floatLiteral value: Double) { self.init(value as Any?) }
  /// `true` or `false`.
  public init(booleanLiteral value: Bool) { self.init(.bool(value)) }
}
