import JSON
import LiveActivity

/// The fields of an object, in the order of the interface.
protocol FieldKey: RawRepresentable<Int>, CaseIterable, Sendable {
  static var names: JSONFieldNames { get }
}

extension FieldKey {
  /// The cases' names; made once by each type.
  static func fieldNames() -> JSONFieldNames { JSONFieldNames(allCases.map { "\($0)" }) }
}

/// What an object is part of, and how strictly it is read.
struct DecodingContext {
  /// The parameters; paths begin in them.
  let root: JSONNode
  /// A call's parameters: unknown fields are refused, dates rounded up to the millisecond, so that
  /// nothing is ever early. Of a reply's the former are passed over, the latter kept.
  let isCall: Bool

  func path(of node: JSONNode) -> String { node.path(in: root) ?? "" }

  func invalid(_ node: JSONNode) -> SchedulerError {
    let path = path(of: node)
    return .invalidParameter(path.isEmpty ? "parameters" : path)
  }
}

/// Reads the fields of one object; absent and null are nil, anything not as it must be an error
/// with its path.
struct FieldReader<Key: FieldKey>: ~Copyable {
  let fields: JSONFields
  let context: DecodingContext

  init(_ object: JSONNode, _ context: DecodingContext) throws(SchedulerError) {
    self.context = context
    do throws(JSONFieldsError) {
      fields = try JSONFields(object, Key.names, ignoringUnknown: !context.isCall)
    } catch {
      switch error {
      case .unknown(let node), .notAnObject(let node): throw context.invalid(node)
      }
    }
  }

  init(call parameters: JSONNode) throws(SchedulerError) {
    try self.init(parameters, DecodingContext(root: parameters, isCall: true))
  }

  init(reply parameters: JSONNode) throws(SchedulerError) {
    try self.init(parameters, DecodingContext(root: parameters, isCall: false))
  }

  subscript(key: Key) -> JSONNode? { fields[key.rawValue] }

  /// The path of a field, whether it is there or not.
  func path(_ key: Key) -> String {
    let parent = context.path(of: fields.object)
    let name = Key.names.names[key.rawValue]
    return parent.isEmpty ? name : parent + "." + name
  }

  func invalid(_ key: Key) -> SchedulerError { .invalidParameter(path(key)) }

  func required<Value>(_ key: Key, _ value: Value?) throws(SchedulerError) -> Value {
    guard let value else { throw invalid(key) }
    return value
  }

  /// Throws if the second of two fields is set that exclude each other.
  func exclude(_ first: Bool, _ second: Key) throws(SchedulerError) {
    if first, self[second] != nil { throw invalid(second) }
  }

  func string(_ key: Key) throws(SchedulerError) -> String? {
    guard let node = self[key] else { return nil }
    return try required(key, node.string)
  }

  func int(_ key: Key) throws(SchedulerError) -> Int64? {
    guard let node = self[key] else { return nil }
    return try required(key, node.int64)
  }

  func double(_ key: Key) throws(SchedulerError) -> Double? {
    guard let node = self[key] else { return nil }
    return try required(key, node.double)
  }

  func bool(_ key: Key) throws(SchedulerError) -> Bool? {
    guard let node = self[key] else { return nil }
    return try required(key, node.bool)
  }

  /// An `object` of the interface, as its text.
  func object(_ key: Key) throws(SchedulerError) -> JSONText? {
    guard let node = self[key] else { return nil }
    guard node.kind == .object else { throw invalid(key) }
    return try required(key, node.text)
  }

  func choice<Value: Choice>(_ key: Key) throws(SchedulerError) -> Value? {
    guard let node = self[key] else { return nil }
    return try required(key, Value(node))
  }

  /// A structure that `read` reads.
  func nested<Value>(
    _ key: Key, _ read: (JSONNode, DecodingContext) throws(SchedulerError) -> Value
  ) throws(SchedulerError) -> Value? {
    guard let node = self[key] else { return nil }
    return try read(node, context)
  }

  /// An array of what `read` reads, at most that many.
  func array<Value>(
    _ key: Key, most: Int = .max,
    _ read: (JSONNode, DecodingContext) throws(SchedulerError) -> Value
  ) throws(SchedulerError) -> [Value]? {
    guard let node = self[key] else { return nil }
    guard node.kind == .array else { throw invalid(key) }
    var values: [Value] = []
    for element in node.elements {
      guard values.count < most else { throw context.invalid(element) }
      values.append(try read(element, context))
    }
    return values
  }

  /// A date; of a call rounded up to the millisecond.
  func date(_ key: Key) throws(SchedulerError) -> WallTime? {
    guard let date = try exactDate(key) else { return nil }
    guard context.isCall else { return date }
    let rounded = WallTime(microseconds: date.microseconds.roundedUpToMillisecond)
    guard rounded <= .latest else {
      throw .invalidDate(
        field: path(key), value: date.rfc3339, why: "rounded up to the millisecond it is past 9999")
    }
    return rounded
  }

  func exactDate(_ key: Key) throws(SchedulerError) -> WallTime? {
    guard let text = try string(key) else { return nil }
    do throws(WallTime.ParseError) {
      return try WallTime(rfc3339: text)
    } catch {
      throw .invalidDate(field: path(key), value: text.cutOff(), why: error.why)
    }
  }

  /// An elapsed time, which cannot be negative.
  func span(_ key: Key) throws(SchedulerError) -> TimeSpan? {
    guard let value = try int(key) else { return nil }
    guard value >= 0 else { throw invalid(key) }
    return TimeSpan(microseconds: value)
  }

  func user(_ key: Key) throws(SchedulerError) -> UserID? {
    guard let value = try int(key) else { return nil }
    // The kernel keeps the last number for "no user" (setreuid(2)).
    guard let number = UInt32(exactly: value), number != .max else { throw invalid(key) }
    return UserID(number)
  }

  func id(_ key: Key) throws(SchedulerError) -> ActivityID? {
    guard let text = try string(key) else { return nil }
    do throws(InvalidValue) {
      return try ActivityID(text)
    } catch {
      throw invalid(key)
    }
  }

  /// The name of an application or channel: as an ID.
  func name(_ key: Key) throws(SchedulerError) -> String? { try id(key)?.text }

  func attributesType(_ key: Key) throws(SchedulerError) -> String? {
    guard let text = try string(key) else { return nil }
    do throws(InvalidValue) {
      try TextRules.checkName(text, "the attributes type")
      return text
    } catch {
      throw invalid(key)
    }
  }
}
