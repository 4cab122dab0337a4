import JSON
import Testing

/// Apple's rules of each event.
@Suite struct PushPayloadTests {
  @Test(
    arguments: [
      ("", "timestamp"), (#""timestamp":1"#, "event"),
      (#""timestamp":1,"event":"stop""#, "event"), (#""timestamp":1,"event":5"#, "event"),
      (#""timestamp":1,"event":"update""#, "content-state"),
      (#""timestamp":1,"event":"update","content-state":[]"#, "content-state"),
      (#""timestamp":"1","event":"update","content-state":{}"#, "timestamp"),
      (#""timestamp":-1,"event":"update","content-state":{}"#, "timestamp"),
      (#""timestamp":1796126400000,"event":"update","content-state":{}"#, "timestamp"),
      (#""timestamp":1e300,"event":"update","content-state":{}"#, "timestamp"),
      (#""timestamp":1796299200,"event":"update","content-state":{}"#, "timestamp"),
      (update(1, "{}", #","stale-date":1796126400000"#), "stale-date"),
      (update(1, "{}", #","dismissal-date":1796126460"#), "dismissal-date"),
      (update(1, "{}", #","attributes":{}"#), "attributes"),
      (update(1, "{}", #","attributes-type":"T""#), "attributes-type"),
      (update(1, "{}", #","stale-dat":1"#), "stale-dat"),
      (update(1, "{}", #","relevance-score":"high""#), "relevance-score"),
      (update(1, "{}", #","alert":5"#), "alert"), (update(1, "{}", #","alert":{}"#), "alert.title"),
      (update(1, "{}", #","alert":{"titel":"x"}"#), "alert.titel"),
      (update(1, "{}", #","alert":{"title":5}"#), "alert.title"),
      (update(1, "{}", #","alert":{"title":"a\nb"}"#), "alert"),
      (#""timestamp":1,"event":"end","dismissal-date":1796126400000"#, "dismissal-date"),
      (#""timestamp":1,"event":"start","content-state":{}"#, "attributes-type"),
      (#""timestamp":1,"event":"start","content-state":{},"attributes-type":"T""#, "attributes"),
      (
        #""timestamp":1,"event":"start","content-state":{},"attributes-type":"T","attributes":{}"#,
        "alert"
      ),
      (
        #""timestamp":1,"event":"start","attributes-type":"T","attributes":{},"alert":"x""#,
        "content-state"
      ),
      (
        #""timestamp":1,"event":"start","content-state":{},"attributes-type":"T t","#
          + #""attributes":{},"alert":"x""#, "attributes-type"
      ),
      (
        #""timestamp":1,"event":"start","content-state":{},"attributes-type":"T","alert":"x","#
          + #""attributes":{"pushwoosh":{"activityId":""}}"#, "attributes.pushwoosh.activityId"
      ),
    ])
  func whatIsWrongIsRefusedByItsPath(_ aps: String, _ key: String) throws {
    let client = try TestDaemon().connect()
    try client.call("Request", #"{"id":"a"}"#)
    let token = try client.token("a")
    #expect(throws: Refused.payload(key), "\(aps)") { try client.push(token, aps) }
    #expect(try client.events("a").count == 2)
  }

  @Test func millisecondsAreRecognised() throws {
    let client = try TestDaemon().connect()
    do {
      try client.push("", #""timestamp":1796126400123,"event":"update","content-state":{}"#)
      Issue.record("taken")
    } catch let refused as Refused {
      #expect(refused.parameters.contains("milliseconds"))
      #expect(refused.parameters.contains("1796126400\""))
    }
  }

  @Test func olderTimestampsAreIgnored() throws {
    let client = try TestDaemon().connect()
    try client.call("Request", #"{"id":"a"}"#)
    let token = try client.token("a")
    #expect(try client.push(token, update(20, #"{"n":1}"#)))
    #expect(try !client.push(token, update(19, #"{"n":2}"#)))
    #expect(try !client.push(token, update(20, #"{"n":1}"#)))
    #expect(try client.push(token, update(20, #"{"n":3}"#)))
    #expect(try !client.push(token, #""timestamp":\#(noon),"event":"end""#))
    #expect(try client.content("a") == #"{"n":3}"#)
    #expect(try client.state("a") == "active")
  }

  @Test func contentIsReplacedAsAWhole() throws {
    let client = try TestDaemon().connect()
    try client.call("Request", #"{"id":"a"}"#)
    let token = try client.token("a")
    try client.push(
      token, update(1, #"{"n":1}"#, #","stale-date":\#(noon + 60).5,"relevance-score":7"#))
    var content = try client.call("Get", #"{"id":"a"}"#)["activity"]?["content"]
    #expect(content?.text("staleDate") == "2026-12-01T12:01:00.500000Z")
    #expect(content?.text("relevanceScore") == "7")
    try client.push(token, update(2, #"{"m":9007199254740993,"f":1.0}"#))
    content = try client.call("Get", #"{"id":"a"}"#)["activity"]?["content"]
    #expect(content?.text?.string == #"{"state":{"m":9007199254740993,"f":1.0}}"#)
  }

  @Test func anEndStaysForAsLongAsItsDismissalDateSays() throws {
    let client = try TestDaemon().connect()
    for (id, date) in [("past", noon - 5), ("soon", noon + 600), ("late", noon + 999_999)] {
      try client.call("Request", #"{"id":"\#(id)"}"#)
      try client.push(
        try client.token(id), #""timestamp":\#(noon),"event":"end","dismissal-date":\#(date)"#)
    }
    #expect(try client.state("past") == "dismissed")
    #expect(try client.state("soon") == "ended")
    try client.advance(seconds: 600)
    #expect(try client.state("soon") == "dismissed")
    #expect(try client.state("late") == "ended")
    try client.advance(seconds: 4 * 3600 - 600)
    #expect(try client.state("late") == "dismissed")
  }

  @Test(
    arguments: [
      (#""Goal""#, "Goal", "", nil),
      (#"{"title":"T","body":"B","sound":"bell"}"#, "T", "B", "bell"),
      (
        #"{"title":{"loc-key":"%@ beats %@","loc-args":["A","%@"]},"body":{"loc-key":"100%% %2$@ %3$@","loc-args":[1,"x"]}}"#,
        "A beats %@", "100% x %3$@", nil
      ),
      (#"{"title-loc-key":"K","loc-key":"L %@","loc-args":["m"],"subtitle":"s"}"#, "K", "L m", nil),
    ] as [(String, String, String, String?)])
  func alertsComeInApplesForms(_ alert: String, _ title: String, _ body: String, _ sound: String?)
    throws
  {
    let client = try TestDaemon().connect()
    try client.call("Request", #"{"id":"a"}"#)
    try client.push(try client.token("a"), update(1, "{}", #","alert":\#(alert)"#))
    let told = try client.events("a").last
    #expect(told?.text("alert", "title") == title)
    #expect(told?.text("alert", "body") == body)
    #expect(told?.text("alert", "sound") == sound)
  }

  @Test func keysOfOtherNotificationsArePassedOver() throws {
    let client = try TestDaemon().connect()
    try client.call("Request", #"{"id":"a"}"#)
    let token = try client.token("a")
    let reply = try client.call(
      "io.lasched.Push.Push",
      #"{"token":"\#(token)","payload":{"mine":1,"aps":{"timestamp":\#(noon),"event":"update","#
        + #""content-state":{},"badge":1,"interruption-level":"active","stale-date":null}}}"#)
    #expect(reply.text("applied") == "true")
  }

  @Test func fourKilobytesAreTheMost() throws {
    let client = try TestDaemon().connect()
    try client.call("Request", #"{"id":"a"}"#)
    let token = try client.token("a")
    func payload(_ count: Int) -> String {
      let frame = #"{"aps":{\#(update(1, #"{"t":""}"#))}}"#.utf8.count
      return update(1, #"{"t":"\#(String(repeating: "x", count: count - frame))"}"#)
    }
    #expect(
      throws: Refused(name: "PayloadTooLarge", parameters: #"{"bytes":4097,"limit":4096}"#)
    ) { try client.push(token, payload(4097)) }
    // White space does not count.
    #expect(try client.push(token, payload(4096) + "  "))
  }

  @Test func priorityIsFiveOrTen() throws {
    let client = try TestDaemon().connect()
    try client.call("Request", #"{"id":"a"}"#)
    let token = try client.token("a")
    #expect(throws: Refused.invalid("priority")) {
      try client.push(token, update(1, "{}"), priority: 1)
    }
    #expect(throws: Refused.invalid("payload")) {
      try client.call("io.lasched.Push.Push", #"{"token":"x","payload":[]}"#)
    }
    #expect(throws: Refused.invalid("tokn")) {
      try client.call("io.lasched.Push.Push", #"{"tokn":"x","payload":{}}"#)
    }
  }
}
