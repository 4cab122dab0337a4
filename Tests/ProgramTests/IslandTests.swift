import Testing

/// `island` against a real daemon in mocked time: what runs now, for each bar.
/// Tests/System/topics/bars has the bars themselves, and what wakes it.
@Suite struct IslandTests {
  private let ground: Ground

  init() throws { ground = try Ground() }

  private func start(_ id: String, _ more: String...) {
    let outcome = ctl(["-q", "start", id] + more, socket: ground.socket)
    #expect(outcome.status == 0, "\(outcome)")
  }

  @Test func theMostRelevantIsCompactTheSecondMinimalTheRestCounted() {
    #expect(ground("island").output == "\n")
    start("tea", "--title", "Tea", "--for", "4min")
    #expect(ground("island").output == "Tea 04:00\n")
    start("first", "--title", "First", "--for", "2h", "--relevance", "10")
    #expect(ground("island").output == "First 02:00:00 · 04:00\n")
    start("a", "--title", "A", "--relevance=-1")
    start("b", "--title", "B", "--relevance=-1")
    #expect(ground("island").output == "First 02:00:00 · 04:00 · +2\n")
    // Of two that matter as much the one that began first counts.
    #expect(ground("-q", "clock", "advance", "90s").status == 0)
    start("c", "--title", "C")
    #expect(ground("island").output == "First 01:58:30 · 02:30 · +3\n")
    // Pending ones and those that have ended are not in it.
    #expect(ground("-q", "schedule", "later", "--at", "1h", "--title", "L").status == 0)
    #expect(ground("-q", "end", "first").status == 0)
    #expect(ground("island").output == "Tea 02:30 · 00:00 · +2\n")
  }

  @Test func eachBarHasItsOwnLanguage() throws {
    start(
      "x", "--title", "A&B<%{A1:x:}#[x]", "--urgency", "critical", "--set", "progress:=0.4",
      "--set", "tint=#00ff00", "--for", "1h")
    #expect(ground("island", "--format=plain").output == "A&B<%{A1:x:}#[x] 01:00:00\n")
    #expect(
      ground("island", "--format=polybar").output
        == "%{F#00ff00}A&B<% {A1:x:}#[x] 01:00:00%{F-}\n")
    #expect(
      ground("island", "--format=tmux").output
        == "#[fg=#00ff00]A&B<%{A1:x:}##[x] 01:00:00#[default]\n")
    let waybar = ground("island", "--format=waybar").output
    #expect(
      waybar.hasPrefix(
        ##"{"text":"<span color=\"#00ff00\">A&amp;B&lt;%{A1:x:}#[x] 01:00:00</span>","alt":"act"##))
    #expect(waybar.contains(#""class":["active","urgency-critical","progress"],"percentage":40}"#))
    // What a tooltip says does not tick.
    #expect(!waybar.contains(##"<b>A&amp;B&lt;%{A1:x:}#[x]</b>\n01:"##))
    #expect(
      ground("island", "--format=i3blocks").output == """
        {"full_text":"A&amp;B&lt;%{A1:x:}#[x] 01:00:00","short_text":"01:00:00",\
        "color":"#00ff00","urgent":true,"markup":"pango"}

        """)
    let json = ground("-j", "island").output
    #expect(json.hasPrefix(#"{"text":"A&B<%{A1:x:}#[x] 01:00:00","main":{"id":"x","owner":"#))
    #expect(json.hasSuffix("\"rest\":0}\n"))
  }

  @Test func aLineWheneverItChangesAndNoneOtherwise() throws {
    let follower = RunningProgram(
      [Programs.laschedctl, "island", "--follow"],
      environment: ctlEnvironment(["LASCHED_SOCKET": ground.socket]))
    defer { _ = follower.finish() }
    #expect(follower.expect("\n") != nil)
    start("tea", "--title", "Tea", "--for", "4min")
    #expect(follower.expect("Tea 04:00\n") != nil)
    #expect(ground("-q", "update", "tea", "--set", "sugar=no").status == 0)
    #expect(ground("-q", "end", "tea").status == 0)
    #expect(follower.expect("\n") == "\n")
  }

  @Test func clicks() throws {
    #expect(ground("island", "open").status == 1)
    start("x", "--title", "X", "--set", "url=file:///etc/passwd", "--action", "go=Go")
    let refused = ground("island", "open")
    #expect(refused.status == 1)
    #expect(refused.errors.contains("'file:///etc/passwd' is not opened: only http and https are"))
    let unknown = ground("island", "act", "stop")
    #expect(unknown.status == 1)
    #expect(unknown.errors.contains("'x' has no action 'stop'; it has: go"))
    #expect(ground("island", "act", "go").status == 0)
    #expect(ground("history", "x").output.contains("action=go"))
    #expect(ground("island", "dismiss").status == 0)
    #expect(ground("island").output == "\n")
  }
}
