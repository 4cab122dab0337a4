import JSON
import Testing

/// Reminders and planned updates, through the socket.
@Suite struct Ahead {
  @Test func remindersComeBeforeTheStart() throws {
    let daemon = try TestDaemon()
    let client = try daemon.connect()
    let made = try client.call(
      "Request",
      """
      {"id":"tea","alert":{"title":"Tea","body":""},"start":{"afterUSec":3600000000},\
      "remindersUSec":[7200000000,600000000]}
      """)
    #expect(
      made["activity"]?["reminders"]?.elements.map { $0.text("state") } == ["skipped", "ahead"])
    try client.advance(seconds: 3600)
    #expect(
      try client.story("tea") == [
        "scheduled pending", "reminded pending", "started active", "alertSettled withdrawn",
      ])
    let told = try client.events("tea")[1]
    #expect(told.text("alert", "body") == "in 10min")
    #expect(told.text("dueDate") == "2026-12-01T12:50:00.000000Z")
    #expect(told.text("startDate") == "2026-12-01T13:00:00.000000Z")
  }

  @Test func plannedUpdatesOutliveAKill() throws {
    let daemon = try TestDaemon()
    let client = try daemon.connect()
    try client.call("Request", #"{"id":"match","content":{"state":{"period":1}}}"#)
    try client.call(
      "Update",
      """
      {"id":"match","patch":{"period":"half-time"},"afterUSec":2700000000,\
      "alert":{"title":"Half-time","body":""}}
      """)
    daemon.stop(9)
    try daemon.start(clock: "2026-12-01T12:50:00Z")
    let again = try daemon.connect()
    let updated = try #require(try again.events("match").last)
    #expect(updated.text("kind") == "updated")
    #expect(updated.text("content", "state") == #"{"period":"half-time"}"#)
    #expect(updated.text("dueDate") == "2026-12-01T12:45:00.000000Z")
    #expect(updated.text("latenessUSec") == "300000000")
    #expect(updated.text("alert", "title") == "Half-time")
  }

  @Test(
    arguments: [
      (#"{"id":"a","at":"2026-12-01T13:00:00Z","timestamp":"2026-12-01T12:00:00Z"}"#, "timestamp"),
      (#"{"id":"a","at":"2026-12-01T13:00:00Z","afterUSec":1}"#, "afterUSec"),
      (#"{"id":"a","discardPlanned":true,"patch":{}}"#, "discardPlanned"),
    ])
  func whatDoesNotGoTogetherIsNamed(parameters: String, path: String) throws {
    let client = try TestDaemon().connect()
    try client.call("Request", #"{"id":"a"}"#)
    #expect(throws: Refused.invalid(path)) { try client.call("Update", parameters) }
  }

  @Test func remindersThatCannotBeAreRefused() throws {
    let client = try TestDaemon().connect()
    let alert = #""alert":{"title":"t","body":""},"start":{"afterUSec":1000000}"#
    #expect(throws: Refused.invalid("remindersUSec[1]")) {
      try client.call("Request", "{\(alert),\"remindersUSec\":[1000,999]}")
    }
    let many = (1...17).map { "\($0 * 1000)" }.joined(separator: ",")
    #expect(throws: Refused.invalid("remindersUSec[16]")) {
      try client.call("Request", "{\(alert),\"remindersUSec\":[\(many)]}")
    }
    #expect(throws: Refused.named("InvalidDate")) {
      try client.call("Request", #"{"start":{"afterUSec":1000000},"remindersUSec":[1000]}"#)
    }
    // The longest there are trap nobody.
    try client.call("Request", "{\(alert),\"remindersUSec\":[9223372036854775807]}")
  }
}
