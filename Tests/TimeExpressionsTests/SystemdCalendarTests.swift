import Testing

@testable import TimeExpressions

/// Deliberate differences, each kept out of what is generated here or allowed for below:
/// - What falls into a gap moves forward by it; systemd leaves it out, so that a daily one has a day
///   without. In an hour that comes twice it leaves to mktime(3) which one is meant; here the first.
/// - A step never runs past the end of its component. systemd (252) adds it all the same, and where the
///   sum carries over two components, looks on from there: `*:0/45` goes from 23:45 to 00:45.
/// - Years have four digits and go on to 9999; systemd's end with 2199, and it reads 70 as 1970.
/// - What never comes, `Mon-Fri`, `@SECONDS` and a seventh digit of a second are refused.
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

  private func texts(_ count: Int, using generator: inout SeededGenerator) -> [String] {
    var texts: Set<String> = []
    while texts.count < count {
      let text = CalendarText.random(using: &generator)
      if (try? CalendarExpression.parse(text)) != nil { texts.insert(text) }
    }
    return texts.sorted()
  }

  private func written(_ instant: Int64, in zone: TimeZoneRules) -> String {
    let wall = CivilTime(
      microseconds: instant * 1_000_000,
      offsetSeconds: zone.localTimeType(atSeconds: instant).offsetSeconds)
    return "\(TimeFormat.date(wall.date)) \(wall.clockText)"
  }

  /// How many were compared, and in how many systemd had to be asked without steps.
  private func compare(
    zone: TimeZoneRules, seed: UInt64, rounds: Int, isUsable: (Int64) -> Bool = { _ in true }
  ) throws -> (all: Int, spelled: Int) {
    var generator = SeededGenerator(seed: seed)
    var count = (all: 0, spelled: 0)
    for _ in 0..<rounds {
      let base = Int64.random(in: 700_000_000...2_600_000_000, using: &generator)
      guard isUsable(base) else { continue }
      let wall = written(base, in: zone)
      var differing: [String: (text: String, found: [Int64])] = [:]
      let said = try systemd(
        texts(50, using: &generator), base: wall, zone: zone.name, iterations: 4)
      for (text, answer) in said {
        let found = try ours(text, after: base, zone: zone, iterations: 4)
        guard (found + answer).allSatisfy(isUsable) else { continue }
        count.all += 1
        if found != answer { differing[CalendarText.withoutSteps(text)] = (text, found) }
      }
      if differing.isEmpty { continue }
      let again = try systemd(
        Array(differing.keys), base: wall, zone: zone.name, iterations: 4)
      for (spelled, difference) in differing {
        count.spelled += 1
        #expect(
          again[spelled] == difference.found && spelled != difference.text,
          "'\(difference.text)' after \(base) in \(zone.name), seed \(seed)")
      }
    }
    return count
  }

  @Test("is the same in UTC", arguments: [0x5CA_0001, 0x5CA_0002, 0x5CA_0003] as [UInt64])
  func utcOnly(seed: UInt64) throws {
    let count = try compare(zone: .utc, seed: seed, rounds: 24)
    #expect(count.all > 1100 && count.spelled < 100, "\(count)")
  }

  private static func zones(_ count: Int, seed: UInt64) -> [TimeZoneRules] {
    var generator = SeededGenerator(seed: seed)
    return Array(TransitionTests.zones.shuffled(using: &generator).prefix(count))
  }

  @Test("is the same in zones, a day and more from their changes")
  func zones() throws {
    let seed: UInt64 = 0x5CA_0004
    var count = (all: 0, spelled: 0)
    for (index, zone) in Self.zones(30, seed: seed).enumerated() {
      let part = try compare(zone: zone, seed: seed + UInt64(index), rounds: 3) { instant in
        zone.transitions(from: instant - 90_000, through: instant + 90_000).isEmpty
      }
      count = (count.all + part.all, count.spelled + part.spelled)
    }
    #expect(count.all > 2500 && count.spelled < 250, "\(count)")
  }

  /// Around a change only the wall times can be compared: systemd is asked for them in UTC, and the rule
  /// for gaps and for what comes twice is applied to its answer.
  @Test("is the same wall times around changes")
  func changes() throws {
    let seed: UInt64 = 0x5CA_0005
    var generator = SeededGenerator(seed: seed)
    var compared = 0
    for zone in Self.zones(30, seed: seed) {
      let all = zone.transitions(from: 700_000_000, through: 2_600_000_000).map(\.instant)
      guard let change = all.randomElement(using: &generator) else { continue }
      let back = [900, 7000, 30_000, 80_000].randomElement(using: &generator) ?? 900
      let base = change - Int64(back)
      // One change at a time.
      if all.contains(where: { $0 != change && (base - 90_000...change + 180_000).contains($0) }) {
        continue
      }
      var asked: [String: String] = [:]
      for text in texts(40, using: &generator) { asked[CalendarText.withoutSteps(text)] = text }
      let said = try systemd(
        Array(asked.keys), base: written(base, in: zone), zone: "UTC", iterations: 40)
      for (spelled, walls) in said {
        guard let text = asked[spelled], let last = walls.last,
          let end = zone.mapping(localSeconds: last).first, end > change + 90_000
        else { continue }
        let horizon = end - 90_000
        let expected = Set(walls.compactMap { zone.mapping(localSeconds: $0).first })
          .filter { $0 > base && $0 <= horizon }.sorted()
        let found = try ours(text, after: base, zone: zone, iterations: walls.count + 1)
          .filter { $0 <= horizon }
        compared += 1
        #expect(found == expected, "'\(text)' after \(base) in \(zone.name), seed \(seed)")
      }
    }
    #expect(compared > 300, "\(compared)")
  }

  /// The one difference that is systemd's own: written without a step it agrees.
  @Test(
    "misses what comes after a step past the end of a day, a month or an hour",
    arguments: [
      ("*:0/45", "*:0,45", "2026-11-30 23:45:00"), ("*:*:0/45", "*:*:0,45", "2026-11-30 12:59:45"),
      ("0/7:00", "0,7,14,21:00", "2026-11-30 21:00:00"),
      ("*-*-1/25", "*-*-1,26", "2026-12-26 00:00:00"),
    ])
  func steps(text: String, spelled: String, base: String) throws {
    let instant = try utc(base + " UTC") / 1_000_000
    let said = try systemd([text, spelled], base: base, zone: "UTC", iterations: 3)
    let found = try ours(text, after: instant, zone: .utc, iterations: 3)
    #expect(found == said[spelled])
    #expect(CalendarText.withoutSteps(text).hasPrefix(spelled))
    // A later systemd may have mended it; what it says is never a date that is none of ours.
    let more = try ours(text, after: instant, zone: .utc, iterations: 6)
    #expect((said[text] ?? []).allSatisfy(more.contains))
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
