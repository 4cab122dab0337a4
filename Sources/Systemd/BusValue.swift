/// A value of D-Bus (https://dbus.freedesktop.org/doc/dbus-specification.html#type-system), with its
/// type.
public indirect enum BusValue: Hashable, Sendable {
  /// `y`.
  case byte(UInt8)
  /// `b`.
  case boolean(Bool)
  /// `n`.
  case int16(Int16)
  /// `q`.
  case uint16(UInt16)
  /// `i`.
  case int32(Int32)
  /// `u`.
  case uint32(UInt32)
  /// `x`.
  case int64(Int64)
  /// `t`.
  case uint64(UInt64)
  /// `d`.
  case double(Double)
  /// `s`. What a C string cannot hold is not sent: a text ends before a NUL.
  case string(String)
  /// `o`.
  case objectPath(String)
  /// `g`.
  case signature(String)
  /// `a` and the type of its elements.
  case array(of: String, [BusValue])
  /// `a{…}`: entries of a basic key and a value, whose types are given.
  case dictionary(key: String, value: String, [Entry])
  /// `(…)`.
  case structure([BusValue])
  /// `v`.
  case variant(BusValue)

  /// One entry of a dictionary.
  public struct Entry: Hashable, Sendable {
    /// The key.
    public let key: BusValue
    /// The value.
    public let value: BusValue

    /// A key and its value.
    public init(_ key: BusValue, _ value: BusValue) {
      self.key = key
      self.value = value
    }
  }

  /// `a{sv}`, in the order given.
  public static func options(_ entries: [(String, BusValue)]) -> BusValue {
    .dictionary(
      key: "s", value: "v", entries.map { Entry(.string($0.0), .variant($0.1)) })
  }

  /// `as`.
  public static func strings(_ texts: [String]) -> BusValue {
    .array(of: "s", texts.map { .string($0) })
  }

  /// The type, as the protocol spells it.
  public var signature: String {
    switch self {
    case .byte: "y"
    case .boolean: "b"
    case .int16: "n"
    case .uint16: "q"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .objectPath: "o"
    case .signature: "g"
    case .array(let type, _): "a" + type
    case .dictionary(let key, let value, _): "a{\(key)\(value)}"
    case .structure(let members): "(\(members.map(\.signature).joined()))"
    case .variant: "v"
    }
  }
}

extension BusValue {
  /// The text of a string, an object path or a signature, also inside a variant.
  public var text: String? {
    switch self {
    case .string(let text), .objectPath(let text), .signature(let text): text
    case .variant(let value): value.text
    default: nil
    }
  }

  /// A number of any integer type that fits, also inside a variant.
  public var number: Int64? {
    switch self {
    case .byte(let number): Int64(number)
    case .int16(let number): Int64(number)
    case .uint16(let number): Int64(number)
    case .int32(let number): Int64(number)
    case .uint32(let number): Int64(number)
    case .int64(let number): number
    case .uint64(let number): Int64(exactly: number)
    case .variant(let value): value.number
    default: nil
    }
  }

  /// A truth, also inside a variant.
  public var truth: Bool? {
    switch self {
    case .boolean(let truth): truth
    case .variant(let value): value.truth
    default: nil
    }
  }

  /// The elements of an array or the members of a structure, also inside a variant; else none.
  public var elements: [BusValue] {
    switch self {
    case .array(_, let elements), .structure(let elements): elements
    case .variant(let value): value.elements
    default: []
    }
  }

  /// The value of a dictionary's entry of that name.
  public subscript(key: String) -> BusValue? {
    switch self {
    case .dictionary(_, _, let entries): entries.last { $0.key.text == key }?.value
    case .variant(let value): value[key]
    default: nil
    }
  }
}
