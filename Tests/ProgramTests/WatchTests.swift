import Glibc
import Testing

/// `watch`, in a pipe and on a terminal.
@Suite struct WatchTests {
  private static let ready = #"{"ready":{"sequence":7,"store":"abc","resumed":false}}"#

  private static func event(_ sequence: Int, _ kind: String = "updated") -> String {
    """
    {"event":{"sequence":\(sequence),"date":"2026-11-30T10:00:00.000000Z","kind":"\(kind)",\
    "id":"match","owner":0,"session":1}}
    """
  }

  private func start(_ daemon: FakeDaemon, _ words: [String] = []) -> RunningProgram {
    RunningProgram(
      [Programs.laschedctl, "watch"] + words,
      environment: ctlEnvironment(["LASCHED_SOCKET": daemon.path]))
  }

  @Test func inAPipeItIsAnEventALine() throws {
    let snapshot = #"{"snapshot":\#(activityText())}"#
    let daemon = FakeDaemon(["Monitor": .open([snapshot, Self.ready, Self.event(8)])])
    let program = start(daemon)
    let line = program.expect("\n", serving: daemon)
    #expect(line == "8\t2026-11-30T10:00:00Z\troot\tmatch\t1\tupdated\t-\t\n")
    #expect(program.expect("from event 7\n", inErrors: true, serving: daemon) != nil)
    daemon.say(#"{"parameters":\#(Self.event(9, "ended")),"continues":true}"#)
    #expect(program.expect("\tended\t", serving: daemon) != nil)
    program.signal(SIGTERM)
    #expect(program.finish(serving: daemon).status == 128 + SIGTERM)
  }

  @Test func withJSONItIsAnEventALineToo() throws {
    let daemon = FakeDaemon(["Monitor": .open([Self.ready, Self.event(8)])])
    let program = start(daemon, ["--json", "match"])
    let line = try #require(program.expect("\n", serving: daemon))
    #expect(line == String(Self.event(8).dropFirst(9).dropLast()) + "\n")
    #expect(daemon.calls.first?.parameters.contains(#""ids":["match"]"#) == true)
    program.signal(SIGINT)
    #expect(program.finish().status == 128 + SIGINT)
  }

  @Test func itResumesByNumberAfterARestart() {
    let daemon = FakeDaemon(["Monitor": .open([Self.ready, Self.event(12)])])
    let program = start(daemon)
    #expect(program.expect("12\t", serving: daemon) != nil)
    daemon.answers["Monitor"] = .open([
      Self.event(13), #"{"ready":{"sequence":13,"store":"abc","resumed":true}}"#,
    ])
    daemon.closeConnections()
    #expect(program.expect("the daemon went away", inErrors: true, serving: daemon) != nil)
    #expect(program.expect("13\t", serving: daemon) != nil)
    #expect(program.expect("resumed, up to event 13", inErrors: true, serving: daemon) != nil)
    let again = daemon.calls.last { $0.method == "Monitor" }
    #expect(again?.parameters.contains(#""since":12,"store":"abc""#) == true)
    daemon.answers["Monitor"] = .open([
      #"{"ready":{"sequence":2,"store":"other","resumed":false}}"#
    ])
    daemon.closeConnections()
    #expect(
      program.expect("what happened meanwhile is not known", inErrors: true, serving: daemon) != nil
    )
  }

  @Test func anOfferedAlertDoesNotMoveTheNumberBack() {
    let daemon = FakeDaemon(["Monitor": .open([Self.ready, Self.event(12), Self.event(9)])])
    let program = start(daemon)
    #expect(program.expect("9\t", serving: daemon) != nil)
    daemon.closeConnections()
    #expect(program.expect("from event", inErrors: true, serving: daemon) != nil)
    #expect(program.expect("the daemon is back", inErrors: true, serving: daemon) != nil)
    let again = daemon.calls.last { $0.method == "Monitor" }
    #expect(again?.parameters.contains(#""since":12"#) == true)
  }

  @Test func whatTheDaemonRefusesEndsIt() {
    let daemon = FakeDaemon(["Monitor": .error("NotPermitted", #"{"why":"no"}"#)])
    #expect(start(daemon).finish(serving: daemon).status == 77)
  }
}
