import Testing
import TimeExpressions

@Suite("Points in time")
struct PointTests {
  @Test(
    "are read as RFC 3339 has them",
    arguments: [
      ("2026-12-01T18:30:00Z", "2026-12-01T18:30:00.000000Z"),
      ("2026-12-01t18:30:00z", "2026-12-01T18:30:00.000000Z"),
      ("2026-12-01 18:30:00Z", "2026-12-01T18:30:00.000000Z"),
      ("2026-12-01T18:30:00+01:00", "2026-12-01T17:30:00.000000Z"),
      ("2026-12-01T18:30:00-05:30", "2026-12-02T00:00:00.000000Z"),
      ("2026-12-01T18:30:00.25Z", "2026-12-01T18:30:00.250000Z"),
      ("2026-12-01T18:30:00.000001-00:00", "2026-12-01T18:30:00.000001Z"),
      ("2026-12-01T23:59:60Z", "2026-12-02T00:00:00.000000Z"),
      ("2026-12-01 18:30:00 +01:00", "2026-12-01T17:30:00.000000Z"),
      ("2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000000Z"),
      ("1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000000Z"),
      ("9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z"),
      ("2026-12-01T18:30+01:00[Europe/Berlin]", "2026-12-01T17:30:00.000000Z"),
      ("2026-12-01T18:30[!America/New_York]", "2026-12-01T23:30:00.000000Z"),
      ("2026-12-01T18:30Z[Europe/Berlin]", "2026-12-01T18:30:00.000000Z"),
      ("2026-12-01T18:30[+02:00]", "2026-12-01T16:30:00.000000Z"),
    ])
  func rfc3339(text: String, instant: String) throws {
    #expect(try meaning(text) == instant)
    #expect(try resolved(text)?.isZoneGiven == true)
  }

  @Test(
    "without a zone are in the caller's",
    arguments: [
      ("2026-12-01 18:30", "2026-12-01T17:30:00.000000Z"),
      ("2026-12-01T18:30", "2026-12-01T17:30:00.000000Z"),
      ("2026-12-01 18:30:05.250", "2026-12-01T17:30:05.250000Z"),
      ("2026-07-01 18:30", "2026-07-01T16:30:00.000000Z"),
      ("1 Dec 2026 18:30", "2026-12-01T17:30:00.000000Z"),
      ("18:30 1 december 2026", "2026-12-01T17:30:00.000000Z"),
      ("2026-12-01 24:00", "2026-12-01T23:00:00.000000Z"),
      ("2026-12-31 24:00:00", "2026-12-31T23:00:00.000000Z"),
      ("2026-12-01 23:59:60", "2026-12-01T23:00:00.000000Z"),
      ("Tue 2026-12-01 18:30", "2026-12-01T17:30:00.000000Z"),
      ("2026-12-01 6:30pm", "2026-12-01T17:30:00.000000Z"),
      ("2026-12-01 6:30 PM", "2026-12-01T17:30:00.000000Z"),
      ("2026-12-01 12:30am", "2026-11-30T23:30:00.000000Z"),
      ("2026-12-01 12:30pm", "2026-12-01T11:30:00.000000Z"),
      ("2026-12-01 noon", "2026-12-01T11:00:00.000000Z"),
      ("2026-12-01 9:05", "2026-12-01T08:05:00.000000Z"),
      ("2026-12-01 18:30 CET", "2026-12-01T17:30:00.000000Z"),
    ])
  func local(text: String, instant: String) throws {
    #expect(try meaning(text) == instant)
  }

  @Test(
    "may name a zone or add a span",
    arguments: [
      ("2026-12-01 18:30 America/New_York", "2026-12-01T23:30:00.000000Z"),
      ("2026-12-01 18:30 UTC", "2026-12-01T18:30:00.000000Z"),
      ("18:30 tomorrow Europe/Berlin", "2026-12-01T17:30:00.000000Z"),
      ("tomorrow 09:00 + 2h", "2026-12-01T10:00:00.000000Z"),
      ("tomorrow 09:00 +2h30min", "2026-12-01T10:30:00.000000Z"),
      ("tomorrow 09:00 - 10min", "2026-12-01T07:50:00.000000Z"),
      ("tomorrow 09:00 UTC + 90s", "2026-12-01T09:01:30.000000Z"),
      ("now", "2026-11-30T12:00:00.000000Z"), ("now+2hr", "2026-11-30T14:00:00.000000Z"),
      ("now + 1 hour 30 minutes", "2026-11-30T13:30:00.000000Z"),
      ("NOW - 1d", "2026-11-29T12:00:00.000000Z"),
      ("@1893456000 + 1s", "2030-01-01T00:00:01.000000Z"),
      // Days keep the time of day: this one has 23 hours.
      ("2026-03-28 09:00 + 1 day", "2026-03-29T07:00:00.000000Z"),
      ("2026-03-28 09:00 + 24h", "2026-03-29T08:00:00.000000Z"),
      ("2026-03-28 02:30 + 1 day", "2026-03-29T01:30:00.000000Z"),
      ("2026-10-31 09:00 + 1mo 2h", "refused"),
      ("2026-10-30 09:00 + 1mo 2h", "2026-11-30T10:00:00.000000Z"),
      ("2024-02-29 09:00 + 4y", "2028-02-29T08:00:00.000000Z"),
    ])
  func zonesAndSums(text: String, instant: String) throws {
    if instant == "refused" {
      #expect(try refusal(text)?.code == .noSuchTime)
    } else {
      #expect(try meaning(text) == instant)
    }
  }

