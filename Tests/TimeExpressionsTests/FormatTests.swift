import Testing
import TimeExpressions

@Suite("Texts")
struct FormatTests {
  @Test(
    "of instants are local with the zone's name, or UTC",
    arguments: [
      ("2026-12-01T17:30:00Z", "2026-12-01 18:30:00 CET"),
      ("2026-07-01T16:30:00.25Z", "2026-07-01 18:30:00.250 CEST"),
      ("2026-12-01T17:30:00.000001Z", "2026-12-01 18:30:00.000001 CET"),
      ("9999-12-31T23:30:00Z", "9999-12-31 23:30:00 UTC"),
    ])
  func local(instant: String, text: String) throws {
    #expect(TimeFormat.local(microseconds: try utc(instant), zone: berlin) == text)
  }

  @Test("of instants outside the years 0 to 9999 are seconds")
  func outside() {
    #expect(TimeFormat.utc(microseconds: Int64.max) == "@9223372036854.775807")
    #expect(TimeFormat.utc(microseconds: Int64.min) == "@-9223372036854.775808")
    #expect(TimeFormat.utc(microseconds: -1) == "1969-12-31T23:59:59.999999Z")
    #expect(TimeFormat.local(microseconds: Int64.min, zone: berlin) == "@-9223372036854.775808")
  }

  @Test(
    "of distances have the two largest neighbouring units",
    arguments: [
      (1_500_000_000, "in 25min"), (-7_500_000_000, "2h 5min ago"), (0, "now"), (999, "now"),
      (-999, "now"), (1000, "in 1ms"), (1_500_000, "in 1s 500ms"), (12_345_678, "in 12s"),
      (59_999_999, "in 59s"), (60_000_000, "in 1min"), (90_061_000_000, "in 1d 1h"),
      (86_400_000_000, "in 1d"), (86_460_000_000, "in 1d"), (-86_399_999_999, "23h 59min ago"),
      (6_311_433_600_000_000, "in 73049d"),
    ] as [(Int64, String)])
  func distance(length: Int64, text: String) {
    #expect(TimeFormat.distance(from: 1_000_000_000_000, to: 1_000_000_000_000 + length) == text)
  }

  @Test("of distances take any two instants")
  func extremeDistances() {
    #expect(TimeFormat.distance(from: Int64.min, to: Int64.max) == "in 213503982d 8h")
    #expect(TimeFormat.distance(from: Int64.max, to: Int64.min) == "213503982d 8h ago")
  }

  @Test(
    "of instants read back as the same instant in every zone",
    arguments: [0xF0F0_0001, 0xF0F0_0002, 0xF0F0_0003] as [UInt64])
  func roundTrip(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let zones: [TimeZoneRules] = [berlin, newYork, lordHowe, .utc]
    for _ in 0..<3000 {
      let zone = zones.randomElement(using: &generator) ?? .utc
      var instant = Int64.random(in: 0...Instant.last, using: &generator)
      // Half of them where clocks change, in whole seconds or milliseconds half of the time.
      if Bool.random(using: &generator) {
        let year = Int64.random(in: 0...8000, using: &generator)
        let day = [86, 297, 69, 304, 276, 93].randomElement(using: &generator) ?? 0
        instant =
          (year * 31_556_952 + Int64(day) * 86_400) * 1_000_000
          + Int64.random(in: 0...345_600_000_000, using: &generator)
      }
      instant -=
        instant % ([1, 1000, 1_000_000, 1_800_000_000].randomElement(using: &generator) ?? 1)
      for text in [
        TimeFormat.local(microseconds: instant, zone: zone), TimeFormat.utc(microseconds: instant),
      ] {
        guard
          case .date(let date) = try TimeExpression.parse(text).resolve(now: 0, zone: zone)
        else {
          Issue.record("\(text) is no date, seed \(seed)")
          continue
        }
        #expect(date.microseconds == instant, "\(text) in \(zone.name), seed \(seed)")
      }
    }
  }
}
