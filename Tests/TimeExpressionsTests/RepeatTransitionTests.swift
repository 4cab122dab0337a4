import Testing

@testable import TimeExpressions

/// What a repeat does around every change of local time of every zone, 1970 to 2100: schedulers have
/// given the same instant for ever, gone silent, or come twice.
@Suite("A repeat at every change of every zone", .enabled(if: !distinctZones.isEmpty))
struct RepeatTransitionTests {
  static let shares = 4

  /// The instants from which to look on, in microseconds: around the change, and around both passes of
  /// what it repeats or leaves out. Later on it is the same rule year after year: fewer will do.
  private static func bases(_ change: Int64, size: Int64) -> [Int64] {
    if change > 2_208_988_800 {
      return [change * 1_000_000 - 1, change * 1_000_000, (change + size / 2) * 1_000_000]
    }
    let points = size == 0 ? [change] : [change - size, change, change + size / 2, change + size]
    return points.flatMap { [$0 * 1_000_000 - 1, $0 * 1_000_000] }.sorted()
  }

  /// Hourly, half-hourly and minutely ones, the day's wall times before and after the change, and
  /// one in the middle of what is left out or comes twice.
  private static func calendars(
    _ change: Int64, before: Int, after: Int
  ) throws -> [(CalendarExpression, longest: Int64)] {
    let low = change + Int64(min(before, after))
    let walls = [low, low + Int64((after - before).magnitude) / 2].map {
      CivilTime(localSeconds: $0, microsecond: 0).clockText
    }
    let daily = try walls.map { (try CalendarExpression.parse($0), longest: 48 * hour) }
    return frequent + daily
  }

  private static let frequent: [(CalendarExpression, longest: Int64)] = [
    ("hourly", hour), ("*:0/30", 1800), ("minutely", 60), ("02:30", 24 * hour),
  ].compactMap { text, longest in
    (try? CalendarExpression.parse(text)).map { ($0, longest) }
  }
  private static let hour: Int64 = 3600

  @Test("is strictly after the time asked about, near, and the first of all", arguments: 0..<shares)
  func next(share: Int) throws {
    for (index, zone) in TransitionTests.zones.enumerated() where index % Self.shares == share {
      for change in zone.transitions(from: 172_800, through: 4_102_444_800) {
        let before = zone.localTimeType(atSeconds: change.instant - 1).offsetSeconds
        let size = Int64((change.type.offsetSeconds - before).magnitude)
        // Where only the name changes, nothing does.
        if size == 0 { continue }
        let bases = Self.bases(change.instant, size: size)
        for (calendar, longest) in try Self.calendars(
          change.instant, before: before, after: change.type.offsetSeconds)
        {
          var last: (base: Int64, next: Int64)?
          for base in bases {
            guard let found = calendar.next(after: base, in: zone) else {
              Issue.record("\(zone.name): nothing after \(base)")
              continue
            }
            let next = found.microseconds
            // In what comes twice a repeat waits for as long as that is.
            if next <= base || next - base > (longest + 2 * size) * 1_000_000 {
              Issue.record("\(zone.name): \(next) after \(base)")
            }
            // Nothing lies between, whichever time one looks from.
            if let last, last.next > base ? next != last.next : next <= last.next {
              Issue.record("\(zone.name): \(next) after \(base), \(last.next) after \(last.base)")
            }
            // One rule for all: the same wall time, asked for once, is the same instant.
            if zone.instant(of: found.wallTime).microseconds != next {
              Issue.record("\(zone.name): \(found.wallTime.iso) is not \(next)")
            }
            last = (base, next)
          }
        }
      }
    }
  }

  /// Once a second, where the search has the most to pass over.
  @Test("goes on second by second", arguments: ["*:*:*", "*:*:0/15", "*:*:59.5"])
  func seconds(text: String) throws {
    let calendar = try CalendarExpression.parse(text)
    for zone in TransitionTests.zones {
      let changes = zone.transitions(from: 172_800, through: 4_102_444_800)
      for change in changes.prefix(20) + changes.suffix(2) {
        let before = zone.localTimeType(atSeconds: change.instant - 1).offsetSeconds
        let size = Int64((change.type.offsetSeconds - before).magnitude)
        for base in Self.bases(change.instant, size: size) {
          guard let next = calendar.next(after: base, in: zone)?.microseconds, next > base,
            next - base <= (60 + size) * 1_000_000
          else {
            Issue.record("\(zone.name) after \(base)")
            continue
          }
        }
      }
    }
  }

  typealias Row = (text: String, zone: String, base: String, dates: [String])

