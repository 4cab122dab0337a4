import JSON
import Testing

/// Starts at wall times, through the socket, in zones that change.
@Suite struct ZonesThatChange {
  @Test func aFloatingStartFollowsTheMachineAndAZonedOneDoesNot() throws {
    let client = try TestDaemon().connect()
    try client.call("io.lasched.TestClock.SetZone", #"{"zone":"Europe/Berlin"}"#)
    let float = try client.call(
      "Request", #"{"id":"float","start":{"local":"2026-12-01T18:30","floating":true}}"#)
    #expect(float.text("activity", "startDate") == "2026-12-01T17:30:00.000000Z")
    let zoned = try client.call("Request", #"{"id":"zoned","start":{"local":"2026-12-01T18:30"}}"#)
    #expect(zoned.text("activity", "localStart", "zone") == "Europe/Berlin")
    let told = try client.call(
      "io.lasched.TestClock.SetZone", #"{"zone":"America/New_York"}"#)
    // The reply comes once all of it is durable and told.
    #expect(told.text("events") == "1")
    #expect(try client.call("GetStatus").text("zone") == "America/New_York")
    let moved = try #require(try client.events("float").last)
    #expect(moved.text("kind") == "rescheduled")
    #expect(moved.text("by") == nil)
    #expect(moved.text("formerStartDate") == "2026-12-01T17:30:00.000000Z")
    #expect(moved.text("startDate") == "2026-12-01T23:30:00.000000Z")
    #expect(moved.text("cause") == "zone")
    #expect(try client.story("zoned") == ["scheduled pending"])
    try client.advance(seconds: 5 * 3600 + 1800)
    #expect(try client.state("zoned") == "active")
    #expect(try client.state("float") == "pending")
    // East again: its time of day is past there, so it comes at once, late.
    try client.call("io.lasched.TestClock.SetZone", #"{"zone":"Asia/Tokyo"}"#)
    #expect(try client.state("float") == "active")
    let started = try #require(try client.events("float").last)
    #expect(started.text("dueDate") == "2026-12-01T09:30:00.000000Z")
    #expect(started.text("latenessUSec") == "28800000000")
  }

  @Test func aWallTimeSaysWhatIsWrongWithIt() throws {
    let client = try TestDaemon().connect()
    func request(_ start: String) throws {
      try client.call("Request", #"{"id":"x","start":\#(start)}"#)
    }
    #expect(throws: Refused.invalid("start")) { try request("{}") }
    #expect(throws: Refused.invalid("start.local")) {
      try request(#"{"afterUSec":1,"local":"2026-12-01T18:30"}"#)
    }
    #expect(throws: Refused.invalid("start.zone")) {
      try request(#"{"at":"2026-12-02T18:30:00Z","zone":"Europe/Berlin"}"#)
    }
    #expect(throws: Refused.invalid("start.zone")) {
      try request(#"{"local":"2026-12-02T18:30","floating":true,"zone":"Europe/Berlin"}"#)
    }
    #expect(throws: Refused.invalid("start.ofTwo")) {
      try request(#"{"local":"2026-12-02T18:30","ofTwo":"third"}"#)
    }
    #expect(throws: Refused.named("InvalidDate")) {
      try request(#"{"local":"2026-12-02T18:30","zone":"Mars/Base"}"#)
    }
    #expect(throws: Refused.named("InvalidDate")) {
      try request(#"{"local":"2026-02-30T18:30"}"#)
    }
    #expect(throws: Refused.named("StartDateNotInFuture")) {
      try request(#"{"local":"2026-12-01T11:59"}"#)
    }
    #expect(throws: Refused.invalid("start.zone")) {
      let long = String(repeating: "a", count: 300)
      try request(#"{"local":"2026-12-02T18:30","zone":"\#(long)"}"#)
    }
  }

  @Test func changesOfTheZoneAreSeenAfterARestart() throws {
    let daemon = try TestDaemon()
    do {
      let client = try daemon.connect()
      try client.call("io.lasched.TestClock.SetZone", #"{"zone":"Asia/Tokyo"}"#)
      try client.call(
        "Request", #"{"id":"float","start":{"local":"2026-12-02T18:30","floating":true}}"#)
    }
    daemon.stop(9)
    // Its zone is that of these tests again, whichever that is.
    try daemon.start(clock: "2026-12-01T12:01:00Z")
    let client = try daemon.connect()
    let zone = try client.call("GetStatus").text("zone")
    let story = try client.story("float")
    #expect(story == ["scheduled pending"] + (zone == "Asia/Tokyo" ? [] : ["rescheduled pending"]))
  }
}
