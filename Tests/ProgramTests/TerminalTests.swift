import Testing

/// What people see on a terminal.
@Suite struct TerminalTests {
  private func onTerminal(
    _ words: [String], _ daemon: FakeDaemon, columns: UInt16 = 100,
    environment: [String: String] = [:]
  ) -> Outcome {
    var variables = ["LASCHED_SOCKET": daemon.path]
    variables.merge(environment) { $1 }
    let program = RunningProgram(
      [Programs.laschedctl] + words, environment: ctlEnvironment(variables),
      terminal: (columns, 24))
    var outcome = program.finish(serving: daemon)
    outcome.output = outcome.output.replacing("\r\n", with: "\n")
    return outcome
  }

  private static let daemon = [
    "List": FakeDaemon.Answer.replies([
      """
      {"activities":[\(activityText(
        "备份", owner: 0,
        more: #","startDate":"2026-11-30T10:25:00.000000Z","alert":{"title":"备份 🎉","body":""}"#)),\
      \(activityText("e\u{301}t\u{e9}", state: "stale", owner: 0))]}
      """
    ])
  ]

  @Test func aListIsATable() {
    let outcome = onTerminal(
      ["list", "--owner", "0"], FakeDaemon(Self.daemon), environment: ["NO_COLOR": "1"])
    #expect(
      outcome.output == """
        ID    STATE    NEXT              DATE                     TITLE
        备份  pending  starts  in 25min  2026-11-30 11:25:00 CET  备份 🎉
        e\u{301}t\u{e9}   stale

        """)
  }

  @Test func aNarrowTerminalHasNoRoomForDates() {
    let outcome = onTerminal(
      ["list", "--owner", "0"], FakeDaemon(Self.daemon), columns: 40, environment: ["NO_COLOR": "1"]
    )
    #expect(outcome.output.contains("备份  pending  starts  in 25min  备份 🎉\n"), "\(outcome)")
  }

  @Test func coloursAreForTerminalsThatWantThem() {
    #expect(onTerminal(["list"], FakeDaemon(Self.daemon)).output.contains("\u{1B}[36mpending"))
    for off in [["NO_COLOR": "1"], ["TERM": "dumb"]] {
      let outcome = onTerminal(["list"], FakeDaemon(Self.daemon), environment: off)
      #expect(!outcome.output.contains("\u{1B}"))
    }
  }

  @Test func aCaretShowsWhereADateIsWrong() {
    let outcome = onTerminal(
      ["schedule", "--title", "T", "--at", "2026-02-30 18:30"], FakeDaemon(),
      environment: ["NO_COLOR": "1"])
    #expect(outcome.status == 65)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 3, "\(outcome)")
    #expect(lines[1] == "  2026-02-30 18:30")
    #expect(lines[2].hasSuffix("^"))
  }

  @Test func jIsPrettyOnATerminal() {
    let outcome = onTerminal(["-j", "status"], FakeDaemon())
    #expect(outcome.output.hasPrefix("{\n  \"now\""))
  }

  @Test func showIsACard() {
    let activity = activityText(
      "x", state: "active", more: #","alert":{"title":"Go","body":"now"},"channel":"c""#)
    let outcome = onTerminal(
      ["show", "x"], FakeDaemon(["Get": .reply(#"{"activity":\#(activity)}"#)]),
      environment: ["NO_COLOR": "1"])
    #expect(
      outcome.output.hasPrefix("x  active  session 1\n  title        Go: now\n"), "\(outcome)")
  }

  @Test func historyAndStatusAreForPeople() {
    let events = """
      {"events":[{"sequence":4,"date":"2026-11-30T10:25:00.003000Z","kind":"started","id":"match",\
      "owner":0,"session":1,"from":"pending","to":"active"}]}
      """
    let daemon = FakeDaemon(["History": .replies([events])])
    let history = onTerminal(["history"], daemon, environment: ["NO_COLOR": "1"])
    #expect(
      history.output.contains("4      2026-11-30 11:25:00 CET  match  started  pending>active"),
      "\(history)")
    let status = onTerminal(["status"], daemon, environment: ["NO_COLOR": "1"])
    #expect(status.output.contains("1 pending, 2 active, 0 ended"))
    #expect(status.output.contains("Mon 2026-11-30 11:00:00 CET"))
  }
}
