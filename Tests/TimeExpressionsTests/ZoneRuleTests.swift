import Testing
import TimeExpressions

@Suite("Wall times at changes of the clock")
struct ZoneRuleTests {
  @Test("in a gap move forward by the gap and say so")
  func gap() throws {
    let date = try #require(try resolved("2027-03-28 02:30"))
    #expect(
      TimeFormat.local(microseconds: date.microseconds, zone: berlin) == "2027-03-28 03:30:00 CEST")
    #expect(date.adjustment == .movedPastGap(bySeconds: 3600))
    #expect(date.adjustment?.isMove == true)
    #expect(date.wallTime?.hour == 2)
    #expect(
      date.adjustment?.description == "clocks skip that time there; moved forward by 1h")
    // The first and last instants of the gap, and its neighbours.
    #expect(try resolved("2027-03-28 01:59:59.999999")?.adjustment == nil)
    #expect(try meaning("2027-03-28 02:00") == "2027-03-28T01:00:00.000000Z")
    #expect(try meaning("2027-03-28 02:59:59.999999") == "2027-03-28T01:59:59.999999Z")
    #expect(try resolved("2027-03-28 03:00")?.adjustment == nil)
    #expect(try meaning("2027-03-28 03:00") == "2027-03-28T01:00:00.000000Z")
  }

  @Test("in a gap of half an hour move by half an hour")
  func halfHourGap() throws {
    let date = try #require(try resolved("2026-10-04 02:10", zone: lordHowe))
    #expect(date.adjustment == .movedPastGap(bySeconds: 1800))
    #expect(
      TimeFormat.local(microseconds: date.microseconds, zone: lordHowe)
        == "2026-10-04 02:40:00 +11:00")
  }

  @Test("that occur twice are the first, unless an offset or abbreviation chooses")
  func twice() throws {
    let first = try #require(try resolved("2026-10-25 02:30"))
    #expect(first.adjustment == .firstOfTwo(offset: 7200, laterOffset: 3600))
    #expect(first.adjustment?.isMove == false)
    #expect(TimeFormat.utc(microseconds: first.microseconds) == "2026-10-25T00:30:00.000000Z")
    for later in ["+01:00", "+01:00[Europe/Berlin]", "+01:00 Europe/Berlin", "CET"] {
      #expect(try meaning("2026-10-25 02:30 \(later)") == "2026-10-25T01:30:00.000000Z")
      #expect(try resolved("2026-10-25 02:30 \(later)")?.adjustment == nil)
    }
    for earlier in ["+02:00", "+02:00[Europe/Berlin]", "CEST", "Europe/Berlin"] {
      #expect(try meaning("2026-10-25 02:30 \(earlier)") == "2026-10-25T00:30:00.000000Z")
    }
  }

  @Test("without a day are strictly after now, also inside a repeated hour and before a gap")
  func nextAtChanges() throws {
    // 02:45 the first time: 02:30 is past, so it is tomorrow's.
    #expect(try meaning("02:30", now: "2026-10-25T00:45:00Z") == "2026-10-26T01:30:00.000000Z")
    #expect(try meaning("02:30 CET", now: "2026-10-25T00:45:00Z") == "2026-10-25T01:30:00.000000Z")
    #expect(try meaning("09:00 CET", now: "2026-10-24T12:00:00Z") == "2026-10-25T08:00:00.000000Z")
    #expect(try meaning("02:30", now: "2026-10-25T00:29:59Z") == "2026-10-25T00:30:00.000000Z")
    #expect(try meaning("02:30", now: "2027-03-28T00:59:00Z") == "2027-03-28T01:30:00.000000Z")
    #expect(try meaning("02:30", now: "2027-03-28T01:30:00Z") == "2027-03-29T00:30:00.000000Z")
    #expect(try meaning("02:30", now: "2027-03-28T01:29:59Z") == "2027-03-28T01:30:00.000000Z")
  }

  @Test("with an offset that the zone has not then are refused, unless they are the same instant")
  func offsetInGap() throws {
    #expect(
      try meaning("2027-03-28T02:30+01:00[Europe/Berlin]") == "2027-03-28T01:30:00.000000Z")
    let error = try #require(try refusal("2027-03-28T02:30+02:00[Europe/Berlin]"))
    #expect(error.code == .contradiction)
    #expect(error.hint == "it is +02:00")
  }

  @Test("in a far year follow the rule")
  func farFuture() throws {
    #expect(try meaning("9999-07-01 12:00") == "9999-07-01T10:00:00.000000Z")
    #expect(try meaning("2400-02-29 12:00") == "2400-02-29T11:00:00.000000Z")
  }

  @Test(
    "rules are read in every form that POSIX and RFC 9636 have",
    arguments: [
      // Negative daylight saving time; all year daylight time; Julian days; hours beyond a day.
      ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-07-01T12:00:00Z", 3600, false, "IST"),
      ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-12-01T12:00:00Z", 0, true, "GMT"),
      ("XXX3EDT4,0/0,J365/23", "2026-01-01T02:59:59Z", -14400, true, "EDT"),
      ("XXX3EDT4,0/0,J365/23", "2026-07-01T00:00:00Z", -14400, true, "EDT"),
      ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T00:59:59Z", -7200, false, "-02"),
      ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T01:00:00Z", -3600, true, "-01"),
      ("EET-2EEST,M3.4.4/50,M10.4.4/50", "2026-03-27T23:59:59Z", 7200, false, "EET"),
      ("EET-2EEST,M3.4.4/50,M10.4.4/50", "2026-03-28T00:00:00Z", 10800, true, "EEST"),
      ("AAA0BBB,J60,J61", "2024-03-01T02:00:00Z", 3600, true, "BBB"),
      ("AAA0BBB,59,60", "2024-02-29T02:00:00Z", 3600, true, "BBB"),
      ("UTC0", "2026-01-01T00:00:00Z", 0, false, "UTC"),
      ("<+0545>-5:45", "2026-01-01T00:00:00Z", 20700, false, "+0545"),
      ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2026-01-01T00:00:00Z", 39600, true, "AEDT"),
    ] as [(String, String, Int, Bool, String)])
  func rules(rule: String, instant: String, offset: Int, isDaylight: Bool, name: String) throws {
    let zone = try #require(TimeZoneRules(zone: "test", posix: rule))
    let type = zone.localTimeType(atMicroseconds: try utc(instant))
    #expect(type.offsetSeconds == offset)
    #expect(type.isDaylight == isDaylight)
    #expect(type.abbreviation == name)
  }

  @Test(
    "rules that are none are refused",
    arguments: [
      "", "X", "Europe/Berlin", "CET", "CET-1CEST", "CET-25", "CET-1CEST,M3.5.0",
      "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0",
      "CET-1CEST,J0,J365", "CET-1CEST,366,1", "CET-1CEST,M3.5.0/168,M10.5.0", "CET-1:60",
      "<CET-1", "<>-1", "CET-1CEST,M3.5.0,M10.5.0 ", "CET--1", "C\u{301}ET-1",
    ])
  func noRules(rule: String) {
    #expect(TimeZoneRules(zone: "test", posix: rule) == nil)
  }

  @Test("any instant has a local time", arguments: [Int64.min, -1, 0, 1, Int64.max])
  func anyInstant(instant: Int64) {
    for zone in [berlin, newYork, lordHowe, .utc] {
      #expect(!TimeFormat.local(microseconds: instant, zone: zone).isEmpty)
    }
  }
}
