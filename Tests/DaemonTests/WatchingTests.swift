import Glibc
import JSON
import Testing

@Suite struct Watching {
  @Test func aWatcherSeesWhatThereIsThenWhatHappens() throws {
    let daemon = try TestDaemon()
    let client = try daemon.connect()
    try client.call("Request", #"{"id":"a"}"#)
    let watcher = try daemon.connect()
    let before = try watcher.watch()
    #expect(before.first?.text("snapshot", "id") == "a")
    #expect(before.last?.text("ready", "resumed") == "false")
    try client.call("Cancel", #"{"id":"a"}"#)
    #expect(try watcher.event().text("kind") == "dismissed")
  }

  @Test func aWatcherResumesWithoutAGapOrARepeatAcrossARestart() throws {
    let daemon = try TestDaemon()
    var client = try daemon.connect()
    try client.call("Request", #"{"id":"a"}"#)
    let ready = try daemon.connect().watch().last
    let store = ready?.text("ready", "store") ?? ""
    let since = ready?.text("ready", "sequence") ?? ""
    try client.call("Update", #"{"id":"a","content":{"state":{"n":1}}}"#)
    daemon.stop(SIGKILL)
    try daemon.start(clock: "2026-12-01T12:00:00Z")
    client = try daemon.connect()
    try client.call("Cancel", #"{"id":"a"}"#)
    let watcher = try daemon.connect()
    let missed = try watcher.watch(#"{"since":\#(since),"store":"\#(store)"}"#)
    #expect(missed.compactMap { $0.text("event", "kind") } == ["updated", "dismissed"])
    #expect(missed.last?.text("ready", "resumed") == "true")
    let other = try daemon.connect().watch(#"{"since":\#(since),"store":"another"}"#)
    #expect(other.last?.text("ready", "resumed") == "false")
  }

  @Test func aReplayedEventEqualsTheLiveOne() throws {
    let daemon = try TestDaemon()
    let client = try daemon.connect()
    let watcher = try daemon.connect()
    _ = try watcher.watch()
    try client.call(
      "Request",
      """
      {"id":"r","attributes":{"a":1},"content":{"state":{"s":0},"relevanceScore":2.5},\
      "alert":{"title":"T","body":"B"},"start":{"afterUSec":5000000},"endAfterUSec":60000000}
      """)
    try client.call("Update", #"{"id":"r","patch":{"s":1},"alert":{"title":"U","body":""}}"#)
    try client.advance(seconds: 10)
    try client.call("Update", #"{"id":"r","patch":{"s":2},"alert":{"title":"V","body":""}}"#)
    try client.call("Reschedule", #"{"id":"r","endAfterUSec":120000000}"#)
    try client.call(
      "End", #"{"id":"r","content":{"state":{"s":3}},"alert":{"title":"W","body":""}}"#)
    try client.call("Cancel", #"{"id":"r"}"#)
    var live: [String?] = []
    while live.count < 10 { live.append(try watcher.event().text?.string) }
    let replayed = try client.events("r").map { $0.text?.string }
    #expect(replayed == live)
  }

  @Test func anAgentIsOfferedWhatNobodyHasSettled() throws {
    let daemon = try TestDaemon()
    let client = try daemon.connect()
    try client.call("Request", #"{"id":"a","alert":{"title":"A","body":""}}"#)
    let agent = try daemon.connect()
    _ = try agent.watch(#"{"alerts":true}"#)
    let offer = try agent.event()
    #expect(offer.text("alert", "title") == "A")
    let sequence = offer.text("sequence") ?? ""
    #expect(try client.call("GetStatus").text("alertAgents") == "1")
    try client.call("ConfirmAlert", #"{"sequence":\#(sequence),"outcome":"shown"}"#)
    #expect(try agent.event().text("alertOutcome") == "shown")
    // Of a settled alert: no effect.
    try client.call("ConfirmAlert", #"{"sequence":\#(sequence),"outcome":"failed"}"#)
    let date = try client.call("SnoozeAlert", #"{"sequence":\#(sequence),"forUSec":300000000}"#)
    #expect(date.text("date") == "2026-12-01T12:05:00.000000Z")
    try client.advance(seconds: 300)
    #expect(try agent.event().text("kind") == "alertSnoozed")
    let again = try agent.event()
    #expect(again.text("alert", "title") == "A")
    #expect(again.text("alertSequence") == sequence)
    try client.call("Cancel", #"{"id":"a"}"#)
    #expect(try agent.event().text("kind") == "dismissed")
    #expect(try agent.event().text("alertOutcome") == "withdrawn")
    #expect(throws: Refused.named("NoSuchAlert")) {
      try client.call("ConfirmAlert", #"{"sequence":1,"outcome":"shown"}"#)
    }
  }

  @Test func aStepOfTheClockIsAnEventAndComesWithTheReply() throws {
    let daemon = try TestDaemon()
    let client = try daemon.connect()
    let watcher = try daemon.connect()
    _ = try watcher.watch()
    let moved = try client.call("io.lasched.TestClock.Step", #"{"byUSec":-86400000000}"#)
    #expect(moved.text("wall") == "2026-11-30T12:00:00.000000Z")
    #expect(moved.text("events") == "1")
    #expect(try watcher.event().text("stepUSec") == "-86400000000")
    // Less than the threshold is no event.
    #expect(
      try client.call("io.lasched.TestClock.Step", #"{"byUSec":500000}"#).text("events") == "0")
  }

  @Test func deadlinesSleptThroughFireOnceAndInOrder() throws {
    let client = try TestDaemon().connect()
    try client.call(
      "Request",
      #"{"id":"s","start":{"afterUSec":60000000},"staleAfterUSec":60000000}"#)
    try client.call("io.lasched.TestClock.Suspend", #"{"forUSec":3600000000}"#)
    #expect(
      try client.story("s") == ["scheduled pending", "started active", "stale stale"])
    let started = try client.events("s")[1]
    #expect(started.text("dueDate") == "2026-12-01T12:01:00.000000Z")
    #expect(started.text("latenessUSec") == "3540000000")
  }
}
