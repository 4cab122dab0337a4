import Glibc
import JSON
import Testing

/// Who gets a token, and how long it is good for.
@Suite struct TokenTests {
  @Test func aTokenUpdatesThatActivityAndNoOther() throws {
    let daemon = try TestDaemon()
    let client = try daemon.connect()
    for id in ["a", "b"] { try client.call("Request", #"{"id":"\#(id)"}"#) }
    let token = try client.token("a")
    #expect(token.count == 64 && token.allSatisfy { $0.isHexDigit && !$0.isUppercase })
    #expect(try client.push(token, update(1, #"{"n":1}"#)))
    #expect(try client.push(token.uppercased(), update(2, #"{"n":2}"#)))
    #expect(try client.content("a") == #"{"n":2}"#)
    #expect(try client.content("b") == "{}")
    #expect(try client.token("a") != token)
  }

  @Test func aPushNamesNobody() throws {
    let client = try TestDaemon().connect()
    try client.call("Request", #"{"id":"a"}"#)
    try client.push(try client.token("a"), update(1, #"{"n":1}"#))
    let last = try #require(try client.events("a").last)
    #expect(last.text("kind") == "updated")
    #expect(last["by"] == nil)
    #expect(last.text("content", "state") == #"{"n":1}"#)
  }

  @Test func thereIsNoneBeforeTheStart() throws {
    let client = try TestDaemon().connect()
    try client.call("Request", #"{"id":"a","start":{"afterUSec":60000000}}"#)
    #expect(throws: Refused(name: "NotStarted", parameters: #"{"id":"a"}"#)) {
      try client.token("a")
    }
    try client.advance(seconds: 60)
    #expect(try client.push(try client.token("a"), update(60, "{}")))
  }

  @Test func everythingThatEndsAnActivityVoidsItsTokens() throws {
    let client = try TestDaemon().connect()
    let ways = [
      ("End", #"{"id":"0"}"#), ("Cancel", #"{"id":"1"}"#), ("Stop", #"{"id":"2"}"#),
      ("Dismiss", #"{"id":"3","session":1}"#),
      ("Request", #"{"id":"4","ifExists":"replace","attributes":{"n":2}}"#),
      ("Stop", "{}"), ("End", #"{"channel":"c"}"#),
      ("io.lasched.TestClock.Advance", #"{"byUSec":3600000000}"#),
    ]
    for (place, way) in ways.enumerated() {
      let end = place == 7 ? #","endAfterUSec":60000000"# : ""
      try client.call(
        "Request", #"{"id":"\#(place)","channel":"c\#(place == 6 ? "" : "-")"\#(end)}"#)
      let token = try client.token("\(place)")
      #expect(try client.push(token, update(1, "{}")))
      try client.call(way.0, way.1)
      #expect(throws: Refused.invalidToken, "\(way)") {
        try client.push(token, update(2, #"{"n":9}"#))
      }
    }
  }

  @Test func anEndByPushVoidsTheToken() throws {
    let client = try TestDaemon().connect()
    try client.call("Request", #"{"id":"a"}"#)
    let token = try client.token("a")
    #expect(
      try client.push(
        token, #""timestamp":\#(noon),"event":"end","content-state":{"n":1}"#))
    #expect(try client.state("a") == "ended")
    #expect(try client.content("a") == #"{"n":1}"#)
    #expect(throws: Refused.invalidToken) { try client.push(token, update(1, "{}")) }
    #expect(throws: Refused.invalidToken) {
      try client.push(token, #""timestamp":\#(noon),"event":"end","content-state":{"n":1}"#)
    }
  }

  @Test func noneIsMadeForWhatIsOverDetachedOrUnknown() throws {
    let client = try TestDaemon().connect()
    for id in ["over", "stopped", "again"] { try client.call("Request", #"{"id":"\#(id)"}"#) }
    try client.call("End", #"{"id":"over"}"#)
    try client.call("Stop", #"{"id":"stopped"}"#)
    #expect(throws: Refused.named("ActivityOver")) { try client.token("over") }
    #expect(throws: Refused.named("RemoteUpdatesStopped")) { try client.token("stopped") }
    #expect(throws: Refused.named("NoSuchActivity")) { try client.token("none") }
    #expect(throws: Refused.named("NoSuchActivity")) { try client.token("again", #","owner":77"#) }
    #expect(throws: Refused.named("Conflict")) { try client.token("again", #","session":2"#) }
    #expect(try client.token("again", #","session":1"#).count == 64)
  }

  @Test func theNewestFourAreValid() throws {
    let client = try TestDaemon().connect()
    try client.call("Request", #"{"id":"a"}"#)
    let tokens = try (0..<6).map { _ in try client.token("a") }
    for token in tokens[..<2] {
      #expect(throws: Refused.invalidToken) { try client.push(token, update(1, "{}")) }
    }
    for token in tokens[2...] { _ = try client.push(token, update(1, "{}")) }
    let only = try client.token("a", #","voidOthers":true"#)
    for token in tokens {
      #expect(throws: Refused.invalidToken) { try client.push(token, update(2, "{}")) }
    }
    #expect(try client.push(only, update(2, "{}")))
  }

  @Test func whatIsNoTokenLooksLikeAVoidOne() throws {
    let client = try TestDaemon().connect()
    let zeros = String(repeating: "0", count: 64)
    for token in [zeros, "", "0", zeros + "00", String(repeating: "g", count: 64), "é", "token/"] {
      #expect(throws: Refused.invalidToken, "\(token)") {
        try client.push(token, update(1, "{}"))
      }
    }
    // A payload that is none is refused before: the token makes no difference.
    #expect(throws: Refused.payload("timestamp")) { try client.push(zeros, "") }
  }

  @Test func tokensOutliveTheDaemonAndStandNowhereInItsFiles() throws {
    let daemon = try TestDaemon()
    let client = try daemon.connect()
    for id in ["a", "b"] { try client.call("Request", #"{"id":"\#(id)"}"#) }
    let tokens = try ["a", "b"].map { try client.token($0) }
    let start = try client.startToken("T", #","application":"an app""#)
    try client.call("Stop", #"{"id":"b"}"#)
    try client.push(tokens[0], update(1, #"{"n":1}"#))
    #expect(daemon.stop(SIGKILL) == -SIGKILL)
    for token in tokens + [start] {
      for name in ["activities.sqlite", "activities.sqlite-wal"] {
        #expect(try !daemon.file("state/\(name)").contains(token))
      }
    }
    try daemon.start(clock: "2026-12-01T12:01:00Z")
    let again = try daemon.connect()
    #expect(try again.push(tokens[0], update(60, #"{"n":2}"#)))
    #expect(throws: Refused.invalidToken) { try again.push(tokens[1], update(60, "{}")) }
    #expect(try again.push(start, PushStartTests.start("T", #"{"pushwoosh":{"activityId":"p"}}"#)))
    #expect(try again.call("Get", #"{"id":"p"}"#).text("activity", "application") == "an app")
    // In nothing that anybody can ask for either.
    let all = try again.call("History").text?.string ?? ""
    for token in tokens + [start] { #expect(!all.contains(token)) }
  }

  @Test func whatCouldNotBeStoredNeverWas() throws {
    let client = try TestDaemon().connect()
    try client.call("Request", #"{"id":"a"}"#)
    let token = try client.token("a")
    func failNext() throws {
      try client.call("io.lasched.TestClock.FailNextCommits", #"{"count":1}"#)
    }
    try failNext()
    #expect(throws: Refused.named("StoreUnavailable")) { try client.token("a") }
    try failNext()
    #expect(throws: Refused.named("StoreUnavailable")) {
      try client.token("a", #","voidOthers":true"#)
    }
    try failNext()
    #expect(throws: Refused.named("StoreUnavailable")) { try client.call("Stop", #"{"id":"a"}"#) }
    try failNext()
    #expect(throws: Refused.named("StoreUnavailable")) {
      try client.push(token, #""timestamp":\#(noon),"event":"end""#)
    }
    #expect(try client.push(token, update(1, #"{"n":1}"#)))
    #expect(try client.content("a") == #"{"n":1}"#)
  }
}
