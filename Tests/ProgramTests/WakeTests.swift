import Testing

/// `--wake`, as people meet it. The clock is at Monday, 2026-11-30 11:00 in Berlin.
@Suite struct WakeTests {
  private let words = ["schedule", "up", "--at", "tomorrow 07:00", "--title", "Up", "--wake"]

  @Test func itIsAskedForAndShown() throws {
    let ground = try Ground()
    let made = ctl(words, socket: ground.socket)
    #expect(made.status == 0 && made.output == "up\n", "\(made)")
    #expect(made.errors.contains("  wakes   this machine from suspend"), "\(made)")
    #expect(!made.errors.contains("warning"), "\(made)")
    #expect(ground("show", "up", "-p", "wake").output == "wake=true\n")
    #expect(ground("status").output.contains("nextWakeDate=2026-12-01T06:00:00.000000Z"))
    #expect(ground("doctor").output.contains("ok    the daemon can wake this machine"))
    let slept = ground("clock", "suspend", "2d")
    #expect(slept.output.contains("\tstarted\t"), "\(slept)")
    #expect(!slept.output.contains("late"), "\(slept)")
  }

  @Test func whatKeepsItFromThatIsOneLine() {
    let daemon = FakeDaemon([
      "Request": .reply(
        #"{"activity":\#(activityText("up", more: #","wake":true"#)),"created":true,"#
          + #""wakeProblem":"no \u001b[31mclock"}"#)
    ])
    let made = ctl(words, serving: daemon)
    #expect(made.status == 0 && made.output == "up\n", "\(made)")
    let warnings = made.errors.split(separator: "\n").filter { $0.hasPrefix("warning: ") }
    #expect(warnings.count == 1, "\(made)")
    #expect(warnings.first?.hasPrefix("warning: it cannot wake this machine: no ") == true)
    #expect(!made.errors.contains("\u{1b}"), "\(made)")
    #expect(daemon.calls.last?.parameters.contains(#""wake":true"#) == true)
    let plain = FakeDaemon(["Request": .reply(#"{"activity":\#(activityText()),"created":true}"#)])
    _ = ctl(Array(words.dropLast()), serving: plain)
    #expect(plain.calls.last?.parameters.contains("wake") == false)
  }

  @Test func aRefusalSaysWhy() {
    let daemon = FakeDaemon([
      "Request": .error("io.lasched.LiveActivities.WakeUnavailable", #"{"why":"no clock"}"#)
    ])
    let refused = ctl(words, serving: daemon)
    #expect(refused.status == 1 && refused.output.isEmpty, "\(refused)")
    #expect(refused.errors.contains("it cannot wake this machine: no clock (WakeUnavailable)"))
  }

  @Test func doctorTellsWhetherSomethingAsksForIt() {
    func doctor(_ more: String) -> String {
      let status = FakeDaemon.status.replacing(
        "\"alertAgents\":0", with: "\"alertAgents\":0" + more)
      return ctl(["doctor"], serving: FakeDaemon(["GetStatus": .reply(status)])).output
    }
    #expect(doctor("").contains("ok    the daemon can wake this machine"))
    #expect(doctor(#","wakeProblem":"no clock""#).contains("note  nothing can wake this machine"))
    #expect(
      doctor(#","wakeProblem":"no clock","nextWakeDate":"2026-12-01T06:00:00Z""#)
        .contains("wrong something is to wake this machine at 2026-12-01T06:00:00Z, but no clock"))
  }
}
