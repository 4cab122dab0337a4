internal import FoundationEssentials
internal import JSON
internal import LiveActivity

/// Swift values to the daemon's JSON objects and back, exactly: the coder's default strategies
/// throughout, as ActivityKit has them.
enum PayloadCoding {
  /// A value as a JSON object. Throws where it is none, or where JSON cannot say it.
  static func text<Value: Encodable>(_ value: Value, _ what: String) throws -> JSONText {
    if let value = value as? any ExactPayload { return try value.payload().text() }
    let encoder = JSONEncoder()
    // The same value gives the same bytes, by which the daemon knows a request again.
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let text: JSONText
    do {
      text = try JSONText(validating: Array(try encoder.encode(value)))
    } catch {
      throw LiveActivityError(.malformed, "\(what) cannot be written as JSON: \(error)")
    }
    guard text.isObject else {
      throw LiveActivityError(
        .malformed, "\(what) is no JSON object; a struct or class with keys would be right")
    }
    return text
  }

  /// The value that an object stands for.
  static func value<Value: Decodable>(_ type: Value.Type, _ text: JSONText) throws -> Value {
    if let exact = type as? any ExactPayload.Type,
      let value = try exact.init(payload: JSONValue(text.parsed())) as? Value
    {
      return value
    }
    return try JSONDecoder().decode(type, from: Data(text.bytes))
  }
}

/// What goes to JSON without Foundation's coder, which would write `1.0` as `1`.
protocol ExactPayload {
  init(payload: JSONValue) throws
  func payload() -> JSONValue
}

extension DefaultLiveActivityAttributes: ExactPayload {
  init(payload: JSONValue) throws {
    guard case .object(let members)? = payload["data"],
      case .string(let id)? = payload["pushwoosh"]?["activityId"]
    else { throw LiveActivityError(.malformed, "'data' or 'pushwoosh.activityId' is missing") }
    self.init(
      data: Dictionary(members.map { ($0.key, AnyCodable($0.value)) }, uniquingKeysWith: { $1 }),
      pushwoosh: PushwooshLiveActivityAttributeData(activityId: id))
  }

  func payload() -> JSONValue {
    .object([
      .init("data", data.json),
      .init("pushwoosh", .object([.init("activityId", .string(pushwoosh.activityId))])),
    ])
  }
}

extension DefaultLiveActivityAttributes.ContentState: ExactPayload {
  init(payload: JSONValue) throws {
    guard case .object(let members)? = payload["data"] else {
      throw LiveActivityError(.malformed, "'data' is missing")
    }
    var isFromPush = false
    if case .object? = payload["pushwoosh"] { isFromPush = true }
    self.init(
      data: Dictionary(members.map { ($0.key, AnyCodable($0.value)) }, uniquingKeysWith: { $1 }),
      pushwoosh: isFromPush ? PushwooshLiveActivityContentStateData() : nil)
  }

  func payload() -> JSONValue {
    .object(
      [.init("data", data.json)] + (pushwoosh == nil ? [] : [.init("pushwoosh", .object([]))]))
  }
}

extension [String: AnyCodable] {
  fileprivate var json: JSONValue {
    .object(sorted { $0.key < $1.key }.map { .init($0.key, $0.value.json) })
  }
}

extension WallTime {
  /// A date to the microsecond. Throws what the daemon could not take.
  init(_ date: Date, _ what: String) throws {
    let microseconds = (date.timeIntervalSince1970 * 1_000_000).rounded()
    guard microseconds >= 0, microseconds <= Double(WallTime.latest.microseconds) else {
      throw LiveActivityError(.invalidDate, "\(what) is outside 1970 to 9999")
    }
    self.init(microseconds: Int64(microseconds))
  }

  /// As Foundation has it.
  var date: Date { Date(timeIntervalSince1970: Double(microseconds) / 1_000_000) }
}
