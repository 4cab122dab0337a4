import JSON
import Testing

@Suite struct Life {
  @Test func fromScheduleThroughUpdatesAndStalenessToDismissal() throws {
    let client = try TestDaemon().connect()
    try client.call(
      "Request",
      """
      {"id":"tea","content":{"state":{"cups":2}},"staleAfterUSec":30000000,\
      "alert":{"title":"Tea","body":"It steeps"},"endAlert":{"title":"Ready","body":"Drink"},\
      "start":{"afterUSec":60000000},"endAfterUSec":240000000}
      """)
    #expect(try client.state("tea") == "pending")
    try client.advance(seconds: 60)
    #expect(try client.state("tea") == "active")
    try client.advance(seconds: 31)
    #expect(try client.state("tea") == "stale")
    try client.call("Update", #"{"id":"tea","content":{"state":{"cups":3}}}"#)
    #expect(try client.state("tea") == "active")
    try client.advance(seconds: 240)
    #expect(try client.state("tea") == "ended")
    try client.advance(seconds: 4 * 3600)
    #expect(
      try client.story("tea") == [
        "scheduled pending", "started active", "stale stale", "updated stale", "fresh active",
        "ended ended", "alertSettled withdrawn", "alertSettled expired", "dismissed dismissed",
      ])
    let ended = try #require(try client.events("tea").first { $0.text("kind") == "ended" })
    #expect(ended.text("alert", "title") == "Ready")
    #expect(ended.text("dueDate") == "2026-12-01T12:05:00.000000Z")
    #expect(ended.text("latenessUSec") == "0")
  }

  @Test func aRequestWithoutAStartIsScheduledAndStartedAtOnce() throws {
    let client = try TestDaemon().connect()
    let reply = try client.call("Request", #"{"id":"now"}"#)
    #expect(reply.text("activity", "state") == "active")
    #expect(reply.text("activity", "sequence") == "2")
    #expect(try client.story("now") == ["scheduled pending", "started active"])
  }

  @Test func integersAndTextsComeBackAsTheyWent() throws {
    let client = try TestDaemon().connect()
    let payload =
      #"{"n":9007199254740993,"f":1.0,"e":1e3,"t":"😀 שלום \u0041","z":-9223372036854775808}"#
    try client.call("Request", #"{"id":"p","attributes":\#(payload)}"#)
    let kept = try client.call("Get", #"{"id":"p"}"#)["activity"]?["attributes"]?.text?.string
    #expect(kept == payload)
  }

  @Test func anAcknowledgedActivitySurvivesKill() throws {
    let daemon = try TestDaemon()
    var client = try daemon.connect()
    for number in 0..<50 {
      try client.call(
        "Request", #"{"id":"k\#(number)","start":{"at":"2026-12-01T13:00:\#(10 + number)Z"}}"#)
    }
    try client.call("Cancel", #"{"id":"k7"}"#)
    let before = try client.call("List", #"{"states":["pending","dismissed"]}"#).text?.string
    #expect(daemon.stop(9) == -9)
    try daemon.start(clock: "2026-12-01T12:00:00Z")
    client = try daemon.connect()
    let after = try client.call("List", #"{"states":["pending","dismissed"]}"#).text?.string
    #expect(before == after)
  }

  @Test func aStartMissedWhileTheDaemonWasDownComesLateAndSaysSo() throws {
    let daemon = try TestDaemon()
    var client = try daemon.connect()
    try client.call("Request", #"{"id":"late","start":{"at":"2026-12-01T13:00:00Z"}}"#)
    try client.call(
      "Request",
      #"{"id":"missed","start":{"at":"2026-12-01T13:00:00Z"},"startByAfterUSec":60000000}"#)
    #expect(daemon.stop(15) == 0)
    try daemon.start(clock: "2026-12-01T15:00:00Z")
    client = try daemon.connect()
    try client.advance(seconds: 1)
    let late = try client.call("Get", #"{"id":"late"}"#)
    #expect(late.text("activity", "state") == "active")
    #expect(late.text("activity", "latenessUSec") == "7200000000")
    let missed = try client.call("Get", #"{"id":"missed"}"#)
    #expect(missed.text("activity", "state") == "dismissed")
    #expect(missed.text("activity", "reason") == "missed")
  }

  @Test func aBoundActivityEndsWithItsConnection() throws {
    let daemon = try TestDaemon()
    let watcher = try daemon.connect()
    _ = try watcher.watch()
    do {
      let other = try daemon.connect()
      try other.call("Request", #"{"id":"bound","bound":true}"#)
    }
    var event = try watcher.event()
    while event.text("kind") != "ended" { event = try watcher.event() }
    #expect(event.text("reason") == "ownerGone")
  }

  @Test func aSpanOutlivesARebootAndTheFirstStepPutsItBackOnItsClock() throws {
    let daemon = try TestDaemon()
    var client = try daemon.connect()
    try client.call("Request", #"{"id":"s","start":{"afterUSec":3600000000}}"#)
    daemon.stop(9)
    // Half an hour later by the wall clock, in another boot.
    try daemon.start(clock: "2026-12-01T12:30:00Z")
    client = try daemon.connect()
    #expect(
      try client.call("Get", #"{"id":"s"}"#).text("activity", "startDate")
        == "2026-12-01T13:00:00.000000Z")
    // The clock turns out to be ten minutes slow: that is what was left of the span.
    try client.call("io.lasched.TestClock.Step", #"{"byUSec":600000000}"#)
    // From here on no step moves it.
    try client.call("io.lasched.TestClock.Step", #"{"byUSec":86400000000}"#)
    #expect(try client.state("s") == "pending")
    try client.advance(seconds: 20 * 60)
    #expect(try client.state("s") == "active")
  }
}
