import JSON

extension Client {
  /// A token of an activity.
  func token(_ id: String, _ more: String = "") throws -> String {
    let reply = try call("io.lasched.Push.CreateToken", #"{"id":"\#(id)"\#(more)}"#)
    return reply.text("token") ?? ""
  }

  /// A push-to-start token.
  func startToken(_ type: String, _ more: String = "") throws -> String {
    let reply = try call(
      "io.lasched.Push.CreateStartToken", #"{"attributesType":"\#(type)"\#(more)}"#)
    return reply.text("token") ?? ""
  }

  /// Pushes the members of `aps`; whether that changed anything.
  @discardableResult
  func push(_ token: String, _ aps: String, priority: Int = 10) throws -> Bool {
    let reply = try call(
      "io.lasched.Push.Push",
      #"{"token":"\#(token)","payload":{"aps":{\#(aps)}},"priority":\#(priority)}"#)
    return reply.text("applied") == "true"
  }

  /// The content state of an activity.
  func content(_ id: String) throws -> String {
    try call("Get", #"{"id":"\#(id)"}"#).text("activity", "content", "state") ?? ""
  }
}

/// 2026-12-01 12:00:00 UTC, where the test clock stands.
let noon = 1_796_126_400

/// The members of an update, that many seconds after noon.
func update(_ second: Int, _ state: String, _ more: String = "") -> String {
  #""timestamp":\#(noon + second),"event":"update","content-state":\#(state)\#(more)"#
}

extension Refused {
  static let invalidToken = Refused(name: "InvalidToken", parameters: "{}")
  /// `InvalidPayload` about that key of `aps`, whatever the reason.
  static func payload(_ key: String) -> Refused { .named("InvalidPayload aps.\(key)") }
}
