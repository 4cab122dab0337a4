import JSON
import Testing

/// Activities that somebody elsewhere starts.
@Suite struct PushStartTests {
  static func start(
    _ type: String, _ attributes: String = "{}", second: Int = 0, _ more: String = ""
  ) -> String {
    #""timestamp":\#(noon + second),"event":"start","content-state":{"n":1},"#
      + #""attributes-type":"\#(type)","attributes":\#(attributes),"#
      + #""alert":{"title":"Hello","body":"there"}\#(more)"#
  }

  @Test func aPushStartsAnActivityOfItsTokensTypeAndApplication() throws {
    let client = try TestDaemon().connect()
    let token = try client.startToken("Match", #","application":"org.example.App""#)
    #expect(
      try client.push(
        token,
        Self.start(
          "Match", #"{"home":"A"}"#,
          #","stale-date":\#(noon + 60),"relevance-score":0.5,"input-push-channel":"c""#)))
    let found = try client.call("List")["activities"]
    let activity = try #require(found.map { Array($0.elements) }?.first)
    #expect(activity.text("state") == "active")
    #expect(activity.text("attributesType") == "Match")
    #expect(activity.text("attributes") == #"{"home":"A"}"#)
    #expect(activity.text("application") == "org.example.App")
    #expect(activity.text("channel") == "c")
    #expect(activity.text("content", "state") == #"{"n":1}"#)
    #expect(activity.text("content", "staleDate") == "2026-12-01T12:01:00.000000Z")
    #expect(activity.text("content", "relevanceScore") == "0.5")
    #expect(activity.text("timestamp") == "2026-12-01T12:00:00.000000Z")
    let events = try client.events(activity.text("id") ?? "")
    #expect(events.compactMap { $0.text("kind") } == ["scheduled", "started"])
    #expect(events.allSatisfy { $0["by"] == nil })
    #expect(events.last?.text("alert", "title") == "Hello")
  }

  @Test func withoutAnIDEachIsAnother() throws {
    let client = try TestDaemon().connect()
    let token = try client.startToken("T")
    for _ in 0..<3 { #expect(try client.push(token, Self.start("T"))) }
    let found = try client.call("List")["activities"]
    #expect(found.map { Array($0.elements).count } == 3)
  }

  @Test func theSameIDReplacesTheOlderOne() throws {
    let client = try TestDaemon().connect()
    let token = try client.startToken("T")
    let id = #"{"pushwoosh":{"activityId":"order"}}"#
    #expect(try client.push(token, Self.start("T", id, second: 10)))
    // Sent again it does nothing, older ones neither.
    #expect(try !client.push(token, Self.start("T", id, second: 10)))
    #expect(try !client.push(token, Self.start("T", id, second: 9, #","relevance-score":1"#)))
    let update = try client.token("order")
    #expect(try !client.push(update, DaemonTests.update(9, "{}")))
    #expect(try client.push(token, Self.start("T", id, second: 20, #","relevance-score":1"#)))
    #expect(try client.call("Get", #"{"id":"order"}"#).text("activity", "session") == "2")
    #expect(throws: Refused.invalidToken) { try client.push(update, DaemonTests.update(30, "{}")) }
  }

  @Test func nothingElseOfTheOwnersIsReplaced() throws {
    let client = try TestDaemon().connect()
    let token = try client.startToken("T", #","application":"one""#)
    for (id, more) in [
      ("type", #""attributesType":"U","application":"one""#),
      ("application", #""attributesType":"T","application":"two""#),
      ("none", #""attributesType":"T""#),
      ("stopped", #""attributesType":"T","application":"one""#),
    ] {
      try client.call("Request", #"{"id":"\#(id)",\#(more)}"#)
      if id == "stopped" { try client.call("Stop", #"{"id":"stopped"}"#) }
      #expect(throws: Refused.payload("attributes.pushwoosh.activityId"), "\(id)") {
        try client.push(token, Self.start("T", #"{"pushwoosh":{"activityId":"\#(id)"}}"#))
      }
      #expect(try client.call("Get", #"{"id":"\#(id)"}"#).text("activity", "session") == "1")
    }
  }

  @Test func theTwoKindsOfTokensAreNotEachOther() throws {
    let client = try TestDaemon().connect()
    try client.call("Request", #"{"id":"a","attributesType":"T"}"#)
    let (token, start) = (try client.token("a"), try client.startToken("T"))
    #expect(throws: Refused.invalidToken) { try client.push(token, Self.start("T")) }
    #expect(throws: Refused.invalidToken) { try client.push(start, update(1, "{}")) }
    #expect(throws: Refused.payload("attributes-type")) {
      try client.push(start, Self.start("U"))
    }
  }

  @Test func theyAreTakenBackByTypeAndApplication() throws {
    let client = try TestDaemon().connect()
    let one = try client.startToken("T", #","application":"one""#)
    let two = try client.startToken("T", #","application":"two""#)
    let other = try client.startToken("U")
    func void(_ parameters: String) throws -> String? {
      try client.call("io.lasched.Push.VoidStartTokens", parameters).text("voided")
    }
    #expect(try void(#"{"application":"one"}"#) == "1")
    #expect(throws: Refused.invalidToken) { try client.push(one, Self.start("T")) }
    #expect(try client.push(two, Self.start("T")))
    #expect(try void(#"{"attributesType":"T"}"#) == "1")
    #expect(throws: Refused.invalidToken) { try client.push(two, Self.start("T")) }
    #expect(try void("{}") == "1")
    #expect(throws: Refused.invalidToken) { try client.push(other, Self.start("U")) }
    #expect(try void("{}") == "0")
  }

  @Test func disabledActivitiesAreNotStarted() throws {
    let client = try TestDaemon().connect()
    let token = try client.startToken("T")
    try client.call("SetEnabled", #"{"enabled":false,"attributesType":"T"}"#)
    #expect(throws: Refused.named("ActivitiesDisabled")) {
      try client.push(token, Self.start("T"))
    }
  }

  @Test func thereAreOnlySoManyTypes() throws {
    let client = try TestDaemon().connect()
    for n in 0..<100 { _ = try client.startToken("T\(n)") }
    #expect(throws: Refused(name: "TooManyTokens", parameters: #"{"limit":100}"#)) {
      try client.startToken("T100")
    }
    #expect(try client.startToken("T0").count == 64)
  }
}
