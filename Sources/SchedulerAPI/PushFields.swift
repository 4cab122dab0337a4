import JSON
import LiveActivity

/// Reads the members of `aps`.
struct PushFields: ~Copyable {
  enum Key: Int {
    case timestamp, event, contentState, attributesType, attributes, alert, staleDate
    case dismissalDate, relevanceScore, channel, sound
  }

  private static let names = JSONFieldNames([
    "timestamp", "event", "content-state", "attributes-type", "attributes", "alert", "stale-date",
    "dismissal-date", "relevance-score", "input-push-channel", "sound",
    // Of Apple's other notifications: they mean nothing here.
    "input-push-token", "badge", "thread-id", "category", "content-available", "mutable-content",
    "target-content-id", "interruption-level", "filter-criteria", "url-args", "content-changed",
  ])

  /// From here on a number of seconds is past the year 5100; as milliseconds it was in 1973.
  private static let milliseconds = 1e11

  private let fields: JSONFields

  init(_ aps: JSONNode) throws(SchedulerError) {
    do throws(JSONFieldsError) {
      fields = try JSONFields(aps, Self.names)
    } catch {
      switch error {
      case .notAnObject: throw .invalidPayload(field: "aps", why: "it is not an object")
      case .unknown(let key):
        throw .invalidPayload(
          field: "aps.\((key.string ?? "").cutOff())", why: "there is no such key")
      }
    }
  }

  subscript(key: Key) -> JSONNode? { fields[key.rawValue] }

  private func path(_ key: Key) -> String { "aps." + Self.names.names[key.rawValue] }

  func invalid(_ key: Key, _ why: String) -> SchedulerError {
    .invalidPayload(field: path(key), why: why)
  }

  func required<Value>(_ key: Key, _ value: Value?) throws(SchedulerError) -> Value {
    guard let value else { throw invalid(key, "it is missing") }
    return value
  }

  func exclude(_ key: Key, _ why: String) throws(SchedulerError) {
    if self[key] != nil { throw invalid(key, "it \(why)") }
  }

  /// What a rule of texts says, as an error of that field.
  func checking<Value>(
    _ key: Key, _ body: () throws(InvalidValue) -> Value
  ) throws(SchedulerError) -> Value {
    do throws(InvalidValue) { return try body() } catch { throw invalid(key, error.why) }
  }

  func text(_ key: Key) throws(SchedulerError) -> String? {
    guard let node = self[key] else { return nil }
    guard let text = node.string else { throw invalid(key, "it is not a text") }
    return text
  }

  func number(_ key: Key) throws(SchedulerError) -> Double? {
    guard let node = self[key] else { return nil }
    guard let number = node.double else { throw invalid(key, "it is not a number") }
    return number
  }

  func object(_ key: Key) throws(SchedulerError) -> JSONText? {
    guard let node = self[key] else { return nil }
    guard node.kind == .object, let text = node.text else {
      throw invalid(key, "it is not an object")
    }
    return text
  }

  /// Unix seconds; rounded up to the millisecond, as every date that comes in.
  func date(_ key: Key) throws(SchedulerError) -> WallTime? {
    guard let seconds = try number(key) else { return nil }
    guard abs(seconds) < Self.milliseconds else {
      let value = self[key]?.text?.string ?? ""
      guard abs(seconds) < Self.milliseconds * 1000 else {
        throw invalid(key, "\(value.cutOff()) is no date in Unix seconds")
      }
      throw invalid(
        key, "\(value) looks like milliseconds; Unix seconds are taken: \(Int64(seconds / 1000))")
    }
    guard seconds >= 0 else { throw invalid(key, "it is before 1970") }
    let microseconds = self[key]?.int64.map { $0 * 1_000_000 } ?? Int64(seconds * 1_000_000)
    return WallTime(microseconds: microseconds.roundedUpToMillisecond)
  }
}
