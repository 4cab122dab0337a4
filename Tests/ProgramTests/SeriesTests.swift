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
