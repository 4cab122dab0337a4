import Testing

/// `wait`, against the real daemon.
@Suite struct WaitTests {
  private func start(_ ground: Ground, _ words: String...) -> RunningProgram {
    RunningProgram(
      [Programs.laschedctl, "wait"] + words,
      environment: ctlEnvironment(["LASCHED_SOCKET": ground.socket]))
  }

  @Test func whatIsThereOrHasBeenIsReached() throws {
    let ctl = try Ground()
    #expect(ctl("start", "x", "--stale", "1h", "--for", "2h").status == 0)
    #expect(ctl("wait", "x", "--for", "active").status == 0)
    #expect(ctl("wait", "x", "--for", "stale", "--timeout", "50ms").status == 124)
    #expect(ctl("clock", "advance", "3h").status == 0)
    for goal in ["active", "stale", "ended"] {
      #expect(ctl("wait", "x", "--for", goal).status == 0, "\(goal)")
    }
    #expect(ctl("cancel", "x").status == 0)
    #expect(ctl("wait", "x", "--for", "dismissed").status == 0)
    #expect(ctl("wait", "nobody", "--for", "active").status == 66)
  }

  @Test func whatCanNoLongerComeIsOne() throws {
    let ctl = try Ground()
    #expect(ctl("schedule", "x", "--at", "1h", "--title", "T").status == 0)
    #expect(ctl("cancel", "x").status == 0)
    for goal in ["active", "stale", "ended", "action"] {
      #expect(ctl("wait", "x", "--for", goal).status == 1, "\(goal)")
    }
    #expect(ctl("start", "y").status == 0)
    #expect(ctl("end", "y").status == 0)
    #expect(ctl("wait", "y", "--for", "stale").status == 1)
    #expect(ctl("wait", "y", "--for", "dismissed", "--timeout", "10ms").status == 124)
  }

  @Test func whatComesWhileItWaitsEndsIt() throws {
    let ground = try Ground()
    #expect(ground("schedule", "x", "--at", "1h", "--title", "T").status == 0)
    let waiting = start(ground, "x", "--for", "active")
    #expect(ground("clock", "advance", "1h").status == 0)
    #expect(waiting.finish().status == 0)
    let gone = start(ground, "x", "--for", "stale")
    #expect(ground("cancel", "x").status == 0)
    let outcome = gone.finish()
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("'stale' can no longer come"))
  }

  @Test func anActionIsNamed() throws {
    let ground = try Ground()
    #expect(ground("start", "x", "--action", "ok=Fine", "--action", "no=Not").status == 0)
    let waiting = start(ground, "x", "--for", "action")
    #expect(ground("act", "x", "no").status == 0)
    let outcome = waiting.finish()
    #expect(outcome.status == 0)
    #expect(outcome.output == "no\n")
    #expect(ground("wait", "x", "--for", "action", "--json=short").output == "\"no\"\n")
  }

  @Test func anotherSessionIsNotTheOneWaitedFor() throws {
    let ground = try Ground()
    #expect(ground("schedule", "x", "--at", "1h", "--title", "T").status == 0)
    let waiting = start(ground, "x", "--for", "active")
    #expect(waiting.expect("", serving: nil) != nil)
    #expect(
      ground("start", "x", "--if-exists", "replace").status == 0)
    // Whichever session it found at its start, it tells the truth about that one.
    #expect([0, 1].contains(waiting.finish().status))
    #expect(ground("wait", "x", "--session", "1", "--for", "active").status == 1)
    #expect(ground("wait", "x", "--for", "active").status == 0)
  }
}