  @Test(
    "may be seconds since 1970",
    arguments: [
      ("@0", "1970-01-01T00:00:00.000000Z"), ("@1893456000", "2030-01-01T00:00:00.000000Z"),
      ("@1893456000.25", "2030-01-01T00:00:00.250000Z"),
      ("@0.000001", "1970-01-01T00:00:00.000001Z"),
      ("@2147483647", "2038-01-19T03:14:07.000000Z"),
      ("@2147483648", "2038-01-19T03:14:08.000000Z"),
      ("@4294967295", "2106-02-07T06:28:15.000000Z"),
      ("@4294967296", "2106-02-07T06:28:16.000000Z"),
      ("@253402300799", "9999-12-31T23:59:59.000000Z"),
      ("@253402300799.999999", "9999-12-31T23:59:59.999999Z"),
    ])
  func epoch(text: String, instant: String) throws {
    #expect(try meaning(text) == instant)
  }

  /// The base times at which word-laden parsers slip (just after midnight, before four, noon, late).
  @Test(
    "count days from the local date",
    arguments: [
      ("2026-11-29T23:30:00Z", "30"), ("2026-11-30T02:59:00Z", "30"),
      ("2026-11-30T11:00:00Z", "30"), ("2026-11-30T22:30:00Z", "30"),
    ])
  func days(now: String, today: String) throws {
    #expect(try meaning("today 03:15", now: now) == "2026-11-\(today)T02:15:00.000000Z")
    #expect(try meaning("today 23:45", now: now) == "2026-11-\(today)T22:45:00.000000Z")
    #expect(try meaning("tomorrow 3pm", now: now) == "2026-12-01T14:00:00.000000Z")
    #expect(try meaning("3pm tomorrow", now: now) == "2026-12-01T14:00:00.000000Z")
    #expect(try meaning("yesterday 00:30", now: now) == "2026-11-28T23:30:00.000000Z")
    #expect(try meaning("tomorrow noon", now: now) == "2026-12-01T11:00:00.000000Z")
    #expect(
      try meaning("now - 2 days", now: now)
        == now.replacing("11-30", with: "11-28")
        .replacing("11-29", with: "11-27").replacing("00Z", with: "00.000000Z"))
  }

  /// Local base times of 2026-11-30, a Monday; what `HH:MM` and weekdays then mean, in local time.
  @Test(
    "without a day are the next one strictly after now",
    arguments: [
      ("00:30", "00:30", "12-01 00:30"), ("00:30", "00:31", "11-30 00:31"),
      ("00:30", "23:30", "11-30 23:30"), ("03:59", "03:59", "12-01 03:59"),
      ("03:59", "03:15", "12-01 03:15"), ("03:59", "04:00", "11-30 04:00"),
      ("12:00", "noon", "12-01 12:00"), ("12:00", "12:00:00.000001", "11-30 12:00"),
      ("12:00", "11:59:60", "12-01 12:00"), ("23:30", "23:29", "12-01 23:29"),
      ("23:30", "00:00", "12-01 00:00"), ("23:30", "23:59:60", "12-01 00:00"),
      ("12:00", "mon 09:00", "12-07 09:00"), ("03:59", "mon 09:00", "11-30 09:00"),
      ("12:00", "mon 12:00", "12-07 12:00"), ("00:30", "monday 00:31", "11-30 00:31"),
      ("23:30", "fri 09:00", "12-04 09:00"), ("23:30", "09:00 FRI", "12-04 09:00"),
      ("00:30", "sunday 24:00", "12-07 00:00"), ("23:30", "tue 00:00", "12-01 00:00"),
    ])
  func next(base: String, text: String, local: String) throws {
    let date = try #require(try resolved(text, now: "2026-11-30T\(base):00+01:00"))
    let shown = TimeFormat.local(microseconds: date.microseconds, zone: berlin)
    #expect(shown.hasPrefix("2026-\(local)"))
    #expect(date.isNextOccurrence)
    #expect(try date.microseconds > utc("2026-11-30T\(base):00+01:00"))
  }

  @Test("of a weekday in a named zone take that zone's day")
  func weekdayElsewhere() throws {
    // In New York it is still Sunday.
    let now = "2026-11-30T01:00:00Z"
    #expect(try meaning("sun 22:00 America/New_York", now: now) == "2026-11-30T03:00:00.000000Z")
    #expect(try meaning("today 22:00 America/New_York", now: now) == "2026-11-30T03:00:00.000000Z")
    #expect(try meaning("22:00 -05:00", now: now) == "2026-11-30T03:00:00.000000Z")
  }

  @Test("tell the zone, the wall time and where they came from")
  func provenance() throws {
    let date = try #require(try resolved("18:30 America/New_York"))
    #expect(date.zone.name == "America/New_York")
    #expect(date.isZoneGiven)
    #expect(date.wallTime?.hour == 18)
    #expect(date.wallTime?.date == CivilDate(year: 2026, month: 11, day: 30))
    let floating = try #require(try resolved("2026-12-01 18:30"))
    #expect(floating.zone.name == "Europe/Berlin")
    #expect(!floating.isZoneGiven)
    #expect(!floating.isNextOccurrence)
    #expect(try resolved("@5")?.wallTime == nil)
    #expect(try TimeExpression.parse("18:30 Asia/Tokyo").zoneName == "Asia/Tokyo")
    #expect(try TimeExpression.parse("25min").isSpan)
    #expect(try !TimeExpression.parse("now + 25min").isSpan)
  }
}
