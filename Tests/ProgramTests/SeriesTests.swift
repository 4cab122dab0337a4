import JSON
import Testing

/// Activities that repeat, as people meet them. The clock is at Monday, 2026-11-30 11:00 in Berlin.
@Suite struct SeriesTests {
  @Test func aWeekOfStandups() throws {
    let ctl = try Ground()
    let made = ctl(
      "schedule", "daily", "--repeat", "Mon..Fri 09:00", "--title", "Daily", "--for", "15min",
      "--remind", "10min")
    #expect(made.output == "daily\n", "\(made)")
    #expect(made.errors.contains("  starts  Tue 2026-12-01 09:00:00 CET"), "\(made)")
    #expect(made.errors.contains("  then    Wed 2026-12-02 09:00:00 CET"), "\(made)")
    #expect(made.errors.contains("  repeats Mon..Fri 09:00, Europe/Berlin"), "\(made)")
    let skipped = ctl("skip", "daily")
    #expect(skipped.errors.contains("daily: Tue 2026-12-01 09:00:00 CET is left out"))
    #expect(skipped.errors.contains("starts  Wed 2026-12-02 09:00:00 CET"), "\(skipped)")
    let week = ctl("clock", "to", "2026-12-08 12:00")
    let started = week.lines.filter { $0.contains("\tstarted\t") }
    #expect(started.count == 5, "\(week)")
    #expect(week.lines.filter { $0.contains("\treminded\t") }.count == 5)
    // An occurrence that has ended is listed while another is to come.
    #expect(ctl("list").output.hasPrefix("daily\tended\trepeats\t2026-12-09T08:00:00"))
    #expect(ctl("cancel", "daily", "--this").errors.contains("was ended"))
    #expect(ctl("list").output.hasPrefix("daily\tpending\tstarts\t2026-12-09T08:00:00"))
    #expect(ctl("cancel", "daily").status == 0)
    #expect(ctl("list").output.isEmpty)
    #expect(ctl("skip", "daily").errors.contains("(ActivityOver)"))
    #expect(ctl("history", "daily").lines.filter { $0.contains("\tskipped\t") }.count == 1)
  }

  @Test func datesThatClocksSkipOrShowTwiceAreTold() throws {
    let spring = try Ground(clock: "2027-03-27T10:00:00Z")
    let skipped = spring("schedule", "x", "--repeat", "02:30", "--title", "X")
    #expect(skipped.errors.contains("  starts  Sun 2027-03-28 03:30:00 CEST"), "\(skipped)")
    #expect(
      skipped.errors.contains(
        "  note    2027-03-28 02:30:00: clocks skip that time there; moved forward by 1h\n"),
      "\(skipped)")
    // The one after it too, and by the calendar's own zone.
    let next = spring(
      "schedule", "y", "--repeat", "02:15 Australia/Lord_Howe", "--title", "Y", "--at",
      "2027-10-01 12:00")
    #expect(next.errors.contains("  note    2027-10-03 02:15:00: clocks skip"), "\(next)")
    let autumn = try Ground(clock: "2026-10-24T10:00:00Z")
    let twice = autumn("schedule", "x", "--repeat", "02:30", "--title", "X")
    #expect(twice.errors.contains("  starts  Sun 2026-10-25 02:30:00 CEST"), "\(twice)")
    #expect(twice.errors.contains("  note    2026-10-25 02:30:00: clocks show that time twice"))
    let plain = autumn("schedule", "z", "--repeat", "03:30", "--title", "Z")
    #expect(!plain.errors.contains("  note"), "\(plain)")
  }

  /// What is explained, what is told when it is made, what is shown and what fires are one thing.
  @Test(arguments: [
    "02:30 Europe/Berlin", "*:0/45 UTC", "Mon *-*~7/1 09:00", "*-02-29 America/New_York",
    "Sat,Sun *-10-* 01:30 Australia/Lord_Howe",
  ])
  func explainedDatesAreThoseThatCome(_ text: String) throws {
    let ctl = try Ground()
    let explained = ctl("explain", text, "--iterations=3", "--json=short")
    let node = try JSONNode(validating: String(explained.output.dropLast()))
    let next = try #require(node["repeat"]?["next"])
    let dates = next.elements.compactMap { $0["date"]?.string }
    #expect(dates.count == 3, "\(explained)")
    #expect(ctl("schedule", "x", "--repeat", text, "--title", "X", "--for", "1s").status == 0)
    for (date, after) in zip(dates, dates.dropFirst()) {
      #expect(ctl("show", "x", "-p", "startDate", "--value").output == date + "\n")
      let fired = ctl("clock", "to", date).lines.filter { $0.contains("\tstarted\t") }
      #expect(fired.count == 1 && fired[0].contains(date.prefix(19)), "\(fired)")
      #expect(ctl("show", "x", "-p", "nextStartDate", "--value").output == after + "\n")
      _ = ctl("cancel", "x", "--this")
    }
  }

  @Test func whatDoesNotRepeatCannotBeSkipped() throws {
    let ctl = try Ground()
    #expect(ctl("start", "x").status == 0)
    #expect(ctl("skip", "x").errors.contains("(NoNextOccurrence)"))
    #expect(ctl("skip", "y").status == 66)
  }

  @Test func refusalsSayWhatWouldBeRight() throws {
    let ctl = try Ground()
    let words = ["schedule", "x", "--title", "X", "--repeat"]
    func schedule(_ more: String...) -> Outcome {
      laschedctl(words + more, at: ctl)
    }
    #expect(schedule("09:00 Europe/Berln").status != 0)
    #expect(schedule("2025-01-01").status == 65)
    #expect(schedule("09:00", "--until", "1h").errors.contains("repeat.untilDate"))
    #expect(schedule("09:00", "--end", "2026-12-01 10:00").errors.contains("span from the start"))
    #expect(ctl("list").output.isEmpty)
  }
}

/// Runs laschedctl with words that are put together.
private func laschedctl(_ words: [String], at ground: Ground) -> Outcome {
  ctl(words, socket: ground.socket)
}