  @Test(
    "of note goes on as people would have it",
    arguments: [
      // The day that New York's clocks go forward is not left out.
      (
        "02:00", "America/New_York", "2027-03-13T12:00:00Z",
        ["2027-03-14 03:00:00 EDT", "2027-03-15 02:00:00 EDT"]
      ),
      ("2027-03-28 02:30", "Europe/Warsaw", "2027-03-01T00:00:00Z", ["2027-03-28 03:30:00 CEST"]),
      ("2026-10-25 02:30", "Europe/Warsaw", "2026-10-01T00:00:00Z", ["2026-10-25 02:30:00 CEST"]),
      (
        "hourly", "Europe/Dublin", "2025-03-29T23:59:00Z",
        ["2025-03-30 00:00:00 GMT", "2025-03-30 02:00:00 IST", "2025-03-30 03:00:00 IST"]
      ),
      (
        "01:30", "Europe/Dublin", "2025-10-25T12:00:00Z",
        ["2025-10-26 01:30:00 IST", "2025-10-27 01:30:00 GMT"]
      ),
      // From inside the second pass of an hour that comes twice.
      (
        "03:45", "Europe/Helsinki", "2017-10-29T01:45:00Z",
        ["2017-10-30 03:45:00 EET", "2017-10-31 03:45:00 EET"]
      ),
      (
        "*:0/15", "Europe/Helsinki", "2017-10-29T01:10:00Z",
        ["2017-10-29 04:00:00 EET", "2017-10-29 04:15:00 EET"]
      ),
      (
        "02:05", "Africa/Casablanca", "2025-02-22T12:00:00Z",
        ["2025-02-23 02:05:00 +01:00", "2025-02-24 02:05:00 +00:00"]
      ),
      (
        "02:30", "Africa/Casablanca", "2025-04-05T12:00:00Z",
        ["2025-04-06 03:30:00 +01:00", "2025-04-07 02:30:00 +01:00"]
      ),
      (
        "02:15", "Australia/Lord_Howe", "2026-10-03T00:00:00Z",
        ["2026-10-04 02:45:00 +11:00", "2026-10-05 02:15:00 +11:00"]
      ),
      (
        "01:45", "Australia/Lord_Howe", "2026-04-04T00:00:00Z",
        ["2026-04-05 01:45:00 +11:00", "2026-04-06 01:45:00 +10:30"]
      ),
      (
        "01:30", "Antarctica/Troll", "2026-03-28T12:00:00Z",
        ["2026-03-29 03:30:00 +02:00", "2026-03-30 01:30:00 +02:00"]
      ),
      (
        "*:0/30", "Antarctica/Troll", "2026-10-24T23:30:00Z",
        ["2026-10-25 02:00:00 +02:00", "2026-10-25 02:30:00 +02:00", "2026-10-25 03:00:00 +00:00"]
      ),
      // Samoa had no 30 December 2011; its alarm comes with the next day's, once.
      (
        "08:00", "Pacific/Apia", "2011-12-29T00:00:00Z",
        ["2011-12-29 08:00:00 -10:00", "2011-12-31 08:00:00 +14:00", "2012-01-01 08:00:00 +14:00"]
      ),
      (
        "Fri 08:00", "Pacific/Apia", "2011-12-25T00:00:00Z",
        ["2011-12-31 08:00:00 +14:00", "2012-01-06 08:00:00 +14:00"]
      ),
      // Days of 23 and 25 hours, and one that begins at 01:00.
      (
        "00:00", "Europe/Berlin", "2027-03-27T23:00:00Z",
        ["2027-03-29 00:00:00 CEST", "2027-03-30 00:00:00 CEST"]
      ),
      (
        "00:00", "Europe/Berlin", "2026-10-24T22:00:00Z",
        ["2026-10-26 00:00:00 CET", "2026-10-27 00:00:00 CET"]
      ),
      (
        "daily", "America/Sao_Paulo", "2018-11-03T12:00:00Z",
        ["2018-11-04 01:00:00 -02:00", "2018-11-05 00:00:00 -02:00"]
      ),
      // An hour that comes twice, at midnight: the date goes back with it.
      (
        "23:30", "America/Sao_Paulo", "2019-02-16T12:00:00Z",
        ["2019-02-16 23:30:00 -02:00", "2019-02-17 23:30:00 -03:00"]
      ),
    ] as [Row])
  func noted(row: Row) throws {
    let zone = try ZoneDatabase().rules(row.zone)
    let calendar = try CalendarExpression.parse(row.text)
    var now = try utc(row.base)
    var found: [String] = []
    for _ in row.dates {
      guard let next = calendar.next(after: now, in: zone)?.microseconds else { break }
      now = next
      found.append(TimeFormat.local(microseconds: now, zone: zone))
    }
    #expect(found == row.dates)
    // What is asked for once, with a date, is the same instant.
    for text in row.dates {
      guard let date = try resolved(text, zone: zone) else { continue }
      #expect(TimeFormat.local(microseconds: date.microseconds, zone: zone) == text)
    }
  }

  /// No look takes longer for how far it looks, or for how many dates lie between.
  @Test(
    "takes bounded time, however far",
    .timeLimit(.minutes(3)),
    arguments: [
      "Europe/Dublin", "Australia/Lord_Howe", "Pacific/Apia", "Africa/Casablanca",
      "Antarctica/Troll", "Europe/Berlin", "UTC",
    ])
  func bounded(name: String) throws {
    let zone = try name == "UTC" ? .utc : ZoneDatabase().rules(name)
    let texts = [
      "*:*:*", "*:*:0/7", "minutely", "hourly", "02:30", "Sun *-02-29 01:30", "2400-*-* *:*:*",
      "*-*-31 02:30", "9999-12-31 12:00", "Mon *-01-01 00:00", "1970..2037-*-* *:*:*",
    ]
    for text in texts {
      let calendar = try CalendarExpression.parse(text)
      var last = Int64.min
      for year in stride(from: 1970, through: 9999, by: 11) {
        let base = try utc("\(year)-03-28T01:00:00Z")
        guard let next = calendar.next(after: base, in: zone)?.microseconds else { continue }
        #expect(next > base && next >= last, "\(text) after \(year)")
        last = next
      }
      // A step of the clock of four hundred years, both ways.
      for (from, to) in [("2026", "2426"), ("2426", "2026")] {
        let base = try utc("\(to)-06-01T00:00:00Z")
        guard let next = calendar.next(after: base, in: zone) else { continue }
        #expect(next.microseconds > base, "\(text) from \(from) to \(to)")
      }
    }
  }
}
