import Testing

@testable import TimeExpressions

/// What holds at the changes of local time of every zone, 1970 to 2100.
@Suite("Every change of every zone", .enabled(if: !distinctZones.isEmpty))
struct TransitionTests {
  static let shares = 4

  /// Those that differ after 1970.
  static let zones: [TimeZoneRules] = {
    var seen: Set<[Int64]> = []
    return distinctZones.filter { zone in
      seen.insert(
        zone.transitions(from: 0, through: 4_102_444_800).flatMap {
          [$0.instant, Int64($0.type.offsetSeconds)]
        }
      ).inserted
    }
  }()

  private func forEachChange(
    share: Int,
    _ body: (TimeZoneRules, Int64, _ before: LocalTimeType, _ after: LocalTimeType) throws -> Void
  ) rethrows {
    for (index, zone) in Self.zones.enumerated() where index % Self.shares == share {
      let changes = zone.transitions(from: 86_400, through: 4_102_444_800)
      // From 2040 on it is nearly always the same rule, year after year: every seventh will do.
      for (number, change) in changes.enumerated()
      where change.instant < 2_208_988_800 || number % 7 == 0 {
        try body(
          zone, change.instant, zone.localTimeType(atSeconds: change.instant - 1), change.type)
      }
    }
  }

  @Test("maps its wall times back to the instants that show them", arguments: 0..<shares)
  func mapping(share: Int) {
    forEachChange(share: share) { zone, instant, before, after in
      let gap = Int64(after.offsetSeconds - before.offsetSeconds)
      for near in [
        instant - 86_401, instant - 1, instant, instant + 1, instant + gap.magnitudeAsInt64,
      ] {
        let local = near + Int64(zone.localTimeType(atSeconds: near).offsetSeconds)
        let mapping = zone.mapping(localSeconds: local)
        if !mapping.instants.contains(near) || mapping.instants != mapping.instants.sorted() {
          Issue.record("\(zone.name): \(near) is not in \(mapping)")
        }
      }
      guard gap > 0 else { return }
      // Inside the gap, by its first and last second: moved forward by it, so that it counts from
      // the offset before.
      for inside in [0, gap - 1] {
        let local = instant + Int64(before.offsetSeconds) + inside
        let mapping = zone.mapping(localSeconds: local)
        if !mapping.instants.isEmpty || mapping.afterGap != instant + inside
          || mapping.gapSeconds != gap
        {
          Issue.record("\(zone.name): \(local) in the gap at \(instant) is \(mapping)")
        }
      }
    }
  }

  @Test("lets a time without a day be strictly after now", arguments: 0..<shares)
  func strictlyAfter(share: Int) throws {
    let texts = try ["00:00", "sun 02:30"].map { try TimeExpression.parse($0) }
    try forEachChange(share: share) { zone, instant, _, after in
      for now in [instant - 1, instant, instant + 1800].map({ $0 * 1_000_000 }) {
        for text in texts {
          guard case .date(let date) = try text.resolve(now: now, zone: zone) else { continue }
          // A week, and a day that a zone may have skipped.
          if date.microseconds <= now || date.microseconds - now > 9 * 86_400_000_000 {
            Issue.record("\(zone.name) at \(now): \(date.microseconds)")
          }
        }
      }
      // The very wall time that is shown now is a later one.
      let wall = CivilTime(localSeconds: instant + Int64(after.offsetSeconds), microsecond: 0)
      guard
        case .date(let date) = try TimeExpression.parse(wall.clockText).resolve(
          now: instant * 1_000_000, zone: zone)
      else { return }
      if date.microseconds <= instant * 1_000_000 { Issue.record("\(zone.name) at \(instant)") }
    }
  }

  @Test("is written so that it reads back as the same instant", arguments: 0..<shares)
  func roundTrip(share: Int) throws {
    try forEachChange(share: share) { zone, instant, before, after in
      let size = Int64((after.offsetSeconds - before.offsetSeconds).magnitude)
      for seconds in [instant - 1, instant, instant + size - 1, instant - size] {
        let text = TimeFormat.local(microseconds: seconds * 1_000_000, zone: zone)
        guard
          case .date(let date) = try TimeExpression.parse(text).resolve(now: 0, zone: zone)
        else { continue }
        if date.microseconds != seconds * 1_000_000 {
          Issue.record("\(zone.name): '\(text)' of \(seconds) reads as \(date.microseconds)")
        }
      }
    }
  }

  @Test("of note is as people lived it")
  func noted() throws {
    let database = ZoneDatabase()
    func local(_ text: String, _ name: String) throws -> String {
      let zone = try database.rules(name)
      let date = try #require(try resolved(text, now: "2000-01-01T00:00:00Z", zone: zone))
      return TimeFormat.local(microseconds: date.microseconds, zone: zone)
    }
    // Samoa had no 30 December 2011: a gap of a day.
    #expect(try local("2011-12-30 18:30", "Pacific/Apia") == "2011-12-31 18:30:00 +14:00")
    // Troll goes from UTC to +02 and back.
    #expect(try local("2026-03-29 01:30", "Antarctica/Troll") == "2026-03-29 03:30:00 +02:00")
    // Dublin's summer time is its standard time.
    #expect(try local("2025-03-30 01:30", "Europe/Dublin") == "2025-03-30 02:30:00 IST")
    #expect(try local("2026-10-04 02:10", "Australia/Lord_Howe") == "2026-10-04 02:40:00 +11:00")
    // Casablanca leaves +01 for Ramadan; this time comes twice then.
    #expect(try local("2025-02-23 02:05", "Africa/Casablanca") == "2025-02-23 02:05:00 +01:00")
    #expect(try local("2025-04-06 02:30", "Africa/Casablanca") == "2025-04-06 03:30:00 +01:00")
    // Twice under one abbreviation: the offset tells the second.
    #expect(try local("2014-10-26 01:30", "Europe/Moscow") == "2014-10-26 01:30:00 MSK")
    #expect(try local("2014-10-26 01:30 +03:00", "Europe/Moscow") == "2014-10-26 01:30:00 +03:00")
  }
}

extension Int64 {
  fileprivate var magnitudeAsInt64: Int64 { self < 0 ? -self : self }
}
