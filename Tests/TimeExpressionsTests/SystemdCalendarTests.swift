import Testing

@testable import TimeExpressions

/// Deliberate differences, beside those that `CalendarExpression` names: systemd's years end with 2199;
/// it skips what falls into a gap, and in a repeated hour leaves it to mktime(3) which one is meant.
@Suite("What systemd says of repeats", .enabled(if: hasCommand("systemd-analyze")))
struct SystemdCalendarTests {
  /// Occurrences by expression, at most `iterations` each, in seconds since 1970. What this systemd
  /// does not read (252 knows no `50..50` of seconds and no `~4,25,11`) is left out.
  private func systemd(
    _ texts: [String], base: String, zone: String, iterations: Int
  ) throws -> [String: [Int64]] {
    let quoted = texts.map { "'\($0)'" }.joined(separator: " ")
    let command =
      "TZ=:\(zone) systemd-analyze calendar --iterations=\(iterations) --base-time='\(base)'"
    let said = try #require(lines(of: "\(command) \(quoted) 2>/dev/null || true"))
    var result: [String: [Int64]] = [:]
    var text = ""
    var original: String?
    for line in said {
      guard let colon = line.firstRange(of: ": ") else { continue }
      let label = line[..<colon.lowerBound].filter { $0 != " " }
      let value = String(line[colon.upperBound...])
      // Left out where the normal form is the same.
      if label == "Originalform" { original = value }
      if label == "Normalizedform" {
        text = original ?? value
        original = nil
        result[text] = []
      }
      // In UTC there is no line of its own for it.
      let isInstant =
        zone == "UTC" ? label == "Nextelapse" || label.hasPrefix("Iter.#") : label == "(inUTC)"
      if isInstant, value != "never" { result[text]?.append(try utc(value) / 1_000_000) }
    }
    return result
  }

  private func ours(
    _ text: String, after base: Int64, zone: TimeZoneRules, iterations: Int
  ) throws -> [Int64] {
    let calendar = try CalendarExpression.parse(text)
    var now = base * 1_000_000
    var result: [Int64] = []
    while result.count < iterations, let next = calendar.next(after: now, in: zone) {
      // systemd knows no later year.
      guard next.wallTime.date.year <= 2199 else { break }
      now = next.microseconds
      result.append(now / 1_000_000)
    }
    return result
  }

  private func compare(
    zone: TimeZoneRules, seed: UInt64, rounds: Int, isUsable: (Int64) -> Bool
  ) throws -> Int {
    var generator = SeededGenerator(seed: seed)
    var compared = 0
    for _ in 0..<rounds {
      let base = Int64.random(in: 700_000_000...2_600_000_000, using: &generator)
      var texts: [String] = []
      while texts.count < 50 {
        let text = CalendarText.random(using: &generator)
        if (try? CalendarExpression.parse(text)) != nil { texts.append(text) }
      }
      let wall = CivilTime(
        microseconds: base * 1_000_000,
        offsetSeconds: zone.localTimeType(atSeconds: base).offsetSeconds)
      let said = try systemd(
        texts, base: "\(TimeFormat.date(wall.date)) \(wall.clockText)", zone: zone.name,
        iterations: 4)
      for (text, answer) in said {
        let found = try ours(text, after: base, zone: zone, iterations: 4)
        guard isUsable(base), (found + answer).allSatisfy(isUsable) else { continue }
        compared += 1
        #expect(found == answer, "'\(text)' after \(base) in \(zone.name), seed \(seed)")
      }
    }
    return compared
  }

  @Test("is the same in UTC", arguments: [0x5CA_0001, 0x5CA_0002] as [UInt64])
  func utcOnly(seed: UInt64) throws {
    let zone = TimeZoneRules.utc
    #expect(try compare(zone: zone, seed: seed, rounds: 20) { _ in true } > 900)
  }

  @Test(
    "is the same in zones, a day and more from their changes",
    arguments: ["Europe/Berlin", "Australia/Lord_Howe", "America/St_Johns", "Asia/Kathmandu"])
  func zones(name: String) throws {
    guard let zone = try? ZoneDatabase().rules(name) else { return }
    let compared = try compare(zone: zone, seed: 0x5CA_0003, rounds: 6) { instant in
      zone.transitions(from: instant - 90_000, through: instant + 90_000).isEmpty
    }
    #expect(compared > 150)
  }

  @Test("is the same for its own examples")
  func examples() throws {
    let texts = [
      "Sat,Thu,Mon..Wed,Sat..Sun", "Wed *-1", "Wed..Wed,Wed *-1", "Wed, 17:48", "*-*-7 0:0:0",
      "10-15",
      "monday *-12-* 17:00", "Mon,Fri *-*-3,1,2 *:30:45", "12,14,13,12:20,10,30", "12..14:10,20,30",
      "mon,fri *-1/2-1,3 *:30:45", "03-05 08:05:40", "08:05:40", "05:40", "Sat,Sun 12-05 08:05:40",
      "Sat,Sun 08:05:40", "2033-03-05 05:40", "2033-02..04-05", "2033-03-05 05:40 UTC", "hourly",
      "daily",
      "daily UTC", "monthly", "weekly", "weekly UTC", "yearly", "annually", "quarterly",
      "semiannually",
      "minutely", "*:2/3", "*-02~03", "Mon *-05~07/1", "*-*~1..5 4:00", "*-*~5/2 4:00",
      "*-*~20/5 1:00",
      "0..23:00", "*-*-1..3/2,9 00:00", "*:5..10/2", "2026..2028-*-1", "*-*",
    ]
    let base = "2026-11-30 12:00:00"
    let said = try systemd(texts, base: base, zone: "UTC", iterations: 5)
    #expect(said.count == texts.count)
    for (text, answer) in said {
      let found = try ours(text, after: utc(base + " UTC") / 1_000_000, zone: .utc, iterations: 5)
      #expect(found == answer, "'\(text)'")
    }
  }
}
