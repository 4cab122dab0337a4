import Testing
import TimeExpressions

@Suite("Refusals")
struct RefusalTests {
  typealias Row = (text: String, column: Int, code: TimeExpressionError.Code)

  @Test(
    "name what the calendar does not have",
    arguments: [
      ("2026-02-29 10:00", 9, .noSuchTime), ("2026-02-30 10:00", 9, .noSuchTime),
      ("2100-02-29 10:00", 9, .noSuchTime), ("2026-13-01 10:00", 6, .noSuchTime),
      ("2026-00-01 10:00", 6, .noSuchTime), ("2026-04-31T10:00:00Z", 9, .noSuchTime),
      ("2026-04-00T10:00:00Z", 9, .noSuchTime), ("31 Nov 2026 10:00", 1, .noSuchTime),
      ("2026-12-01 25:00", 12, .noSuchTime), ("2026-12-01 24:01", 12, .noSuchTime),
      ("2026-12-01 24:00:01", 12, .noSuchTime), ("2026-12-01 18:60", 15, .noSuchTime),
      ("2026-12-01 23:59:61", 18, .noSuchTime), ("23:59:61", 7, .noSuchTime),
      ("13pm", 1, .noSuchTime), ("0:30am", 1, .noSuchTime), ("24:00:60", 1, .noSuchTime),
      ("2026-12-01T18:30+24:00", 17, .noSuchTime), ("2026-12-01T18:30+01:60", 17, .noSuchTime),
    ] as [Row])
  func noSuchTime(row: Row) throws { try check(row) }

  @Test(
    "of what can mean two things say how to write it",
    arguments: [
      ("24:00", 1, .ambiguous), ("midnight", 1, .ambiguous), ("midnight tomorrow", 1, .ambiguous),
      ("tomorrow midnight", 10, .ambiguous), ("next monday", 1, .ambiguous),
      ("this monday 09:00", 1, .ambiguous), ("tonight 21:30", 1, .ambiguous),
      ("01/12/2026 10:00", 1, .ambiguous), ("1.12.2026 10:00", 1, .ambiguous),
      ("12pm", 1, .ambiguous), ("12:00 am", 1, .ambiguous), ("18:30+01", 6, .ambiguous),
      ("18:30 -0100", 7, .ambiguous), ("18:30 MST", 7, .ambiguous), ("1M", 2, .ambiguous),
      ("tomorrow 09:00 + 1.5 days", 18, .ambiguous),
    ] as [Row])
  func ambiguous(row: Row) throws { try check(row) }

  @Test(
    "of what is incomplete say what is missing",
    arguments: [
      ("2026-12-01", 11, .incomplete), ("tomorrow", 9, .incomplete), ("fri", 4, .incomplete),
      ("1 Dec 2026", 11, .incomplete), ("1 Dec 18:30", 6, .incomplete), ("18", 1, .incomplete),
      ("18:", 4, .incomplete), ("2026-12-", 9, .incomplete), ("2026-12-01 18", 12, .syntax),
      ("tomorrow 09:00 +", 17, .incomplete), ("tomorrow 09:00 + 2", 18, .incomplete),
      ("", 1, .empty), ("  \t", 4, .empty), ("+", 2, .incomplete), ("2026-12-01 UTC", 12, .syntax),
    ] as [Row])
  func incomplete(row: Row) throws { try check(row) }

  @Test(
    "point at what is not of the grammar",
    arguments: [
      ("soon", 1, .syntax), ("18:30 please", 7, .syntax), ("18:30x", 6, .syntax),
      ("18:30 tomorrow tuesday", 16, .contradiction), ("18:30 19:30", 7, .contradiction),
      ("2026-12-01 2026-12-02 10:00", 12, .contradiction),
      ("2026-12-01T18:30:00Z junk", 22, .syntax),
      ("2026-12-01T18:30:00ZZ", 20, .syntax), ("2026-1-01 10:00", 6, .syntax),
      ("2026-12-01 18:3", 15, .syntax), ("2026-12-01T8:30", 12, .syntax),
      ("26-12-01 10:00", 1, .syntax), ("12026-12-01 10:00", 1, .syntax), ("18:30,5", 6, .syntax),
      ("18:30:05,5", 9, .syntax), ("18:30.5", 6, .syntax), ("18:30:05.", 9, .syntax),
      ("Dec 1 2026 10:00", 1, .syntax), ("tomorrow at 18:30", 10, .syntax),
      ("in 25min", 1, .syntax),
      ("2h ago", 4, .syntax), ("18:30 25min", 7, .syntax), ("25min 18:30", 7, .incomplete),
      ("now tomorrow", 5, .syntax), ("now 18:30", 5, .syntax), ("@", 1, .syntax),
      ("@x", 1, .syntax),
      ("@1,5", 3, .syntax), ("@5 UTC", 4, .syntax), ("18:30 [Europe/Berlin", 7, .syntax),
      ("2026-12-01T18:30:00Z[u-ca=hebrew]", 22, .syntax), ("18:30 []", 8, .syntax),
      ("18:30 +2h UTC", 11, .syntax), ("18:30 +2h +1h", 11, .syntax),
      ("18:30 UTC tomorrow", 11, .syntax),
      ("\u{1F600} 18:30", 1, .syntax), ("18:30 \u{202E}x", 7, .syntax), ("２０:00", 1, .syntax),
      ("18:30:05.1234567", 10, .tooFine), ("@1.1234567", 4, .tooFine),
      ("today18:30", 1, .syntax), ("18:30tomorrow", 6, .syntax),
      ("tomorrow\u{A0}18:30", 1, .syntax),
      ("18:30\n", 6, .syntax), ("fri, 18:30", 4, .syntax),
    ] as [Row])
  func syntax(row: Row) throws { try check(row) }

