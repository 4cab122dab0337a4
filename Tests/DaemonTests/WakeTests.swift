import JSON
import Testing

/// Activities that wake the machine, through the socket, in mocked time.
@Suite struct WakeTests {
  private func schedule(
    _ client: Client, _ id: String, at hour: Int, wakes: Bool = true, more: String = ""
  ) throws -> JSONNode {
    try client.call(
      "Request",
      #"{"id":"\#(id)","start":{"at":"2026-12-01T\#(hour):00:00Z"},"wake":\#(wakes)\#(more)}"#)
  }

  private func cannotWake(_ client: Client) throws {
    try client.call("io.lasched.TestClock.SetWakeProblem", #"{"problem":"no clock"}"#)
  }

  private func lateness(_ client: Client, _ id: String) throws -> String? {
    try client.call("Get", #"{"id":"\#(id)"}"#).text("activity", "latenessUSec")
  }

  @Test func aSleepingMachineIsWokenForWhatAsksForIt() throws {
    let client = try TestDaemon().connect()
    _ = try schedule(client, "before", at: 13, wakes: false)
    let made = try schedule(client, "alarm", at: 14)
    _ = try schedule(client, "after", at: 15, wakes: false)
    #expect(made.text("activity", "wake") == "true" && made.text("wakeProblem") == nil)
    #expect(try client.call("Get", #"{"id":"before"}"#).text("activity", "wake") == nil)
    let status = try client.call("GetStatus")
    #expect(status.text("nextWakeDate") == "2026-12-01T14:00:00.000000Z")
    #expect(status.text("wakeProblem") == nil)
    // Eight hours, of which it sleeps two: awake it stays.
    try client.call("io.lasched.TestClock.Suspend", #"{"forUSec":28800000000}"#)
    #expect(try lateness(client, "before") == "3600000000")
    #expect(try lateness(client, "alarm") == "0")
    #expect(try lateness(client, "after") == "0")
    #expect(try client.call("GetStatus").text("nextWakeDate") == nil)
    #expect(try client.events("alarm").filter { $0.text("kind") == "started" }.count == 1)
  }

  @Test func whereNothingCanWakeItThatIsSaidAndTheStartIsLate() throws {
    let client = try TestDaemon().connect()
    try cannotWake(client)
    let made = try schedule(client, "alarm", at: 14)
    #expect(made.text("created") == "true" && made.text("wakeProblem") == "no clock")
    #expect(try schedule(client, "alarm", at: 14).text("wakeProblem") == "no clock")
    #expect(try schedule(client, "quiet", at: 14, wakes: false).text("wakeProblem") == nil)
    let status = try client.call("GetStatus")
    #expect(status.text("wakeProblem") == "no clock")
    #expect(status.text("nextWakeDate") == "2026-12-01T14:00:00.000000Z")
    try client.call("io.lasched.TestClock.Suspend", #"{"forUSec":10800000000}"#)
    #expect(try lateness(client, "alarm") == "3600000000")
    try client.call("io.lasched.TestClock.SetWakeProblem")
    #expect(try client.call("GetStatus").text("wakeProblem") == nil)
  }

  @Test func orItIsRefusedAsConfigured() throws {
    let client = try TestDaemon(configuration: "[Clock]\nWake=refuse\n").connect()
    _ = try schedule(client, "possible", at: 14)
    try cannotWake(client)
    #expect(throws: Refused(name: "WakeUnavailable", parameters: #"{"why":"no clock"}"#)) {
      try schedule(client, "alarm", at: 14)
    }
    #expect(throws: Refused.named("NoSuchActivity")) { try client.state("alarm") }
    // What is there already stays, and its own request again is no other.
    #expect(try schedule(client, "possible", at: 14).text("created") == "false")
    _ = try schedule(client, "quiet", at: 14, wakes: false)
    #expect(throws: Refused.named("WakeUnavailable")) {
      try schedule(client, "quiet", at: 14, more: #","ifExists":"update""#)
    }
    #expect(try client.call("Get", #"{"id":"quiet"}"#).text("activity", "wake") == nil)
  }

  @Test func itIsKeptOverARestartAndAFailedCommit() throws {
    let daemon = try TestDaemon()
    let client = try daemon.connect()
    try client.call("io.lasched.TestClock.FailNextCommits", #"{"count":1}"#)
    #expect(throws: Refused.named("StoreUnavailable")) { try schedule(client, "lost", at: 13) }
    #expect(try client.call("GetStatus").text("nextWakeDate") == nil)
    _ = try schedule(client, "kept", at: 14)
    daemon.stop(9)
    try daemon.start(clock: "2026-12-01T12:30:00Z")
    let again = try daemon.connect()
    #expect(try again.call("GetStatus").text("nextWakeDate") == "2026-12-01T14:00:00.000000Z")
    #expect(try again.call("Get", #"{"id":"kept"}"#).text("activity", "wake") == "true")
    _ = try again.call("Request", #"{"id":"kept","ifExists":"update","wake":false}"#)
    #expect(try again.call("GetStatus").text("nextWakeDate") == nil)
    #expect(try again.call("Get", #"{"id":"kept"}"#).text("activity", "wake") == nil)
  }

  @Test func everyOccurrenceOfASeriesWakes() throws {
    let client = try TestDaemon().connect()
    try client.call(
      "Request",
      #"{"id":"tea","wake":true,"endAfterUSec":60000000,"repeat":{"calendar":"16:00 UTC"}}"#)
    for day in 1...3 as ClosedRange<Int> {
      #expect(
        try client.call("GetStatus").text("nextWakeDate") == "2026-12-0\(day)T16:00:00.000000Z")
      try client.call("io.lasched.TestClock.Suspend", #"{"forUSec":86400000000}"#)
    }
    let started = try client.events("tea").filter { $0.text("kind") == "started" }
    #expect(started.map { $0.text("latenessUSec") } == ["0", "0", "0"])
  }

  @Test func aSnoozedAlertWakesLikeAnAlarmClock() throws {
    let client = try TestDaemon().connect()
    _ = try schedule(client, "alarm", at: 13, more: #","alert":{"title":"Up","body":""}"#)
    try client.advance(seconds: 3600)
    let alert = try #require(
      try client.events("alarm").first { $0["alert"] != nil }?.text("sequence"))
    try client.call("SnoozeAlert", #"{"sequence":\#(alert),"forUSec":540000000}"#)
    #expect(try client.call("GetStatus").text("nextWakeDate") == "2026-12-01T13:09:00.000000Z")
    try client.call("io.lasched.TestClock.Suspend", #"{"forUSec":3600000000}"#)
    let again = try client.events("alarm").last { $0["alert"] != nil }
    #expect(again?.text("kind") == "alertSnoozed" && again?.text("latenessUSec") == "0")
  }
}
