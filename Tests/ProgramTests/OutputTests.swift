import Testing

/// What is written: data on stdout, the rest on stderr; plain in a pipe, for people on a terminal.
@Suite struct OutputTests {
  private static let start = #","startDate":"2026-11-30T10:25:00.000000Z""#
  private static let listing = FakeDaemon.Answer.replies([
    #"{"activities":[\#(activityText("match", more: start + #","alert":{"title":"Kick-off","body":""}"#))]}"#,
    #"{"activities":[\#(activityText("tea", state: "active", owner: 0))]}"#,
    #"{"activities":[]}"#,
  ])

  @Test func aCreateWritesTheIDAloneAndTellsTheDates() {
    let activity = activityText(
      "match", more: Self.start + #","endDate":"2026-11-30T12:25:00.000000Z""#)
    let daemon = FakeDaemon(["Request": .reply(#"{"activity":\#(activity),"created":true}"#)])
    let outcome = ctl(
      ["schedule", "match", "--at", "11:25", "--title", "T"], serving: daemon)
    #expect(outcome.output == "match\n")
    #expect(
      outcome.errors == """
        match is pending (session 1)
          starts  Mon 2026-11-30 11:25:00 CET  (2026-11-30T10:25:00Z, Europe/Berlin), in 25min
          ends    Mon 2026-11-30 13:25:00 CET  (2026-11-30T12:25:00Z, Europe/Berlin), \
        in 2h 25min, 2h after the start
          note    --at '11:25' is the next one: Mon 2026-11-30 11:25:00 CET

        """)
    #expect(ctl(["-q", "schedule", "--at", "1h", "--title", "T"], serving: daemon).errors.isEmpty)
    let json = ctl(["-jq", "schedule", "--at", "1h", "--title", "T"], serving: daemon)
    #expect(json.output == #"{"activity":\#(activity),"created":true}"# + "\n")
  }

  @Test func aGapInTheZonesClocksIsTold() {
    let daemon = FakeDaemon(["Request": .reply(#"{"activity":\#(activityText()),"created":false}"#)]
    )
    let outcome = ctl(
      ["schedule", "x", "--at", "2027-03-28 02:30", "--title", "T"], serving: daemon)
    #expect(
      daemon.calls.last?.parameters.contains(
        #""start":{"local":"2027-03-28T02:30:00","zone":"Europe/Berlin"}"#) == true)
    #expect(outcome.errors.contains("clocks skip that time there; moved forward by 1h"))
    #expect(outcome.errors.contains("; it was there already"))
  }

  @Test func aListIsTabsInAPipe() {
    let daemon = FakeDaemon(["List": Self.listing])
    let outcome = ctl(["list", "--owner", "1000"], serving: daemon)
    #expect(outcome.errors.isEmpty)
    #expect(
      outcome.lines == [
        "match\tpending\tstarts\t2026-11-30T10:25:00Z\t4242\tKick-off",
        "tea\tactive\t-\t-\troot\t-",
      ])
    #expect(ctl([], serving: daemon).lines.count == 2)
  }

  @Test func aListInJSONIsAnActivityALine() {
    let daemon = FakeDaemon(["List": Self.listing])
    let short = ctl(["list", "--json=short"], serving: daemon)
    #expect(short.lines.count == 2)
    #expect(short.lines.last == activityText("tea", state: "active", owner: 0))
    let pretty = ctl(["list", "--json=pretty"], serving: daemon)
    #expect(pretty.output.hasPrefix("{\n  \"id\": \"match\",\n"))
  }

  @Test func showWritesFieldsByPath() {
    let activity = activityText(
      "x", more: #","alert":{"title":"a\nb","body":""},"channel":null"#
    ).replacing(#""state":{}"#, with: #""state":{"score":{"home":2},"text":"é"}"#)
    let daemon = FakeDaemon(["Get": .reply(#"{"activity":\#(activity)}"#)])
    func show(_ words: String...) -> String { ctl(["show", "x"] + words, serving: daemon).output }
    #expect(
      show("-p", "state,content.state.score.home") == "state=pending\ncontent.state.score.home=2\n")
    #expect(show("-p", "state", "-p", "id", "--value") == "pending\nx\n")
    #expect(show("-p", "content.state", "--value") == "{\"score\":{\"home\":2},\"text\":\"é\"}\n")
    #expect(show("-p", "endDate,channel") == "endDate=\nchannel=\n")
    #expect(show("-p", "alert.title", "--value") == "a\\nb\n")
    #expect(
      show("-p", "state,endDate", "--json=short") == "{\"state\":\"pending\",\"endDate\":null}\n")
    #expect(show("-p", "alert.title", "--value", "--json=short") == "\"a\\nb\"\n")
    #expect(show().hasPrefix("id=x\nowner=4242\nsession=1\n"))
    #expect(show("--json=short") == activity + "\n")
    let wrong = ctl(["show", "x", "-p", "startdate"], serving: daemon)
    #expect(wrong.status == 64)
    #expect(wrong.errors.contains("did you mean startDate?"))
  }

  @Test func historyIsTabsInAPipe() {
    let events = """
      {"events":[{"sequence":4,"date":"2026-11-30T10:25:00.003000Z",\
      "dueDate":"2026-11-30T10:25:00.000000Z","kind":"started","id":"match","owner":0,"session":1,\
      "from":"pending","to":"active","latenessUSec":3000,"alert":{"title":"Go","body":""}},\
      {"sequence":5,"date":"2026-11-30T10:26:00.000000Z","kind":"invented","mood":"good"}]}
      """
    let daemon = FakeDaemon(["History": .replies([events])])
    #expect(
      ctl(["history"], serving: daemon).lines == [
        "4\t2026-11-30T10:25:00.003000Z\troot\tmatch\t1\tstarted\tpending>active\t"
          + "due=2026-11-30T10:25:00Z late=3ms alert=\"Go\"",
        "5\t2026-11-30T10:26:00Z\t-\t-\t-\tinvented\t-\t",
      ])
    #expect(
      ctl(["-j", "history"], serving: daemon).lines.last?.contains(#""mood":"good""#) == true)
  }

  @Test func statusWritesWhatTheDaemonSays() {
    let daemon = FakeDaemon()
    #expect(ctl(["status"], serving: daemon).lines.contains("pending=1"))
    #expect(ctl(["status", "--json=short"], serving: daemon).output == FakeDaemon.status + "\n")
  }

  @Test func stopSaysThatTheActivityStays() {
    let daemon = FakeDaemon(["Stop": .reply(#"{"applied":1}"#)])
    for verb in ["stop", "detach"] {
      let outcome = ctl([verb, "x"], serving: daemon)
      #expect(outcome.status == 0)
      #expect(outcome.errors.contains("it stays as it is; to end it: laschedctl end x"))
    }
  }

  @Test func aCancelSaysWhatItFound() {
    let daemon = FakeDaemon([
      "Cancel": .reply(
        #"{"applied":3,"skipped":1,"found":{"pending":2,"active":0,"stale":1,"ended":0}}"#)
    ])
    #expect(
      ctl(["cancel", "--channel", "c"], serving: daemon).errors
        == "channel c: 3 cancelled: 2 pending, 1 stale; 1 skipped\n")
  }

  /// Another user's text, as it may be: escape sequences, bidi marks, towers of accents.
  private static let hostile =
    "\\u001b[31mred\\u202e\\u0007 \\u200f\\u2028\\ue000Z" + String(repeating: "\u{301}", count: 40)

  @Test(arguments: [
    ["list"], ["show", "x"], ["show", "x", "-p", "alert.body"], ["history"],
    ["list", "--json=short"],
    ["show", "x", "--json=pretty"], ["history", "-j"],
  ])
  func foreignTextIsHarmless(_ words: [String]) {
    let text = Self.hostile
    let activity = activityText(
      "x", more: #","alert":{"title":"\#(text)","body":"\#(text)"},"application":"\#(text)""#)
    let event = """
      {"sequence":1,"date":"2026-11-30T10:25:00Z","kind":"\(text)","id":"\(text)",\
      "action":"\(text)","content":{"state":{"\(text)":"\(text)"}}}
      """
    let daemon = FakeDaemon([
      "List": .replies([#"{"activities":[\#(activity)]}"#]),
      "Get": .reply(#"{"activity":\#(activity)}"#),
      "History": .replies([#"{"events":[\#(event)]}"#]),
    ])
    let outcome = ctl(words, serving: daemon)
    #expect(outcome.status == 0, "\(outcome)")
    for scalar in outcome.output.unicodeScalars {
      switch scalar {
      case "\n", "\t": break
      default:
        #expect(
          !scalar.properties.isBidiControl && scalar.properties.generalCategory != .control
            && scalar.properties.generalCategory != .lineSeparator, "\(scalar.value)")
      }
    }
    if !words.contains(where: { $0.hasPrefix("-") && $0 != "-p" }) {
      #expect(outcome.output.contains("\\x1b[31mred\\u{202e}\\x07"), "\(outcome)")
    }
  }

  @Test func aFullDiskIsNotSuccess() {
    let daemon = FakeDaemon(["List": Self.listing])
    let program = RunningProgram(
      ["/bin/sh", "-c", "laschedctl list >/dev/full"],
      environment: ctlEnvironment(["LASCHED_SOCKET": daemon.path]))
    let outcome = program.finish(serving: daemon)
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("not all of the output could be written"))
  }
}
