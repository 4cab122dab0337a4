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

  @Test func onATerminalItIsALiveTable() throws {
    let ground = try Ground()
    #expect(ground("schedule", "match", "--at", "25min", "--title", "Kick-off").status == 0)
    let program = RunningProgram(
      [Programs.laschedctl, "watch"],
      environment: ctlEnvironment(["LASCHED_SOCKET": ground.socket, "NO_COLOR": "1"]),
      terminal: (100, 20))
    #expect(program.expect("in 25min") != nil)
    #expect(program.expect("Kick-off") != nil)
    #expect(!program.echoes)
    #expect(ground("start", "tea").status == 0)
    #expect(program.expect("tea") != nil)
    program.resize(columns: 60, rows: 10)
    #expect(program.expect("\u{1B}[H") != nil)
    #expect(ground("clock", "advance", "5min").status == 0)
    #expect(ground("update", "tea", "--set", "cup=2").status == 0)
    #expect(program.expect("in 20min") != nil)
    #expect(ground("cancel", "match").status == 0)
    #expect(program.expect("match  dismissed  cancelled") != nil)
    program.send("q")
    #expect(program.expect("\u{1B}[?1049l") != nil)
    #expect(program.echoes)
    #expect(program.finish().status == 0)
  }

  @Test func ctrlZGivesTheTerminalBackForAWhile() throws {
    let daemon = FakeDaemon(["Monitor": .open([Self.ready])])
    let program = RunningProgram(
      [Programs.laschedctl, "watch"],
      environment: ctlEnvironment(["LASCHED_SOCKET": daemon.path]), terminal: (80, 24))
    #expect(program.expect("0 activities", serving: daemon) != nil)
    program.send("\u{1A}")
    #expect(program.expect("\u{1B}[?1049l", serving: daemon) != nil)
    #expect(program.waitUntilStopped())
    program.signal(SIGCONT)
    #expect(program.expect("\u{1B}[?1049h", serving: daemon) != nil)
    #expect(program.expect("0 activities", serving: daemon) != nil)
    program.send("q")
    #expect(program.finish(serving: daemon).status == 0)
  }

  @Test func ctrlCGivesTheTerminalBack() throws {
    let daemon = FakeDaemon(["Monitor": .open([Self.ready])])
    let program = RunningProgram(
      [Programs.laschedctl, "watch"],
      environment: ctlEnvironment(["LASCHED_SOCKET": daemon.path]), terminal: (80, 24))
    #expect(program.expect("0 activities", serving: daemon) != nil)
    program.send("\u{3}")
    #expect(program.expect("\u{1B}[?25h\u{1B}[?1049l", serving: daemon) != nil)
    #expect(program.finish(serving: daemon).status == 0)
  }
}
