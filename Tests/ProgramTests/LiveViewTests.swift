import Glibc
import Testing

/// `watch` on a terminal: cards, keys, and the terminal as it was.
@Suite struct LiveViewTests {
  private static let ready = #"{"ready":{"sequence":7,"store":"abc","resumed":false}}"#

  private func start(
    _ socket: String, columns: UInt16 = 100, rows: UInt16 = 30,
    _ more: [String: String] = ["NO_COLOR": "1"]
  ) -> RunningProgram {
    var environment = ["LASCHED_SOCKET": socket]
    environment.merge(more) { $1 }
    return RunningProgram(
      [Programs.laschedctl, "watch"], environment: ctlEnvironment(environment),
      terminal: (columns, rows))
  }

  private func daemon(_ snapshots: String...) -> FakeDaemon {
    FakeDaemon(["Monitor": .open(snapshots.map { #"{"snapshot":\#($0)}"# } + [Self.ready])])
  }

  /// All that is drawn until some text is, and what follows up to the help.
  private func picture(
    of program: RunningProgram, _ daemon: FakeDaemon, with text: String
  ) -> String {
    let drawn = program.expect(text, serving: daemon) ?? ""
    program.send("?")
    return drawn + (program.expect("use an action", serving: daemon) ?? "")
  }

  @Test func itShowsCards() throws {
    let ground = try Ground()
    #expect(
      ground("schedule", "match", "--at", "25min", "--title", "Kick-off", "--body", "Reds").status
        == 0)
    let program = start(ground.socket)
    #expect(program.expect("Kick-off") != nil)
    #expect(program.expect("in 25:00") != nil)
    #expect(program.expect("Reds") != nil)
    #expect(program.expect("match · starts 11:25") != nil)
    #expect(!program.echoes)
    #expect(ground("start", "tea").status == 0)
    #expect(program.expect("tea") != nil)
    program.resize(columns: 60, rows: 20)
    #expect(program.expect("\u{1B}[2J") != nil)
    #expect(ground("clock", "advance", "5min").status == 0)
    #expect(ground("update", "tea", "--set", "cup=2").status == 0)
    #expect(program.expect("in 20:00") != nil)
    #expect(ground("cancel", "match").status == 0)
    #expect(program.expect("match  dismissed  cancelled") != nil)
    program.send("q")
    #expect(program.expect("\u{1B}[?1049l") != nil)
    #expect(program.echoes)
    #expect(program.finish().status == 0)
  }

  @Test func theMostRelevantComesFirstThenTheEarliest() {
    func card(_ id: String, _ hour: Int, _ relevance: String) -> String {
      activityText(
        id, state: "active", more: #","startedDate":"2026-11-30T0\#(hour):00:00.000000Z""#
      )
      .replacing(
        #""content":{"state":{}}"#, with: #""content":{"state":{},"relevanceScore":\#(relevance)}"#)
    }
    let daemon = daemon(
      card("third", 9, "1"), card("second", 8, "1"), card("first", 9, "2"),
      activityText("last", state: "ended"))
    let program = start(daemon.path)
    for id in ["first", "second", "third", "last"] {
      #expect(program.expect("\(id)\u{1B}[K", serving: daemon) != nil, "\(id)")
    }
    program.send("q")
    #expect(program.finish(serving: daemon).status == 0)
  }

  @Test func staleIsMarkedAndEndedIsShort() {
    let daemon = daemon(
      activityText("old", state: "stale", more: #","startedDate":"2026-11-30T09:00:00.000000Z""#),
      activityText(
        "over", state: "ended",
        more: """
          ,"endAlert":null,"reason":"ended","endedDate":"2026-11-30T06:30:00.000000Z",\
          "dismissalDate":"2026-11-30T10:10:00.000000Z"
          """))
    let program = start(daemon.path)
    var text = program.expect("! stale 01:00:0", serving: daemon) ?? ""
    program.send("?")
    text += program.expect("use an action", serving: daemon) ?? ""
    // Only its title is left.
    #expect(text.contains("over") && !text.contains("goes 11:10"), "\(text)")
    program.send("q")
    #expect(program.finish(serving: daemon).status == 0)
  }

  @Test func whoseItIsStandsWhereNoContentCan() {
    let liar = #"{"title":"Mine","description":"x\nfrom root"}"#
    let daemon = daemon(
      activityText("foreign", state: "active", owner: 4242)
        .replacing(#""attributes":{}"#, with: #""attributes":\#(liar)"#))
    let program = start(daemon.path)
    let text = picture(of: program, daemon, with: "foreign\u{1B}[K")
    #expect(text.contains("\u{1B}[3;1Hfrom 4242\u{1B}[K"))
    #expect(!text.contains("Hfrom root"))
    #expect(text.contains("H  from root"))
    program.send("q")
    #expect(program.finish(serving: daemon).status == 0)
  }

  @Test func hostileTextIsHarmless() {
    let hostile = #"\u001b]0;owned\u0007\u001b[2J\u202egnp\u2028\u0085\u009b31m\r\nfrom root"#
    let daemon = daemon(
      activityText(
        "id", state: "active", owner: 4242,
        more: #","alert":{"title":"\#(hostile)","body":"\#(hostile)"},"application":"\#(hostile)""#
      )
      .replacing(
        #""attributes":{}"#, with: #""attributes":{"title":"\#(hostile)","url":"\#(hostile)"}"#
      )
      .replacing(#""state":{}"#, with: #""state":{"a":"\#(hostile)"}"#)
      .replacing(#""actions":[]"#, with: #""actions":[{"name":"a","label":"\#(hostile)"}]"#))
    let program = start(daemon.path)
    _ = program.expect("\u{1B}[2J", serving: daemon)
    let text = picture(of: program, daemon, with: "id · ")
    #expect(text.contains(#"\x1b]0;owned\x07"#))
    for bad in [
      "\u{1B}]", "\u{7}", "\u{1B}[2J", "\u{202E}", "\u{2028}", "\u{85}", "\u{9B}", "Hfrom root",
    ] {
      #expect(!text.contains(bad), "\(Array(bad.unicodeScalars))")
    }
    program.send("o")
    #expect(program.expect("no address", serving: daemon) != nil)
    program.send("q")
    #expect(program.finish(serving: daemon).status == 0)
  }

  @Test func keysSelectAndAct() throws {
    let ground = try Ground()
    #expect(ground("start", "tea", "--action", "stop=Stop it", "--relevance", "2").status == 0)
    #expect(ground("start", "cake").status == 0)
    let program = start(ground.socket)
    #expect(program.expect("[1] Stop it") != nil)
    program.send("1")
    #expect(program.expect("tea: Stop it") != nil)
    #expect(ground("history", "tea").output.contains("\taction\t"))
    // The arrow in two pieces, as a slow line may bring it.
    program.send("\u{1B}")
    program.send("[B")
    #expect(program.expect("> cake") != nil)
    program.send("k")
    #expect(program.expect("> tea") != nil)
    program.send("\u{1B}OB")
    #expect(program.expect("> cake") != nil)
    program.send("e")
    #expect(program.expect("press e again to end cake") != nil)
    program.send("e")
    #expect(program.expect("cake: ended") != nil)
    #expect(ground("show", "cake", "-p", "state", "--value").output == "ended\n")
    program.send("q")
    #expect(program.finish().status == 0)
  }

  @Test func cancellingTakesASecondKeyAndNothingElse() throws {
    let ground = try Ground()
    #expect(ground("start", "tea").status == 0)
    let program = start(ground.socket)
    #expect(program.expect("tea · since") != nil)
    program.send("c")
    #expect(program.expect("press c again to cancel tea") != nil)
    // Meanwhile the view goes on, and another key takes it back.
    #expect(ground("update", "tea", "--set", "cup=2").status == 0)
    #expect(program.expect("cup") != nil)
    program.send("j")
    #expect(program.expect("q quit") != nil)
    program.send("c")
    #expect(program.expect("press c again to cancel tea") != nil)
    #expect(ground("is-active", "tea").status == 0)
    program.send("c")
    #expect(program.expect("tea: cancelled") != nil)
    #expect(ground("is-active", "tea").status == 3)
    program.send("q")
    #expect(program.finish().status == 0)
  }

  @Test func whatTheDaemonRefusesIsToldInTheView() {
    let daemon = daemon(activityText("tea", state: "active"))
    daemon.answers["Cancel"] = .error("NotPermitted", #"{"why":"it is root's"}"#)
    let program = start(daemon.path)
    #expect(program.expect("> tea", serving: daemon) != nil)
    program.send("cc")
    #expect(program.expect("it is root's", serving: daemon) != nil)
    #expect(daemon.calls.last?.parameters.contains(#""session":1"#) == true)
    program.send("q")
    #expect(program.finish(serving: daemon).status == 0)
  }

  @Test func manyCardsScroll() {
    let daemon = daemon()
    daemon.answers["Monitor"] = .open(
      (10..<60).map { activityText("card\($0)") }.map { #"{"snapshot":\#($0)}"# } + [Self.ready])
    let program = start(daemon.path, columns: 40, rows: 12)
    #expect(program.expect("> card10", serving: daemon) != nil)
    #expect(program.expect("below", serving: daemon) != nil)
    program.send("G")
    #expect(program.expect("> card59", serving: daemon) != nil)
    #expect(program.expect(" above\u{1B}[K", serving: daemon) != nil)
    program.send("g")
    #expect(program.expect("> card10", serving: daemon) != nil)
    program.send("q")
    #expect(program.finish(serving: daemon).status == 0)
  }

  @Test func aDumbTerminalGetsNoEscapes() {
    let daemon = daemon(activityText("tea", state: "active"))
    let program = start(daemon.path, ["TERM": "dumb"])
    let text = program.expect("> tea", serving: daemon) ?? ""
    program.send("q")
    let outcome = program.finish(serving: daemon)
    #expect(outcome.status == 0)
    #expect(!(text + outcome.output).contains("\u{1B}"))
  }

  @Test(arguments: [
    ("\u{3}", Int32(0), 0), ("", SIGTERM, 143), ("", SIGHUP, 129), ("", SIGQUIT, 131),
  ])
  func howeverItEndsTheTerminalIsAsBefore(_ keys: String, _ signal: Int32, _ status: Int) {
    let daemon = daemon()
    let program = start(daemon.path)
    #expect(program.expect("0 activities", serving: daemon) != nil)
    if signal != 0 { program.signal(signal) } else { program.send(keys) }
    #expect(program.expect("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l", serving: daemon) != nil)
    #expect(program.echoes)
    #expect(program.finish(serving: daemon).status == status)
  }

  @Test func whatItCannotGoOnWithoutGivesTheTerminalBackToo() {
    let daemon = daemon()
    let program = start(daemon.path)
    #expect(program.expect("0 activities", serving: daemon) != nil)
    daemon.answers["Monitor"] = .error("NotPermitted", #"{"why":"no"}"#)
    daemon.closeConnections()
    #expect(program.expect("\u{1B}[?1049l", serving: daemon) != nil)
    #expect(program.finish(serving: daemon).status == 77)
  }

  @Test func ctrlZGivesTheTerminalBackForAWhile() {
    let daemon = daemon()
    let program = start(daemon.path)
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

  @Test func aDaemonThatHangsLeavesTheKeysAlive() {
    let daemon = daemon(activityText("tea", state: "active"))
    daemon.answers["Act"] = .open([])
    let program = start(daemon.path)
    #expect(program.expect("> tea", serving: daemon) != nil)
    // From here on nobody serves it.
    program.send("cc")
    #expect(program.expect("tea: …") != nil)
    program.send("?")
    #expect(program.expect("use an action") != nil)
    program.send("q")
    #expect(program.finish().status == 0)
  }
}
