import JSON
import Testing

@Suite struct Rules {
  @Test func theSameIDAgain() throws {
    let client = try TestDaemon().connect()
    let request = #""id":"a","attributes":{"n":1},"start":{"afterUSec":60000000}"#
    #expect(try client.call("Request", "{\(request)}").text("created") == "true")
    #expect(try client.call("Request", "{\(request)}").text("created") == "false")
    // White space does not make another request, another order of members does not either.
    #expect(
      try client.call(
        "Request", #"{"start":{"afterUSec":60000000},"attributes": {"n" : 1},"id":"a"}"#
      ).text("created") == "false")
    #expect(throws: Refused.named("ActivityExists")) {
      try client.call("Request", #"{"id":"a"}"#)
    }
    let kept = try client.call("Request", #"{"id":"a","ifExists":"keep"}"#)
    #expect(kept.text("created") == "false")
    #expect(kept.text("activity", "session") == "1")
    #expect(throws: Refused.named("ActivityExists")) {
      try client.call("Request", #"{"id":"a","ifExists":"update","attributes":{"n":2}}"#)
    }
    let updated = try client.call(
      "Request", #"{"id":"a","ifExists":"update","content":{"state":{"x":1}}}"#)
    #expect(updated.text("activity", "session") == "1")
    #expect(updated.text("activity", "content", "state") == #"{"x":1}"#)
    #expect(updated.text("activity", "attributes") == #"{"n":1}"#)
    let replaced = try client.call("Request", #"{"id":"a","ifExists":"replace"}"#)
    #expect(replaced.text("activity", "session") == "2")
    #expect(try client.story("a").contains("dismissed dismissed"))
  }

  @Test func updatesAreOrderedByTheirTimestamps() throws {
    let client = try TestDaemon().connect()
    try client.call("Request", #"{"id":"t"}"#)
    func update(_ second: Int, _ n: Int) throws -> String? {
      try client.call(
        "Update",
        """
        {"id":"t","content":{"state":{"n":\(n)}},"timestamp":"2026-12-01T12:00:\(second)Z"}
        """
      ).text("applied")
    }
    #expect(try update(20, 1) == "1")
    #expect(try update(20, 1) == "0")
    #expect(try update(20, 2) == "1")
    #expect(throws: Refused.named("Outdated")) { try update(19, 3) }
    #expect(throws: Refused.named("InvalidDate")) {
      try client.call("Update", #"{"id":"t","timestamp":"2026-12-02T12:00:01Z"}"#)
    }
    #expect(
      try client.call("Get", #"{"id":"t"}"#).text("activity", "content", "state") == #"{"n":2}"#)
  }

  @Test func theSameEndSentAgainDoesNothingWhereverItFoundTheActivity() throws {
    let daemon = try TestDaemon()
    let client = try daemon.connect()
    try client.call("Request", #"{"id":"pending","start":{"afterUSec":3600000000}}"#)
    try client.call("Request", #"{"id":"active"}"#)
    for id in ["pending", "active"] {
      let call = #"{"id":"\#(id)","content":{"state":{"n":1}},"timestamp":"2026-12-01T12:00:20Z"}"#
      #expect(try client.call("End", call).text("applied") == "1")
      #expect(try client.call("End", call).text("applied") == "0")
      #expect(throws: Refused.named("ActivityOver")) {
        try client.call("End", #"{"id":"\#(id)","timestamp":"2026-12-01T12:00:20Z"}"#)
      }
      let story = try client.story(id)
      #expect(story.last == (id == "pending" ? "dismissed dismissed" : "ended ended"))
    }
  }

  @Test func theStoreIsLookedThroughOnRequestWhileOthersAreServed() throws {
    let daemon = try TestDaemon()
    let (asker, other) = (try daemon.connect(), try daemon.connect())
    for n in 0..<200 { try other.call("Request", #"{"id":"n\#(n)"}"#) }
    #expect(try other.call("GetStatus")["storeFindings"] == nil)
    try asker.send("GetStatus", #"{"checkStore":true}"#)
    for n in 0..<100 { try other.call("End", #"{"id":"n\#(n)"}"#) }
    // Sent while the look goes on: answered after it, and in order.
    try asker.send("GetStatus", "{}")
    #expect(try asker.reply().text("storeFindings") == "[]")
    #expect(try asker.reply().text("ended") == "100")
  }

  @Test func aStartThatIsMissedAtOnceIsToldWithItsDates() throws {
    let client = try TestDaemon().connect()
    let made = try client.call(
      "Request",
      """
      {"id":"m","start":{"at":"2026-12-01T11:00:00Z"},"startByDate":"2026-12-01T11:30:00Z",
       "allowPast":true}
      """)
    #expect(made.text("activity", "state") == "dismissed")
    #expect(made.text("activity", "reason") == "missed")
    #expect(made.text("activity", "startDate") == "2026-12-01T11:00:00.000000Z")
    #expect(made.text("activity", "startByDate") == "2026-12-01T11:30:00.000000Z")
    let shown = try client.call("Get", #"{"id":"m"}"#)
    #expect(shown.text("activity", "startDate") == "2026-12-01T11:00:00.000000Z")
  }

  @Test func anUpdateThatMovesTheStartIntoThePastIsTakenAsOfAPendingOne() throws {
    let client = try TestDaemon().connect()
    try client.call("Request", #"{"id":"u","start":{"afterUSec":3600000000}}"#)
    let updated = try client.call(
      "Request",
      """
      {"id":"u","ifExists":"update","start":{"at":"2026-12-01T11:00:00Z"},"allowPast":true,
       "application":"org.example.App","actions":[{"name":"go","label":"Go"}]}
      """)
    #expect(updated.text("activity", "state") == "active")
    #expect(updated.text("activity", "application") == "org.example.App")
    #expect(updated.text("activity", "actions") == #"[{"name":"go","label":"Go"}]"#)
  }

  @Test func handlesDoNotGoStale() throws {
    let client = try TestDaemon().connect()
    let first = try client.call("Request", #"{"id":"h"}"#).text("activity", "sequence") ?? ""
    try client.call("Update", #"{"id":"h","ifSequence":\#(first)}"#)
    #expect(throws: Refused.named("Conflict")) {
      try client.call("Update", #"{"id":"h","ifSequence":\#(first)}"#)
    }
    #expect(throws: Refused.named("Conflict")) {
      try client.call("Cancel", #"{"id":"h","session":2}"#)
    }
    #expect(try client.call("Cancel", #"{"id":"h","session":1}"#).text("applied") == "1")
    #expect(try client.call("Cancel", #"{"id":"h","session":1}"#).text("applied") == "0")
    #expect(throws: Refused.named("ActivityOver")) { try client.call("Cancel", #"{"id":"h"}"#) }
    #expect(throws: Refused.named("NoSuchActivity")) {
      try client.call("Cancel", #"{"id":"none"}"#)
    }
  }

  @Test func aChannelReachesAllThatListen() throws {
    let client = try TestDaemon().connect()
    for number in 0..<700 {
      try client.send("Request", #"{"id":"c\#(number)","channel":"match"}"#)
      if number % 50 == 49 { for _ in 0..<50 { _ = try client.reply() } }
    }
    let update = #"{"channel":"match","content":{"state":{"score":"1:0"}}}"#
    let applied = try client.call("Update", update)
    #expect(applied.text("applied") == "700")
    for id in ["c0", "c350", "c699"] {
      #expect(
        try client.call("Get", #"{"id":"\#(id)"}"#).text("activity", "content", "state")
          == #"{"score":"1:0"}"#)
    }
    #expect(try client.call("Cancel", #"{"channel":"match"}"#)["found"]?.text("active") == "700")
    #expect(try client.call("Update", update).text("applied") == "0")
  }

  @Test(
    arguments: [
      (#"{"foo":1}"#, "foo"), (#"{"content":{"state":{},"stalDate":1}}"#, "content.stalDate"),
      (#"{"content":{}}"#, "content.state"), (#"{"alert":{"title":"x"}}"#, "alert.body"),
      (#"{"alert":{"title":"","body":"","urgency":"loud"}}"#, "alert.urgency"),
      (#"{"actions":[{"name":"a","label":"A"},{"name":"b c","label":"B"}]}"#, "actions[1].name"),
      (#"{"start":{}}"#, "start"), (#"{"start":{"afterUSec":-1}}"#, "start.afterUSec"),
      (#"{"start":{"at":"2026-12-03T00:00:00Z","afterUSec":1}}"#, "start.afterUSec"),
      (#"{"id":""}"#, "id"), (#"{"id":"a\nb"}"#, "id"), (#"{"id":7}"#, "id"),
      (#"{"attributes":[]}"#, "attributes"), (#"{"attributesType":".x"}"#, "attributesType"),
      (#"{"ifExists":"maybe"}"#, "ifExists"), (#"{"bound":1}"#, "bound"),
      (#"{"owner":-1}"#, "owner"), (#"{"audience":["all"]}"#, "audience[0]"),
      (#"{"audience":["everyone","user:no-such-user-here"]}"#, "audience[1]"),
    ])
  func whatARequestDoesNotTakeIsNamedByItsPath(parameters: String, path: String) throws {
    let client = try TestDaemon().connect()
    #expect(throws: Refused.invalid(path)) { try client.call("Request", parameters) }
    #expect(try client.call("GetStatus").text("sequence") == "0")
  }

  @Test(
    arguments: [
      (#"{"start":{"at":"2026-12-01T12:00:00Z"}}"#, "StartDateNotInFuture"),
      (#"{"start":{"afterUSec":0}}"#, "StartDateNotInFuture"),
      (#"{"start":{"at":"2026-02-30T00:00:00Z"}}"#, "InvalidDate"),
      (#"{"start":{"at":"2026-12-02T00:00:00.0000001Z"}}"#, "InvalidDate"),
      (#"{"start":{"afterUSec":9223372036854775807}}"#, "InvalidDate"),
      (#"{"endAfterUSec":28800000001}"#, "InvalidDate"), (#"{"endAfterUSec":0}"#, "InvalidDate"),
      (#"{"endDate":"2026-12-01T11:00:00Z"}"#, "InvalidDate"),
      (#"{"content":{"state":{},"staleDate":"2026-12-01T12:00:00Z"}}"#, "InvalidDate"),
      (
        #"{"start":{"at":"2026-12-02T00:00:00Z"},"startByDate":"2026-12-01T23:59:59Z"}"#,
        "InvalidDate"
      ),
    ])
  func datesThatDoNotFitAreRefused(parameters: String, error: String) throws {
    let client = try TestDaemon().connect()
    #expect(throws: Refused.named(error)) { try client.call("Request", parameters) }
    #expect(try client.call("GetStatus").text("sequence") == "0")
  }

  @Test func limitsAreNamed() throws {
    let client = try TestDaemon().connect()
    let long = String(repeating: "x", count: 4096)
    #expect(throws: Refused.named("PayloadTooLarge")) {
      try client.call("Request", #"{"attributes":{"a":"\#(long)"}}"#)
    }
    try client.call("Request", #"{"id":"p","attributes":{"a":"\#(long.prefix(4000))"}}"#)
    #expect(throws: Refused.named("PayloadTooLarge")) {
      try client.call("Update", #"{"id":"p","patch":{"b":"\#(long.prefix(200))"}}"#)
    }
    try client.call("SetEnabled", #"{"enabled":false,"attributesType":"Noise"}"#)
    #expect(throws: Refused.named("ActivitiesDisabled")) {
      try client.call("Request", #"{"attributesType":"Noise"}"#)
    }
    try client.call("SetEnabled", #"{"enabled":true}"#)
    try client.call("Request", #"{"attributesType":"Noise"}"#)
  }

  @Test func aFailedCommitChangesNothingAndIsToldToItsCallersAlone() throws {
    let client = try TestDaemon().connect()
    try client.call("Request", #"{"id":"due","start":{"afterUSec":10000000}}"#)
    try client.call("io.lasched.TestClock.FailNextCommits", #"{"count":1}"#)
    #expect(throws: Refused.named("StoreUnavailable")) {
      try client.call("Request", #"{"id":"f"}"#)
    }
    #expect(throws: Refused.named("NoSuchActivity")) { try client.call("Get", #"{"id":"f"}"#) }
    #expect(
      try client.call("Request", #"{"id":"f"}"#).text("activity", "sequence") == "3")
    // What is due is tried again until it is durable, and is not late by the clock that stood still.
    try client.call("io.lasched.TestClock.FailNextCommits", #"{"count":2}"#)
    try client.advance(seconds: 20)
    let started = try #require(try client.events("due").last)
    #expect(started.text("kind") == "started")
    #expect(started.text("latenessUSec") == "0")
  }
}
