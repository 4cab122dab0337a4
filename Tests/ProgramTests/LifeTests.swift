import Testing

/// Whole lives against the real daemon, its time moved by `clock`.
@Suite struct LifeTests {
  @Test func fromScheduleToDismissal() throws {
    let ctl = try Ground()
    let created = ctl(
      "schedule", "match", "--at", "18:30", "--title", "Kick-off", "--for", "2h", "--stale",
      "30min",
      "--set", "score.home:=0", "--end-title", "Over", "--action", "mute=Mute")
    #expect(created.status == 0, "\(created)")
    #expect(created.output == "match\n")
    #expect(created.errors.contains("starts  Mon 2026-11-30 18:30:00 CET"))
    #expect(created.errors.contains("ends    Mon 2026-11-30 20:30:00 CET"))
    #expect(ctl("is-active", "match").status == 3)
    let next = ctl("clock", "next")
    #expect(next.lines.count == 1)
    #expect(next.output.contains("\tmatch\t1\tstarted\tpending>active\talert=\"Kick-off\""))
    #expect(next.errors == "Mon 2026-11-30 18:30:00 CET: 1 event\n")
    #expect(ctl("is-active", "match").status == 0)
    #expect(ctl("update", "match", "--set", "score.home:=1").status == 0)
    #expect(
      ctl("show", "match", "-p", "content.state", "--value").output == "{\"score\":{\"home\":1}}\n")
    #expect(ctl("act", "match", "mute").status == 0)
    #expect(ctl("act", "match", "shout").errors.contains("(NoSuchAction)"))
    #expect(ctl("clock", "to", "19:15").output.contains("\tstale\tactive>stale\t"))
    let ended = ctl("clock", "advance", "2h")
    #expect(ended.output.contains("\tended\tstale>ended\treason=ended alert=\"Over\""), "\(ended)")
    #expect(ctl("end", "match").errors.contains("(ActivityOver)"))
    #expect(ctl("clock", "advance", "4h").output.contains("\tdismissed\tended>dismissed\t"))
    #expect(ctl("list").output.isEmpty)
    #expect(ctl("list", "--state", "dismissed").output.hasPrefix("match\tdismissed\t"))
    let kinds = ctl("history", "match").lines.map { $0.split(separator: "\t")[5] }
    #expect(
      kinds.filter { $0 != "alertSettled" } == [
        "scheduled", "started", "updated", "action", "stale", "ended", "dismissed",
      ])
  }

  @Test func cancelBeforeAndAfterTheStart() throws {
    let ctl = try Ground()
    #expect(ctl("schedule", "a", "--at", "1h", "--title", "A").status == 0)
    #expect(ctl("start", "b").status == 0)
    let cancelled = ctl("cancel", "a", "b", "c")
    #expect(cancelled.status == 66)
    #expect(cancelled.errors.contains("a: cancelled, was pending\nb: cancelled, was active\n"))
    #expect(ctl("cancel", "a").status == 1)
    #expect(ctl("cancel", "c").status == 66)
    #expect(ctl("cancel", "a", "c", "--ignore-missing").status == 0)
    #expect(!ctl("clock", "advance", "2h").output.contains("started"))
  }

  @Test func aRequestAgain() throws {
    let ctl = try Ground()
    let first = ctl("schedule", "x", "--at", "1h", "--title", "A", "--json=short")
    #expect(first.output.hasSuffix("\"created\":true}\n"))
    let again = ctl("schedule", "x", "--at", "1h", "--title", "A", "--json=short")
    #expect(again.output.hasSuffix("\"created\":false}\n"), "\(again)")
    let other = ctl("schedule", "x", "--at", "2h", "--title", "A")
    #expect(other.status == 1)
    #expect(other.errors.contains("(ActivityExists)"))
    #expect(
      ctl("schedule", "x", "--at", "2h", "--title", "A", "--if-exists", "replace").status == 0)
    #expect(ctl("show", "x", "-p", "session", "--value").output == "2\n")
    #expect(ctl("show", "x", "--session", "1", "-p", "reason", "--value").output == "replaced\n")
  }

  @Test func rescheduleMovesWhatItNames() throws {
    let ctl = try Ground()
    #expect(ctl("schedule", "x", "--at", "1h", "--title", "A", "--for", "1h").status == 0)
    let moved = ctl("reschedule", "x", "--at", "2h")
    #expect(moved.status == 0, "\(moved)")
    #expect(moved.errors.contains("in 2h"))
    #expect(
      ctl("show", "x", "-p", "startDate,endDate", "--value").output
        == "2026-11-30T12:00:00.000000Z\n2026-11-30T13:00:00.000000Z\n")
    #expect(ctl("reschedule", "x", "--end", "never").status == 0)
    #expect(ctl("show", "x", "-p", "endDate", "--value").output == "\n")
    #expect(ctl("reschedule", "x", "--at", "now").status == 0)
    #expect(ctl("is-active", "x").output == "active\n")
    #expect(ctl("reschedule", "x", "--at", "1h").errors.contains("(AlreadyStarted)"))
    let wrong = ctl("reschedule", "x", "--end", "2026-11-30 09:00")
    #expect(wrong.status == 65, "\(wrong)")
  }

  @Test func datesThatDoNotFitAreRefused() throws {
    let ctl = try Ground()
    let past = ctl("schedule", "x", "--at", "2026-11-30 10:59", "--title", "A")
    #expect(past.status == 1)
    #expect(past.errors.contains("(StartDateNotInFuture)"))
    let early = ctl("schedule", "x", "--at", "1h", "--title", "A", "--end", "2026-11-30 11:30")
    #expect(early.status == 65)
    #expect(early.errors.contains("(InvalidDate)"))
    #expect(ctl("start", "x", "--for", "9h").status == 65)
  }

  @Test func theSameAgainChangesNothing() throws {
    let ctl = try Ground()
    #expect(ctl("start", "x").status == 0)
    let words = ["update", "x", "--set", "a=1", "--timestamp", "2026-11-30T10:00:00Z"]
    for text in ["x: updated\n", "x: nothing changed\n"] {
      #expect(laschedctl(words, ctl).errors == text)
    }
    let older = laschedctl(words.dropLast() + ["2026-11-30T09:00:00Z"], ctl)
    #expect(older.status == 1)
    #expect(older.errors.contains("(Outdated)"))
  }

  @Test func bothProgramsAreOfOneVersion() throws {
    let ctl = try Ground()
    let own = ctl("--version").output.split(separator: " ").last ?? ""
    #expect(ctl("status").output.contains("version=\(own)"))
  }

  private func laschedctl(_ words: [String], _ ground: Ground) -> Outcome {
    ProgramTests.ctl(words, socket: ground.socket)
  }

  @Test func aChannelReachesAllThatListen() throws {
    let ctl = try Ground()
    for id in ["a", "b"] { #expect(ctl("start", id, "--channel", "news").status == 0) }
    #expect(
      ctl("update", "--channel", "news", "--set", "n:=1").errors
        == "channel news: 2 updated, 0 skipped\n")
    #expect(
      ctl("end", "--channel", "news", "--json=short").output == "{\"applied\":2,\"skipped\":0}\n")
    #expect(ctl("end", "--channel", "nobody").errors == "channel nobody: 0 ended, 0 skipped\n")
  }

  @Test func disabledActivitiesAreRefused() throws {
    let ctl = try Ground()
    #expect(ctl("disable", "--type", "Noise").status == 0)
    #expect(ctl("start", "x", "--type", "Noise").errors.contains("(ActivitiesDisabled)"))
    #expect(ctl("start", "x").status == 0)
    #expect(ctl("enable", "--type", "Noise").status == 0)
    #expect(ctl("start", "y", "--type", "Noise").status == 0)
  }

  @Test func theClockIsWhatTheDaemonSays() throws {
    let ctl = try Ground()
    let now = ctl("clock", "now")
    #expect(now.output == "2026-11-30T10:00:00Z\n")
    #expect(ctl("clock", "step", "-1d").errors.hasPrefix("Sun 2026-11-29 11:00:00 CET: "))
    #expect(ctl("clock", "suspend", "1h").errors.hasPrefix("Sun 2026-11-29 12:00:00 CET: "))
    #expect(ctl("clock", "to", "2026-11-29 13:30").status == 0)
    #expect(ctl("clock", "now").output == "2026-11-29T12:30:00Z\n")
    #expect(ctl("clock", "zone", "Asia/Tokyo").status == 0)
    #expect(ctl("clock", "to", "2026-11-28 13:30").status != 0)
    #expect(ctl("status", "-j").output.contains("\"now\":\"2026-11-29T12:30:00.000000Z\""))
  }

  @Test func whatHappenedWhileTimeMovedIsToldAsJSONToo() throws {
    let ctl = try Ground()
    #expect(ctl("schedule", "x", "--at", "1h", "--title", "A", "--for", "1h").status == 0)
    let moved = ctl("clock", "advance", "3h", "--json=short")
    #expect(moved.lines.count >= 2)
    #expect(moved.lines.first?.contains("\"kind\":\"started\"") == true)
  }

  @Test func doctorSaysWhatIsWrong() {
    let outcome = ctl(["doctor"])
    #expect(outcome.status == 1)
    #expect(outcome.output.hasPrefix("wrong no daemon: socket /nonexistent/socket"), "\(outcome)")
    let daemon = FakeDaemon([
      "GetStatus": .reply(
        FakeDaemon.status.replacing(
          "\"alertAgents\":0", with: "\"alertAgents\":1,\"nextDate\":\"2026-11-30T09:00:00Z\""))
    ])
    let late = ctl(["doctor"], serving: daemon)
    #expect(late.status == 1)
    #expect(late.output.contains("wrong its clock says 2026-11-30T10:00:00Z"), "\(late)")
    #expect(late.output.contains("wrong the next deadline was due 1h ago"), "\(late)")
    #expect(late.output.contains("note  laschedctl is"))
  }

  @Test func doctorFindsNothingWrong() throws {
    let ctl = try Ground()
    let outcome = ctl("doctor")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output.contains("note  its time moves on command only"))
    #expect(outcome.output.contains("note  nobody shows alerts"))
    #expect(outcome.output.contains("ok    the store is sound"))
    #expect(outcome.output.contains("note  there is no session bus here"))
    #expect(!outcome.output.contains("wrong"))
    #expect(ctl("doctor", "--json=short").lines.first?.hasPrefix("{\"grade\":\"ok\",") == true)
  }

  @Test(arguments: [
    (
      "echo 'b true'", "echo 'ssss \"dunst\" \"knopwob\" \"1.9.0 (2022)\" \"1.2\"'",
      "ok    the notification server is dunst 1.9.0 (2022)"
    ),
    (
      "echo 'b true'", "echo 'Call failed: timeout'; exit 1",
      "wrong the notification server does not answer: Call failed"
    ),
    (
      "echo 'b true'", "sleep 100",
      "wrong the notification server does not answer: it takes too long"
    ),
    ("echo 'b false'", "exit 1", "ok    a notification server is started when it is first needed"),
    ("echo refused; exit 1", "exit 1", "wrong the session bus does not answer: refused"),
  ])
  func doctorAsksTheSessionBus(owned: String, told: String, finding: String) throws {
    let directory = Directory()
    directory.write(
      "busctl",
      """
      #!/bin/sh
      case "$*" in
        *NameHasOwner*) \(owned);;
        *GetServerInformation*) \(told);;
        *ListActivatableNames*) echo 'as 1 "org.freedesktop.Notifications"';;
      esac
      """, mode: 0o755)
    let outcome = ctl(
      ["doctor"],
      environment: [
        "PATH": "\(directory.path):/usr/bin:/bin",
        "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent",
      ])
    #expect(outcome.output.contains(finding), "\(outcome)")
  }
}
