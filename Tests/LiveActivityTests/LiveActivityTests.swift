import JSON
import LiveActivity
import Testing

@Suite struct DateText {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0),
    ("2026-12-01T18:30:00Z", 1_796_149_800_000_000),
    ("2026-12-01 18:30:00+01:00", 1_796_146_200_000_000),
    ("2026-12-01t18:30:00.000001z", 1_796_149_800_000_001),
    ("2026-12-31T23:59:60Z", 1_798_761_600_000_000),
    ("2038-01-19T03:14:08Z", 2_147_483_648_000_000),
    ("2106-02-07T06:28:16Z", 4_294_967_296_000_000),
    ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999),
  ])
  func isRead(text: String, microseconds: Int64) throws {
    let date = try WallTime(rfc3339: text)
    #expect(date.microseconds == microseconds)
    #expect(try WallTime(rfc3339: date.rfc3339) == date)
  }

  @Test(arguments: [
    "", "2026", "2026-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2026-13-01T00:00:00Z",
    "2026-12-01T24:00:00Z", "2026-12-01T18:30:61Z", "2026-12-01T18:30Z", "2026-12-01T18:30:00",
    "2026-12-01T18:30:00.0000001Z", "2026-12-01T18:30:00.Z", "2026-12-01T18:30:00+1:00",
    "2026-12-01T18:30:00Z ", "1969-12-31T23:59:59Z", "1970-01-01T00:00:00+00:01",
    "9999-12-31T23:59:59-00:01", "9999-12-31T23:59:60Z", "+026-12-01T18:30:00Z",
  ])
  func isRefused(text: String) {
    #expect(throws: WallTime.ParseError.self) { try WallTime(rfc3339: text) }
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000000Z"), (1_796_149_800_000_001, "2026-12-01T18:30:00.000001Z"),
    (1_798_761_599_999_999, "2026-12-31T23:59:59.999999Z"),
    (253_402_300_799_999_999, "9999-12-31T23:59:59.999999Z"),
    // Beyond what is read, but a text all the same.
    (-1, "1969-12-31T23:59:59.999999Z"), (253_402_300_800_000_000, "10000-01-01T00:00:00.000000Z"),
    (Int64.max, "294247-01-10T04:00:54.775807Z"), (Int64.min, "-290308-12-21T19:59:05.224192Z"),
  ])
  func isWritten(microseconds: Int64, text: String) {
    #expect(WallTime(microseconds: microseconds).rfc3339 == text)
    #expect(WallTime(microseconds: microseconds).rfc3339Bytes == Array(text.utf8))
  }

  @Test func everyDayOf8000YearsComesBack() throws {
    for day in stride(from: Int64(0), to: 2_932_896, by: 61) {
      let date = WallTime(microseconds: day * 86_400_000_000)
      #expect(try WallTime(rfc3339: date.rfc3339) == date)
    }
  }
}

@Suite struct RoundingUp {
  @Test(arguments: [
    (0, 0), (1, 1000), (999, 1000), (1000, 1000), (1001, 2000), (-1, 0), (-1000, -1000),
    (Int64.max, Int64.max - Int64.max % 1000),
  ])
  func neverGoesBackButAtTheEndOfTime(from: Int64, to: Int64) {
    #expect(from.roundedUpToMillisecond == to)
  }
}

@Suite struct Texts {
  @Test func anIDIsComparedAsBytes() throws {
    #expect(try ActivityID("\u{e9}") != ActivityID("e\u{301}"))
    #expect(try ActivityID("a") == ActivityID("a"))
  }

  @Test(arguments: [
    "", String(repeating: "x", count: 256), "a\nb", "a\u{0}b", "\u{202E}abc", "\u{FFFE}",
    "\u{2028}", "\u{1B}[31m", "\u{85}", "\u{10FFFF}",
  ])
  func anIDThatCouldBreakAReaderIsRefused(text: String) {
    #expect(throws: InvalidValue.self) { try ActivityID(text) }
  }

  @Test func anAlertMayHaveLinesInItsBodyOnly() throws {
    #expect(try Alert(title: "a", body: "b\nc").body == "b\nc")
    #expect(throws: InvalidValue.self) { try Alert(title: "a\nb", body: "") }
    #expect(throws: InvalidValue.self) { try Alert(title: "", body: "\u{0}") }
  }

  @Test(arguments: ["everyone", "user:anna", "group:staff"])
  func anAudienceIsWrittenAsItIsRead(text: String) throws {
    #expect(try Audience(text).text == text)
  }

  @Test(arguments: ["", "all", "user:", "group:", "User:x"])
  func anotherAudienceIsRefused(text: String) {
    #expect(throws: InvalidValue.self) { try Audience(text) }
  }
}

@Suite struct WatchedActivities {
  @Test func aWallTimeGoesWithTheStartThatItWasFor() throws {
    let date = WallTime(microseconds: 1_796_149_500_000_000)
    let later = WallTime(microseconds: date.microseconds + 60_000_000)
    var pending = Activity(
      id: "a", owner: .root, session: 1, sequence: 1, state: .pending, attributesType: "T",
      attributes: .emptyObject,
      content: Content(state: .emptyObject, staleDate: nil, relevanceScore: nil),
      createdDate: date)
    pending.startDate = date
    pending.localStart = LocalStart(WallStart(local: "2026-12-01T18:25:00", zone: "UTC"))
    func after(_ kind: EventKind, _ start: WallTime) -> Activity {
      var event = ActivityEvent(sequence: 2, date: date, kind: kind)
      (event.to, event.startDate) = (.pending, start)
      var activity = pending
      activity.apply(event)
      return activity
    }
    #expect(after(.rescheduled, date).localStart == pending.localStart)
    #expect(after(.rescheduled, later).localStart == nil)
    #expect(after(.rescheduled, later).startDate == later)
    #expect(after(.skipped, later).localStart == nil)
    #expect(after(.skipped, later).startDate == later)
  }
}
