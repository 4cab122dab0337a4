import Glibc
import Testing

/// `run` and `test`, against the real daemon.
@Suite struct RunTests {
  private func start(_ ground: Ground, _ words: String...) -> RunningProgram {
    RunningProgram(
      [Programs.laschedctl, "run"] + words,
      environment: ctlEnvironment(["LASCHED_SOCKET": ground.socket]))
  }

  @Test func theActivityLastsAsLongAsTheCommand() throws {
    let ground = try Ground()
    let program = start(ground, "job", "--title", "Build", "--end-title", "Built", "--", "cat")
    #expect(program.expect("job is active while it runs\n", inErrors: true) != nil)
    #expect(ground("is-active", "job").status == 0)
    #expect(
      ground("show", "job", "-p", "attributes", "--value").output == "{\"command\":\"cat\"}\n")
    program.send("through\n")
    let outcome = program.finish()
    #expect(outcome.status == 0)
    #expect(outcome.output == "through\n")
    let history = ground("history", "job").lines.first { $0.contains("\tended\t") } ?? ""
    #expect(history.contains("\tended\tactive>ended\treason=ended alert=\"Built\""), "\(history)")
    #expect(history.contains("content={\"exitStatus\":0}"))
  }

  @Test(
    arguments: [
      ("exit 7", 7, #"{"exitStatus":7}"#), ("kill -9 $$", 137, #"{"exitStatus":137,"signal":9}"#),
      (
        #"laschedctl update "$LASCHED_ACTIVITY_ID" --set step=2"#, 0,
        #"{"step":"2","exitStatus":0}"#
      ),
    ] as [(String, Int32, String)])
  func theExitStatusIsTheCommands(_ script: String, _ status: Int32, _ content: String) throws {
    let ground = try Ground()
    let outcome = start(ground, "-q", "job", "--", "/bin/sh", "-c", script).finish()
    #expect(outcome.status == status, "\(outcome)")
    #expect(ground("show", "job", "-p", "content.state", "--value").output == content + "\n")
  }

  @Test func signalsAreHandedOn() throws {
    let ground = try Ground()
    let script = "trap 'echo caught; kill $!; exit 9' TERM; sleep 30 >&- 2>&- & echo up; wait"
    let program = start(ground, "job", "--", "/bin/sh", "-c", script)
    #expect(program.expect("up\n") != nil)
    program.signal(SIGTERM)
    #expect(program.expect("caught\n") != nil)
    #expect(program.finish().status == 9)
    let killed = start(ground, "job", "--", "cat")
    #expect(killed.expect("while it runs\n", inErrors: true) != nil)
    killed.signal(SIGINT)
    #expect(killed.expect("never", serving: nil) == nil)
    #expect(killed.finish().status == 128 + SIGINT)
  }

  @Test func whatIsIgnoredStaysIgnored() throws {
    let ground = try Ground()
    let program = RunningProgram(
      [
        "/usr/bin/nohup", Programs.laschedctl, "run", "job", "--", "/bin/sh", "-c",
        "echo up; read x; echo still here",
      ], environment: ctlEnvironment(["LASCHED_SOCKET": ground.socket]))
    #expect(program.expect("up\n") != nil)
    program.signal(SIGHUP)
    program.send("x\n")
    let outcome = program.finish()
    #expect(outcome.status == 0)
    #expect(outcome.output == "still here\n")
  }

  @Test func argumentsAreHandedOnByteForByte() throws {
    let ground = try Ground()
    let script =
      #"laschedctl -q run job -- printf '[%s]' "a b" '' "$(printf '\377')" -- --help | od -An -c"#
    let outcome = RunningProgram(
      ["/bin/sh", "-c", script], environment: ctlEnvironment(["LASCHED_SOCKET": ground.socket])
    ).finish()
    let bytes = outcome.output.split(whereSeparator: \.isWhitespace).joined()
    #expect(bytes == "[ab][][377][--][--help]", "\(outcome)")
  }

  @Test func withoutADaemonTheCommandIsNotRun() {
    let outcome = ctl(["run", "--", "echo", "ran"])
    #expect(outcome.status == 69)
    #expect(outcome.output.isEmpty)
  }

  @Test func itOutlivesTheDaemonAndAsksAgain() {
    let daemon = FakeDaemon([
      "Request": .reply(#"{"activity":\#(activityText("job", state: "active")),"created":true}"#),
      "End": .reply(#"{"applied":1,"skipped":0}"#),
    ])
    let program = RunningProgram(
      [Programs.laschedctl, "run", "--title", "T", "--", "cat"],
      environment: ctlEnvironment(["LASCHED_SOCKET": daemon.path]))
    #expect(program.expect("while it runs\n", inErrors: true, serving: daemon) != nil)
    #expect(daemon.calls.last?.parameters.contains("\"bound\":true") == true)
    daemon.closeConnections()
    #expect(program.expect("the daemon went away", inErrors: true, serving: daemon) != nil)
    #expect(
      program.expect(
        "the daemon is back; job goes on as session 1", inErrors: true, serving: daemon)
        != nil)
    #expect(daemon.calls.last?.parameters.hasPrefix("{\"id\":\"job\",") == true)
    #expect(daemon.calls.last?.parameters.contains("alert") == false)
    #expect(program.finish(serving: daemon).status == 0)
    #expect(daemon.calls.last?.method == "End")
  }

  @Test func aDaemonGoneAtTheEndIsSaid() {
    let daemon = FakeDaemon([
      "Request": .reply(#"{"activity":\#(activityText("job", state: "active")),"created":true}"#)
    ])
    let program = RunningProgram(
      [Programs.laschedctl, "run", "--", "/bin/sh", "-c", "read x; exit 3"],
      environment: ctlEnvironment(["LASCHED_SOCKET": daemon.path]))
    #expect(program.expect("while it runs\n", inErrors: true, serving: daemon) != nil)
    daemon.answers["Request"] = .close
    daemon.closeConnections()
    #expect(program.expect("the daemon went away", inErrors: true, serving: daemon) != nil)
    let outcome = program.finish(serving: daemon)
    #expect(outcome.status == 3)
    #expect(outcome.errors.contains("nobody was told that the command ended (exit status 3)"))
  }
}

/// `test`: a private daemon for a command.
@Suite struct TestVerbTests {
  private func test(_ words: [String], environment: [String: String] = [:]) -> RunningProgram {
    RunningProgram(
      [Programs.laschedctl, "test"] + words, environment: ctlEnvironment(environment))
  }

  @Test(arguments: [("exit 0", 0), ("exit 5", 5), ("kill -TERM $$", 143)] as [(String, Int32)])
  func theExitStatusIsTheCommands(_ script: String, _ status: Int32) {
    #expect(test(["--", "/bin/sh", "-c", script]).finish().status == status)
  }

  @Test func nothingIsLeft() {
    let directory = Directory()
    let program = test(
      ["--", "/bin/sh", "-c", "laschedctl start x; ls -d $LASCHED_SOCKET; read x; exit 4"],
      environment: ["TMPDIR": directory.path])
    let socket = program.expect("/socket\n")
    #expect(socket?.contains(directory.path) == true)
    #expect(directory.names.count == 1)
    #expect(program.finish().status == 4)
    #expect(directory.names.isEmpty)
  }

  @Test func aSignalEndsTheCommandAndThenTheDaemon() {
    let directory = Directory()
    let program = test(
      ["--", "/bin/sh", "-c", "echo up; exec cat"], environment: ["TMPDIR": directory.path])
    #expect(program.expect("up\n") != nil)
    program.signal(SIGTERM)
    #expect(program.expect("never") == nil)
    #expect(program.finish().status == 128 + SIGTERM)
    #expect(directory.names.isEmpty)
  }

  @Test func clockAndZoneAreWhatIsAskedFor() {
    let outcome = test([
      "--clock", "2030-07-01 12:00", "--zone", "America/New_York", "--", "/bin/sh", "-c",
      "echo $TZ; laschedctl clock now; laschedctl schedule --at 13:00 --title T",
    ]).finish()
    #expect(outcome.lines.prefix(2) == ["America/New_York", "2030-07-01T16:00:00Z"], "\(outcome)")
    #expect(outcome.errors.contains("starts  Mon 2030-07-01 13:00:00 EDT"))
  }

  @Test func withoutADaemonToStartItSaysSo() {
    let missing = test(["--", "true"], environment: ["LASCHED_DAEMON": "/nonexistent/lasched"])
    let outcome = missing.finish()
    #expect(outcome.status == 127)
    #expect(outcome.errors.contains("/nonexistent/lasched"))
    let broken = test(["--", "true"], environment: ["LASCHED_DAEMON": "/bin/false"]).finish()
    #expect(broken.status == 69)
    #expect(broken.errors.contains("did not start (exit status 1)"))
  }

  @Test func ctrlCIsForTheCommandAlone() {
    let script = """
      trap 'laschedctl status >/dev/null && echo alive; kill $!; exit 3' INT
      sleep 30 <&- >&- 2>&- & echo up; wait
      """
    let program = RunningProgram(
      [Programs.laschedctl, "test", "--", "/bin/sh", "-c", script],
      environment: ctlEnvironment(), terminal: (80, 24))
    #expect(program.expect("up\r\n") != nil)
    program.send("\u{3}")
    #expect(program.expect("alive\r\n") != nil)
    #expect(program.finish().status == 3)
  }

  @Test func itNeedsNoSetpriv() {
    let directory = Directory()
    directory.write("setpriv", "#!/bin/sh\necho no --pdeathsig here >&2; exit 1\n", mode: 0o700)
    let path = directory.path + ":" + Programs.directory + ":/usr/bin:/bin"
    #expect(test(["--", "true"], environment: ["PATH": path]).finish().status == 0)
    #expect(
      test(["--", "/bin/true"], environment: ["PATH": Programs.directory]).finish().status == 0)
  }

  @Test func theDaemonDoesNotOutliveIt() {
    let directory = Directory()
    let program = test(
      ["--", "/bin/sh", "-c", "echo $LASCHED_SOCKET; exec cat"],
      environment: ["TMPDIR": directory.path])
    let socket = String((program.expect("/socket\n") ?? "").dropLast())
    #expect(ctl(["status"], socket: socket).status == 0)
    program.signal(SIGKILL)
    #expect(program.finish().status == 128 + SIGKILL)
    let deadline = monotonicMilliseconds() + RunningProgram.patience
    var status: Int32 = 0
    while status != 69, monotonicMilliseconds() < deadline {
      status = ctl(["status"], socket: socket).status
    }
    #expect(status == 69)
  }

  @Test func theDemoSeesItAllHappen() {
    let directory = Directory()
    let program = RunningProgram(
      [Programs.laschedctl, "demo"], environment: ctlEnvironment(["TMPDIR": directory.path]))
    let outcome = program.finish()
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output.contains("All of it was seen to happen"))
    #expect(directory.names.isEmpty)
  }
}
