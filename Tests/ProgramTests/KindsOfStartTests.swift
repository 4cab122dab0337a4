import Testing

/// What `--at`, `--zone` and `--allow-past` ask the daemon for.
@Suite struct KindsOfStartTests {
  private func start(_ arguments: String..., environment: [String: String] = [:]) -> String {
    let daemon = FakeDaemon(["Request": .reply(#"{"activity":\#(activityText()),"created":true}"#)]
    )
    let outcome = ctl(
      ["schedule", "x", "--title", "T"] + arguments, serving: daemon, environment: environment)
    guard let sent = daemon.calls.last?.parameters, let begin = sent.firstRange(of: #""start":"#)
    else { return "\(outcome.status) \(outcome.errors)" }
    let rest = sent[begin.upperBound...]
    return String(rest[...(rest.firstIndex(of: "}") ?? rest.startIndex)])
  }

  @Test func aWallTimeStaysOne() {
    #expect(
      start("--at", "2026-12-01 18:30")
        == #"{"local":"2026-12-01T18:30:00","zone":"Europe/Berlin"}"#)
    #expect(
      start("--at", "2026-12-01 18:30", "--zone", "Asia/Tokyo")
        == #"{"local":"2026-12-01T18:30:00","zone":"Asia/Tokyo"}"#)
    #expect(
      start("--at", "tomorrow 09:00 America/New_York + 2h")
        == #"{"local":"2026-12-01T11:00:00","zone":"America/New_York"}"#)
    #expect(
      start("--at", "2027-10-31T02:30+01:00[Europe/Berlin]")
        == #"{"local":"2027-10-31T02:30:00","zone":"Europe/Berlin","ofTwo":"second"}"#)
    #expect(
      start("--at", "2027-10-31 02:30 CEST")
        == #"{"local":"2027-10-31T02:30:00","zone":"Europe/Berlin"}"#)
  }

  @Test func anInstantStaysOne() {
    #expect(start("--at", "2026-12-01T18:30Z") == #"{"at":"2026-12-01T18:30:00.000000Z"}"#)
    #expect(start("--at", "2026-12-01 18:30 +01:00") == #"{"at":"2026-12-01T17:30:00.000000Z"}"#)
    #expect(start("--at", "@1893456000") == #"{"at":"2030-01-01T00:00:00.000000Z"}"#)
    #expect(start("--at", "2026-12-01 18:30 UTC") == #"{"at":"2026-12-01T18:30:00.000000Z"}"#)
    #expect(start("--at", "25min") == #"{"afterUSec":1500000000}"#)
    // A zone that has no name cannot be asked for again.
    #expect(
      start("--at", "2026-12-01 18:30", environment: ["TZ": "<+03>-3"])
        == #"{"at":"2026-12-01T15:30:00.000000Z"}"#)
  }

  @Test func aFloatingStartIsReadWhereTheDaemonIs() {
    #expect(
      start("--at", "2026-12-01 18:30", "--zone", "floating")
        == #"{"local":"2026-12-01T18:30:00","floating":true}"#)
    #expect(start("--at", "25min", "--zone", "floating").hasPrefix("64 "))
    #expect(start("--at", "18:30 Europe/Berlin", "--zone", "floating").hasPrefix("64 "))
    #expect(start("--at", "2026-12-01T18:30Z", "--zone", "floating").hasPrefix("64 "))
  }

  @Test func rescheduleAsksTheSame() {
    let daemon = FakeDaemon(["Reschedule": .reply(#"{"activity":\#(activityText())}"#)])
    _ = ctl(["reschedule", "x", "--at", "2026-12-01 18:30"], serving: daemon)
    #expect(
      daemon.calls.last?.parameters.contains(
        #""start":{"local":"2026-12-01T18:30:00","zone":"Europe/Berlin"}"#) == true)
  }

  @Test func aStartThatIsPastIsSkippedIfAsked() {
    let refusal = FakeDaemon.Answer.error(
      "io.lasched.LiveActivities.StartDateNotInFuture",
      #"{"startDate":"2026-11-30T09:00:00.000000Z","now":"2026-11-30T10:00:00.000000Z"}"#)
    let daemon = FakeDaemon(["Request": refusal])
    let words = ["schedule", "x", "--at", "today 10:00", "--title", "T"]
    #expect(ctl(words, serving: daemon).status == 1)
    let skipped = ctl(words + ["--allow-past", "skip"], serving: daemon)
    #expect(skipped.status == 0)
    #expect(skipped.output.isEmpty)
    #expect(skipped.errors.hasPrefix("nothing was made: "))
    #expect(daemon.calls.last?.parameters.contains("allowPast") == false)
    let json = ctl(words + ["--allow-past=skip", "--json=short"], serving: daemon)
    #expect(json.output == #"{"created":false,"skipped":true}"# + "\n")
    #expect(ctl(words + ["--allow-past", "start"], serving: daemon).status == 1)
    #expect(daemon.calls.last?.parameters.contains(#""allowPast":true"#) == true)
    #expect(ctl(words + ["--allow-past", "maybe"], serving: daemon).status == 64)
  }

  @Test func aLateStartSaysHowLate() {
    let activity = activityText(
      "x", state: "active",
      more: #","startDate":"2026-11-30T09:00:00.000000Z","latenessUSec":3600000000"#)
    let daemon = FakeDaemon(["Request": .reply(#"{"activity":\#(activity),"created":true}"#)])
    let outcome = ctl(
      ["schedule", "x", "--at", "today 10:00", "--title", "T", "--allow-past", "start"],
      serving: daemon)
    #expect(outcome.errors.contains("its start was past: it began 1h late"))
  }
}
