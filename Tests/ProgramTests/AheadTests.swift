import Testing

/// Reminders and planned updates as people meet them.
@Suite struct AheadTests {
  @Test func remindersAreToldAndThoseThatAreSkippedToo() throws {
    let ctl = try Ground()
    let made = ctl(
      "schedule", "tea", "--at", "30min", "--title", "Tea", "--remind", "1h,10min")
    #expect(made.status == 0, "\(made)")
    #expect(made.errors.contains("skipped, 1h before the start is past"), "\(made)")
    #expect(made.errors.contains("10min before the start\n"), "\(made)")
    let moved = ctl("reschedule", "tea", "--at", "2h")
    #expect(!moved.errors.contains("skipped"), "\(moved)")
    let passed = ctl("clock", "advance", "2h")
    #expect(passed.output.contains("\treminded\tpending\t"), "\(passed)")
    #expect(ctl("reschedule", "tea", "--remind", "none").status == 1)
    #expect(ctl("schedule", "x", "--at", "1h", "--title", "X", "--remind", "0").status == 65)
    #expect(ctl("schedule", "x", "--at", "1h", "--title", "X", "--remind", "1h,").status == 65)
    #expect(ctl("schedule", "x", "--at", "1h", "--title", "X", "--remind", "1M").status == 65)
  }

  @Test func whatIsPlannedIsShown() throws {
    let ctl = try Ground()
    #expect(ctl("start", "match", "--set", "period:=1").status == 0)
    let planned = ctl("update", "match", "--after-start", "45min", "--set", "period=half-time")
    #expect(planned.errors.contains("match: planned"), "\(planned)")
    let dated = ctl("update", "match", "--at", "1h", "--set", "period:=2", "--title", "Second half")
    #expect(dated.errors.contains("  changes Mon 2026-11-30 12:00:00 CET"), "\(dated)")
    #expect(ctl("list").output.contains("\tchanges\t2026-11-30T10:45:00"))
    #expect(ctl("show", "match", "-p", "plannedUpdates").output.contains("Second half"))
    let passed = ctl("clock", "advance", "50min")
    #expect(passed.output.contains("content={\"period\":\"half-time\"}"), "\(passed)")
    #expect(ctl("update", "match", "--discard-planned").errors.contains("planned no more"))
    #expect(!ctl("clock", "advance", "1h").output.contains("updated"))
    #expect(ctl("update", "match", "--at", "1h").status == 64)
    #expect(ctl("update", "match", "--at", "1h", "--after-start", "1h").status == 64)
    #expect(ctl("update", "match", "--at", "-1h", "--set", "a=1").status != 0)
  }
}
