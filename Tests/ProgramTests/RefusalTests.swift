import Testing

/// What the daemon refuses, as people, scripts and programs hear of it.
@Suite struct RefusalTests {
  @Test(
    arguments: [
      ("NoSuchActivity", #"{"id":"x"}"#, 66, "there is no activity 'x' (NoSuchActivity)"),
      (
        "ActivityExists", #"{"id":"x","session":2,"state":"active"}"#, 1,
        "'x' is active already (session 2) (ActivityExists)"
      ),
      (
        "ActivityOver", #"{"id":"x","session":2,"state":"dismissed","reason":"cancelled"}"#, 1,
        "(ActivityOver)"
      ),
      ("AlreadyStarted", #"{"id":"x","session":2,"state":"active"}"#, 1, "(AlreadyStarted)"),
      ("Conflict", #"{"id":"x","session":2,"sequence":9}"#, 1, "(Conflict)"),
      ("NoSuchAction", #"{"action":"go"}"#, 1, "(NoSuchAction)"),
      (
        "StartDateNotInFuture",
        #"{"startDate":"2026-11-30T09:00:00Z","now":"2026-11-30T10:00:00Z"}"#, 1,
        "(StartDateNotInFuture)"
      ),
      (
        "InvalidDate", #"{"field":"endDate","value":"x","why":"it comes before the start"}"#, 65,
        "endDate 'x': it comes before the start (InvalidDate)"
      ),
      (
        "Outdated", #"{"timestamp":"2026-11-30T09:00:00Z","applied":"2026-11-30T10:00:00Z"}"#, 1,
        "(Outdated)"
      ),
      ("RemoteUpdatesStopped", #"{"id":"x"}"#, 1, "(RemoteUpdatesStopped)"),
      (
        "PayloadTooLarge", #"{"bytes":5000,"limit":4096}"#, 1,
        "5000 bytes; at most 4096 are taken (PayloadTooLarge)"
      ),
      ("TooManyActivities", #"{"limit":10}"#, 1, "(TooManyActivities)"),
      ("TooManyRequests", #"{"retryAfterUSec":5000}"#, 75, "try again in 5 ms (TooManyRequests)"),
      ("NotPermitted", #"{"why":"root only"}"#, 77, "not permitted: root only (NotPermitted)"),
      ("ActivitiesDisabled", "{}", 1, "(ActivitiesDisabled)"),
      ("StoreUnavailable", #"{"why":"disk full"}"#, 75, "disk full (StoreUnavailable)"),
      (
        "org.varlink.service.InvalidParameter", #"{"parameter":"content.stalDate"}"#, 65,
        "(InvalidParameter)"
      ),
      ("org.varlink.service.PermissionDenied", "{}", 77, "(PermissionDenied)"),
      ("FromTheFuture", #"{"a":1}"#, 1, "(FromTheFuture)"),
    ] as [(String, String, Int32, String)])
  func anErrorIsOneLineAndACode(
    _ name: String, _ parameters: String, _ status: Int32, _ text: String
  ) {
    let daemon = FakeDaemon(["End": .error(name, parameters)])
    let outcome = ctl(["end", "x"], serving: daemon)
    #expect(outcome.status == status, "\(outcome)")
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains(text), "\(outcome)")
    #expect(outcome.errors.filter { $0 == "\n" }.count == 1)
    let json = ctl(["end", "x", "--json=short"], serving: daemon)
    #expect(json.status == status)
    let full = name.contains(".") ? name : "io.lasched.LiveActivities." + name
    #expect(json.errors == #"{"error":"\#(full)","parameters":\#(parameters)}"# + "\n")
  }

  @Test func severalIDsAreAllTried() {
    let daemon = FakeDaemon(["Cancel": .error("NoSuchActivity", #"{"id":"x"}"#)])
    let outcome = ctl(["cancel", "x", "y", "z"], serving: daemon)
    #expect(outcome.status == 66)
    #expect(outcome.errors.filter { $0 == "\n" }.count == 3)
    #expect(daemon.calls.count == 3)
    let mixed = ctl(["cancel", "x", "bad\u{7}id"], serving: daemon)
    #expect(mixed.status == 1, "\(mixed)")
    #expect(mixed.errors.contains("the control character U+7"))
  }

  @Test func ignoreMissingForgivesWhatIsUnknownOrGone() {
    for error in ["NoSuchActivity", "ActivityOver"] {
      let daemon = FakeDaemon([
        "Cancel": .error(error, #"{"id":"x","session":1,"state":"dismissed"}"#)
      ])
      #expect(ctl(["cancel", "x", "y", "--ignore-missing"], serving: daemon).status == 0)
    }
    let daemon = FakeDaemon(["Cancel": .error("NotPermitted", #"{"why":"no"}"#)])
    #expect(ctl(["cancel", "x", "--ignore-missing"], serving: daemon).status == 77)
  }

  @Test func aDaemonThatGoesAwayIsNotReachable() {
    let daemon = FakeDaemon(["End": .close])
    let outcome = ctl(["end", "x"], serving: daemon)
    #expect(outcome.status == 69)
    #expect(outcome.errors.contains("closed the connection"))
  }

  @Test func aReplyThatIsNoneIsSaid() {
    let daemon = FakeDaemon(["End": .reply(#"{"applied":"many"}"#)])
    let outcome = ctl(["end", "x"], serving: daemon)
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("not understood"))
  }

  @Test func aClockThatRunsByItselfCannotBeMoved() {
    let daemon = FakeDaemon([
      "Advance": .error(
        "org.varlink.service.InterfaceNotFound", #"{"interface":"io.lasched.TestClock"}"#)
    ])
    let outcome = ctl(["clock", "advance", "1h"], serving: daemon)
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("'laschedctl test -- COMMAND'"))
  }

  @Test func isActiveKnowsOnlyTwoAnswers() {
    for (state, status) in [("active", 0), ("stale", 0), ("pending", 3), ("ended", 3)]
      as [(String, Int32)]
    {
      let daemon = FakeDaemon(["Get": .reply(#"{"activity":\#(activityText("x", state: state))}"#)])
      let outcome = ctl(["is-active", "x"], serving: daemon)
      #expect(outcome.status == status)
      #expect(outcome.output == state + "\n")
      #expect(ctl(["-q", "is-active", "x"], serving: daemon).output.isEmpty)
    }
    let daemon = FakeDaemon(["Get": .error("NoSuchActivity", #"{"id":"x"}"#)])
    let outcome = ctl(["is-active", "x"], serving: daemon)
    #expect(outcome.status == 3)
    #expect(outcome.output == "unknown\n")
  }
}
