import Testing

@testable import TimeExpressions

@Suite("A wall time apart from its instant")
struct WallClockTests {
  @Test(
    "is read and written without an offset",
    arguments: [
      ("2026-12-01T18:30", "2026-12-01T18:30:00"), ("2026-12-01 18:30:05", "2026-12-01T18:30:05"),
      ("2026-12-01t18:30:05.25", "2026-12-01T18:30:05.250"),
      ("1970-01-01T00:00:00.000001", "1970-01-01T00:00:00.000001"),
      ("0000-02-29T23:59:59.999999", "0000-02-29T23:59:59.999999"),
    ])
  func reads(text: String, written: String) {
    #expect(CivilTime(iso: text)?.iso == written)
  }

  @Test(
    "is refused with anything else",
    arguments: [
      "", "2026-12-01", "2026-12-01T", "2026-12-01T18", "2026-12-01T18:3", "2026-12-01T18:30Z",
      "2026-12-01T18:30:00+01:00", "2026-02-29T10:00", "2026-13-01T10:00", "2026-12-01T24:00",
      "2026-12-01T23:59:60", "2026-12-01T18:30:00.", "2026-12-01T18:30:00.1234567",
      "2026-12-01T18:30:", "26-12-01T18:30", "2026-12-01T18:30:0٣", "２026-12-01T18:30",
      "2026-12-01X18:30", "+026-12-01T18:30", "2026-12-01T-1:30",
    ])
  func refuses(text: String) {
    #expect(CivilTime(iso: text) == nil, "\(text)")
  }

  @Test("moves past a gap, and chooses of two")
  func changes() throws {
    let gap = berlin.instant(of: try #require(CivilTime(iso: "2027-03-28T02:30")))
    #expect(gap.microseconds == (try utc("2027-03-28T01:30:00Z")))
    #expect(gap.adjustment == .movedPastGap(bySeconds: 3600))
    let twice = try #require(CivilTime(iso: "2026-10-25T02:30"))
    #expect(berlin.instant(of: twice).microseconds == (try utc("2026-10-25T00:30:00Z")))
    #expect(berlin.instant(of: twice).adjustment != nil)
    let second = berlin.instant(of: twice, second: true)
    #expect(second.microseconds == (try utc("2026-10-25T01:30:00Z")))
    #expect(second.adjustment == nil)
    let plain = try #require(CivilTime(iso: "2026-12-01T18:30"))
    #expect(berlin.instant(of: plain, second: true) == berlin.instant(of: plain))
  }

  @Test("that lies further off than microseconds count ends where they do")
  func edges() throws {
    for year in [-999_999, -290_310, 294_248, 999_999] {
      let date = try #require(CivilDate(year: year, month: 6, day: 1))
      let wall = CivilTime(localSeconds: date.daysSince1970 * 86_400, microsecond: 999_999)
      #expect(berlin.instant(of: wall).microseconds == (year < 0 ? .min : .max))
    }
    for instant in [Int64.min, .max] {
      let wall = berlin.wallClock(atMicroseconds: instant)
      let back = berlin.instant(of: wall.time, second: wall.isSecond).microseconds
      #expect((back < 0) == (instant < 0))
    }
  }

  @Test("comes back from its instant, in every zone and at every change")
  func roundTrip() throws {
    for name in ZoneDatabase().names {
      let zone = try ZoneDatabase().rules(name)
      for change in zone.transitions(from: 0, through: 4_102_444_800) {
        for instant in [-7200, -1, 0, 1, 1800, 7200].map({ change.instant + $0 }) {
          let shown = zone.wallClock(atMicroseconds: instant * 1_000_000)
          let back = zone.instant(of: shown.time, second: shown.isSecond)
          #expect(back.microseconds == instant * 1_000_000, "\(name) at \(instant)")
        }
      }
    }
  }

  @Test(
    "is what an expression asks for, or not",
    arguments: [
      ("2026-12-01 18:30", true, true), ("tomorrow 09:00 Europe/Berlin", true, true),
      ("fri 09:00", true, false), ("18:30", true, false), ("18:30 CET", true, false),
      ("2026-12-01T18:30+01:00[Europe/Berlin]", true, true), ("2026-12-01T18:30Z", false, true),
      ("2026-12-01T17:30Z[Europe/Berlin]", false, true), ("18:30 +02:00", false, false),
      ("@1893456000", false, true), ("now", false, true), ("25min", false, true),
      ("tomorrow 09:00 + 2h", true, true),
    ])
  func kinds(text: String, isWallTime: Bool, isOnce: Bool) throws {
    let expression = try TimeExpression.parse(text)
    #expect(expression.isWallTime == isWallTime)
    #expect(expression.isOnce == isOnce)
  }
}