  @Test(
    "keep to the years 1970 to 9999",
    arguments: [
      ("1969-12-31 23:59:59 UTC", 1, .outOfRange), ("0000-01-01 00:00", 1, .outOfRange),
      ("9999-12-31 24:00 UTC", 1, .outOfRange), ("9999-12-31T23:59:59-01:00", 1, .outOfRange),
      ("@-1", 1, .outOfRange), ("@253402300800", 1, .outOfRange),
      ("@99999999999999999999", 1, .outOfRange),
      ("now + 99999999999999999999 days", 7, .outOfRange),
      ("now + 999999999 days", 7, .outOfRange), ("now + 106751991 days", 5, .outOfRange),
      ("now - 106751991 days", 5, .outOfRange), ("now + 292277y", 7, .outOfRange),
      ("now + 292270y", 5, .outOfRange), ("now - 292270y", 5, .outOfRange),
      ("now - 60y", 5, .outOfRange), ("+999999999 days", 2, .outOfRange), ("8000y", 1, .outOfRange),
      ("-5min", 1, .negative),
    ] as [Row])
  func range(row: Row) throws { try check(row) }

  @Test(
    "tell contradictions and unknown zones",
    arguments: [
      ("mon 2026-12-01 10:00", 1, .contradiction),
      ("2026-12-01T18:30+02:00[Europe/Berlin]", 17, .contradiction),
      ("2026-12-01T18:30+02:00[+01:00]", 24, .contradiction),
      ("2026-12-01 18:30 CEST", 18, .contradiction),
      ("18:30 Europe/Berln", 7, .zone), ("18:30 PST", 7, .zone), ("18:30 europe/berlin", 7, .zone),
      ("18:30 Europe/Berln + 2h", 7, .zone), ("18:30 UTC+2h", 7, .zone),
    ] as [Row])
  func contradictions(row: Row) throws { try check(row) }

  private func check(_ row: Row) throws {
    let error = try #require(try refusal(row.text), "'\(row.text)' was taken")
    #expect(error.column == row.column, "\(row.text): \(error)")
    #expect(error.code == row.code, "\(row.text): \(error)")
    #expect(!error.problem.isEmpty && !error.hint.isEmpty)
    #expect(!error.description.contains { $0.isNewline })
  }

  @Test("read as one line")
  func wording() throws {
    #expect(
      try refusal("2026-02-30 10:00")?.description
        == "column 9: there is no 30 February 2026; February 2026 has 28 days")
    #expect(
      try refusal("+1h30")?.description
        == "column 4: '30' has no unit; write a unit: 30min or 30s")
    #expect(
      try refusal("tomorrow")?.description
        == "column 9: 'tomorrow' has no time; add one: tomorrow 09:00")
    #expect(
      try refusal("18:30+0100")?.hint == "write +01:00 or +0100min")
  }

  @Test("count columns as the reader sees characters")
  func columns() throws {
    // One flag, one accented letter made of two scalars, then what is wrong.
    #expect(try refusal("25min \u{1F1E9}\u{1F1EA}")?.column == 7)
    #expect(try refusal("1µs 5\u{65}\u{301}")?.column == 6)
    #expect(try refusal("18:30 tomorrow \u{1F468}\u{200D}\u{1F469} x")?.column == 16)
  }

  @Test("show foreign text harmless and short")
  func harmlessText() throws {
    let error = try #require(try refusal("\u{1B}[31m\u{202E}\u{7}"))
    #expect(error.found == "\\u{1B}[31m\\u{202E}\\u{7}")
    let long = try #require(try refusal(String(repeating: "x", count: 100_000)))
    #expect(long.description.utf8.count < 300)
    let marks = try #require(try refusal("x" + String(repeating: "\u{301}", count: 100_000)))
    #expect(marks.description.utf8.count < 400)
  }
}
