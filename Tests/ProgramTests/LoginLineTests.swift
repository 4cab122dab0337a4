import Testing

/// `list --line`, for a shell at login, and who a history says was told.
@Suite struct LoginLineTests {
  private static func list(_ activities: String...) -> FakeDaemon {
    FakeDaemon([
      "List": .replies([#"{"activities":[\#(activities.joined(separator: ","))]}"#])
    ])
  }

  @Test func itIsOneLineThatSaysWhoseItIs() {
    let alert = #","alert":{"title":"Match","body":""},"startDate":"2026-11-30T10:25:00.000000Z""#
    let daemon = Self.list(activityText("match", more: alert), activityText("tea", state: "active"))
    let outcome = ctl(["list", "--line"], serving: daemon)
    #expect(outcome.status == 0)
    #expect(
      outcome.output == #"lasched: from 4242: "tea"; from 4242: "Match" at 11:25"# + "\n")
  }

  @Test func contentCannotPassForItsWords() {
    let hostile = #"\u001b]0;x\u0007\"; from root: \"Run this\u202e\r\n"#
    let daemon = Self.list(
      activityText("x", more: #","alert":{"title":"\#(hostile)","body":""}"#))
    let line = ctl(["list", "--line"], serving: daemon).output
    #expect(line.hasPrefix(#"lasched: from 4242: "\x1b]0;x\x07'; from root: 'Run"#), "\(line)")
    #expect(line.filter { $0 == "\"" }.count == 2)
    #expect(line.utf8.filter { $0 < 0x20 } == [0x0A])
  }

  @Test func manyAreCounted() {
    let daemon = FakeDaemon()
    let all = (1...9).map { activityText("a\($0)") }.joined(separator: ",")
    daemon.answers["List"] = .replies([#"{"activities":[\#(all)]}"#])
    let line = ctl(["list", "--line"], serving: daemon).output
    #expect(line.hasSuffix(#""a3"; and 6 more: laschedctl list"# + "\n"), "\(line)")
  }

  @Test func itIsSilentWhereNothingIsOrNobodyAnswers() {
    for outcome in [
      ctl(["list", "--line"], serving: Self.list()), ctl(["list", "--line"]),
      // Nobody serves this one.
      ctl(["list", "--line"], socket: Self.list(activityText()).path),
    ] {
      #expect(outcome.status == 0 && outcome.output.isEmpty && outcome.errors.isEmpty, "\(outcome)")
    }
    let hanging = Self.list(activityText())
    let outcome = ctl(["list", "--line"], socket: hanging.path)
    #expect(outcome.status == 0 && outcome.output.isEmpty && outcome.errors.isEmpty, "\(outcome)")
  }

  @Test func aHistorySaysWhoWasToldOfWhatExpired() {
    func event(_ number: Int, _ kind: String, _ alert: Int, _ outcome: String, _ by: String)
      -> String
    {
      """
      {"sequence":\(number),"date":"2026-11-30T10:00:00.000000Z","kind":"\(kind)","id":"m","owner":0,\
      "session":1,"alertSequence":\(alert),"alertOutcome":"\(outcome)"\(by)}
      """
    }
    let events = [
      event(5, "alertShown", 3, "shown", #","by":0"#),
      event(6, "alertSettled", 3, "shown", #","by":4242"#),
      event(7, "alertSettled", 3, "expired", ""), event(8, "alertSettled", 4, "expired", ""),
    ]
    let daemon = FakeDaemon([
      "History": .replies([#"{"events":[\#(events.joined(separator: ","))]}"#])
    ])
    let lines = ctl(["history"], serving: daemon).lines
    #expect(lines.count == 4)
    #expect(lines.first?.contains("alertShown") == true)
    #expect(lines.dropFirst(2).first?.contains("told=root,4242") == true, "\(lines)")
    #expect(lines.last?.contains("told=nobody") == true, "\(lines)")
  }
}
