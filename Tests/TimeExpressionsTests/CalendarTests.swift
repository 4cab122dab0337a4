import Testing

@testable import TimeExpressions

@Suite("Repeats")
struct CalendarTests {
  /// The first occurrences after a base time, local to the zone.
  private func occurrences(
    _ text: String, after base: String = "2026-11-30T11:00:00Z", count: Int = 3,
    zone: TimeZoneRules = berlin
  ) throws -> [String] {
    let calendar = try CalendarExpression.parse(text)
    let rules = try calendar.rules(zone: zone, zones: lookUp)
    var now = try utc(base)
    var result: [String] = []
    while result.count < count, let next = calendar.next(after: now, in: rules) {
      #expect(next.microseconds > now)
      now = next.microseconds
      result.append(TimeFormat.local(microseconds: now, zone: rules))
    }
    return result
  }

  @Test(
    "are weekdays, dates and times",
    arguments: [
      ("Mon..Fri 09:00 Europe/Berlin", "2026-12-01 09:00:00 CET", "2026-12-02 09:00:00 CET"),
      ("fri 09:00", "2026-12-04 09:00:00 CET", "2026-12-11 09:00:00 CET"),
      ("Wed, 17:48", "2026-12-02 17:48:00 CET", "2026-12-09 17:48:00 CET"),
      ("Sat,Thu,Mon..Wed", "2026-12-01 00:00:00 CET", "2026-12-02 00:00:00 CET"),
      ("*-*-1,15 10:00/20", "2026-12-01 10:00:00 CET", "2026-12-01 10:20:00 CET"),
      ("10-15", "2027-10-15 00:00:00 CEST", "2028-10-15 00:00:00 CEST"),
      ("2028..2030-02-29 12:00", "2028-02-29 12:00:00 CET", ""),
      ("*-02-29", "2028-02-29 00:00:00 CET", "2032-02-29 00:00:00 CET"),
      ("Mon *-02-29", "2044-02-29 00:00:00 CET", "2072-02-29 00:00:00 CET"),
      ("*-02~03", "2027-02-26 00:00:00 CET", "2028-02-27 00:00:00 CET"),
      ("Mon *-05~07/1", "2027-05-31 00:00:00 CEST", "2028-05-29 00:00:00 CEST"),
      ("*-*~01 18:30", "2026-11-30 18:30:00 CET", "2026-12-31 18:30:00 CET"),
      ("*:0/20", "2026-11-30 12:20:00 CET", "2026-11-30 12:40:00 CET"),
      ("12,14,13,12:20,10,30", "2026-11-30 12:10:00 CET", "2026-11-30 12:20:00 CET"),
      ("*:*:0/30.25", "2026-11-30 12:00:30.250 CET", "2026-11-30 12:01:00 CET"),
      ("*:*:*", "2026-11-30 12:00:01 CET", "2026-11-30 12:00:02 CET"),
      ("minutely", "2026-11-30 12:01:00 CET", "2026-11-30 12:02:00 CET"),
      ("hourly", "2026-11-30 13:00:00 CET", "2026-11-30 14:00:00 CET"),
      ("daily UTC", "2026-12-01 00:00:00 UTC", "2026-12-02 00:00:00 UTC"),
      ("weekly", "2026-12-07 00:00:00 CET", "2026-12-14 00:00:00 CET"),
      ("monthly", "2026-12-01 00:00:00 CET", "2027-01-01 00:00:00 CET"),
      ("quarterly", "2027-01-01 00:00:00 CET", "2027-04-01 00:00:00 CEST"),
      ("semiannually", "2027-01-01 00:00:00 CET", "2027-07-01 00:00:00 CEST"),
      ("yearly America/New_York", "2027-01-01 00:00:00 EST", "2028-01-01 00:00:00 EST"),
      ("9999-12-31 23:59:59 UTC", "9999-12-31 23:59:59 UTC", ""),
    ])
  func next(text: String, first: String, second: String) throws {
    let found = try occurrences(text, count: 2)
    #expect(found == (second.isEmpty ? [first] : [first, second]))
  }

  @Test(
    "in a gap move forward, in a repeated hour count once",
    arguments: [
      // The gap of 2027-03-28, 02:00 to 03:00.
      ("02:30", "2027-03-27T12:00:00Z", ["2027-03-28 03:30:00 CEST", "2027-03-29 02:30:00 CEST"]),
      (
        "*:0/30", "2027-03-28T00:30:00Z",
        ["2027-03-28 03:00:00 CEST", "2027-03-28 03:30:00 CEST", "2027-03-28 04:00:00 CEST"]
      ),
      (
        "2:10,50", "2027-03-28T01:10:00Z", ["2027-03-28 03:50:00 CEST", "2027-03-29 02:10:00 CEST"]
      ),
      (
        "2,3:15,45", "2027-03-28T00:59:00Z",
        ["2027-03-28 03:15:00 CEST", "2027-03-28 03:45:00 CEST", "2027-03-29 02:15:00 CEST"]
      ),
      (
        "Sun 02:30", "2027-03-27T12:00:00Z",
        ["2027-03-28 03:30:00 CEST", "2027-04-04 02:30:00 CEST"]
      ),
      // The hour that comes twice, 2026-10-25, 02:00 to 03:00.
      ("02:30", "2026-10-24T12:00:00Z", ["2026-10-25 02:30:00 CEST", "2026-10-26 02:30:00 CET"]),
      (
        "*:0/30", "2026-10-24T23:45:00Z",
        ["2026-10-25 02:00:00 CEST", "2026-10-25 02:30:00 CEST", "2026-10-25 03:00:00 CET"]
      ),
      ("*:*:*", "2026-10-25T00:59:59Z", ["2026-10-25 03:00:00 CET"]),
      ("*:*:*", "2026-10-25T01:30:00Z", ["2026-10-25 03:00:00 CET"]),
    ] as [(String, String, [String])])
  func changes(text: String, base: String, expected: [String]) throws {
    if expected.isEmpty {
      #expect(throws: TimeExpressionError.self) { try CalendarExpression.parse(text) }
    } else {
      #expect(try occurrences(text, after: base, count: expected.count) == expected)
    }
  }

  @Test("tell what was adjusted")
  func adjustments() throws {
    let calendar = try CalendarExpression.parse("02:30")
    let gap = try #require(calendar.next(after: utc("2027-03-27T12:00:00Z"), in: berlin))
    #expect(gap.adjustment == .movedPastGap(bySeconds: 3600))
    #expect(gap.wallTime.hour == 2)
    let twice = try #require(calendar.next(after: utc("2026-10-24T12:00:00Z"), in: berlin))
    #expect(twice.adjustment == .firstOfTwo(offset: 7200, laterOffset: 3600))
    let plain = try #require(calendar.next(after: utc("2026-12-01T00:00:00Z"), in: berlin))
    #expect(plain.adjustment == nil)
  }

  typealias Row = (text: String, column: Int, code: TimeExpressionError.Code)

  @Test(
    "that are none are refused with the column",
    arguments: [
      ("", 1, .empty), ("*", 1, .syntax), ("10", 1, .syntax), ("Mon..", 6, .incomplete),
      ("Mon-Fri", 4, .syntax), ("Sat..Tue", 1, .contradiction), ("Mon,,Tue", 5, .syntax),
      ("Montag", 1, .syntax), ("23..5:00", 1, .contradiction), ("60:00", 1, .noSuchTime),
      ("24:00", 1, .noSuchTime), ("*:60", 3, .noSuchTime), ("*:0:60", 5, .noSuchTime),
      ("*-13-01", 3, .noSuchTime), ("*-*-32", 5, .noSuchTime), ("*-0-1", 3, .noSuchTime),
      ("*-02-31", 1, .noSuchTime), ("*-02-30 10:00", 1, .noSuchTime),
      ("*-04,06-31", 1, .noSuchTime),
      ("Mon 2026-12-01", 1, .noSuchTime), ("2026-02-29", 1, .noSuchTime),
      ("2027-02~29", 9, .noSuchTime),
      ("1969-01-01", 1, .noSuchTime), ("10000-01-01", 1, .noSuchTime), ("26-01-01", 1, .ambiguous),
      ("*:0/0", 5, .noSuchTime), ("0/25:00", 3, .noSuchTime), ("*/5:00", 2, .syntax),
      ("*:*:0.1234567", 7, .tooFine), ("09:00 europe berlin", 14, .syntax),
      ("09:00 +01:00", 7, .syntax),
      ("09:00 Mon..Fri", 7, .syntax), ("@1796146200", 1, .syntax), ("Mon Tue 09:00", 9, .syntax),
      ("hourly 09:00", 8, .syntax), ("09:00:00:00", 9, .syntax), ("*-*-*-* 09:00", 6, .syntax),
      ("*:55/20", 3, .noSuchTime), ("23/1:00", 1, .noSuchTime),
      ("*-*-1T09:00", 6, .syntax), ("9999999999:00", 1, .noSuchTime), ("Europe/Berlin", 1, .syntax),
    ] as [Row])
  func refused(row: Row) throws {
    let error = #expect(throws: TimeExpressionError.self) { try CalendarExpression.parse(row.text) }
    #expect(error?.column == row.column, "\(row.text): \(String(describing: error))")
    #expect(error?.code == row.code, "\(row.text): \(String(describing: error))")
  }

  @Test("in unknown zones are an error")
  func zones() throws {
    let calendar = try CalendarExpression.parse("09:00 Europe/Berln")
    #expect(calendar.zoneName == "Europe/Berln")
    let error = #expect(throws: TimeExpressionError.self) {
      try calendar.rules(zone: .utc, zones: lookUp)
    }
    #expect(error?.column == 7)
  }

  @Test("once a second are found across four hundred years at once", .timeLimit(.minutes(10)))
  func farJumps() throws {
    for text in ["*:*:*", "2400-*-* *:*:*", "*-02-29 *:*:*", "Sun *-02-29"] {
      let calendar = try CalendarExpression.parse(text)
      for year in stride(from: 1970, to: 9999, by: 37) {
        let now = try utc("\(year)-06-01T00:00:00Z")
        guard let next = calendar.next(after: now, in: berlin) else { continue }
        #expect(next.microseconds > now)
      }
    }
    #expect(try occurrences("Mon 2400-*-* *:*:*", count: 1) == ["2400-01-03 00:00:00 CET"])
    let never = try CalendarExpression.parse("Mon 2026-*-*")
    #expect(try never.next(after: utc("2027-01-01T00:00:00Z"), in: berlin) == nil)
    #expect(never.next(after: Int64.max, in: berlin) == nil)
    #expect(never.next(after: Int64.min, in: berlin) != nil)
  }

  /// Against a walk through every second of the wall, two days around each change.
  @Test(
    "match what a walk through the wall times finds",
    arguments: [0xCA1_0001, 0xCA1_0002] as [UInt64])
  func walk(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<60 {
      let text = CalendarText.random(using: &generator, minutesOnly: true)
      guard let calendar = try? CalendarExpression.parse(text) else { continue }
      let zone = [berlin, newYork, lordHowe].randomElement(using: &generator) ?? berlin
      let changes = zone.transitions(from: 1_700_000_000, through: 1_900_000_000)
      guard let change = changes.randomElement(using: &generator) else { continue }
      let begin = change.instant - 90_000
      var expected: Set<Int64> = []
      let local = begin + Int64(zone.localTimeType(atSeconds: begin).offsetSeconds)
      for minute in 0..<3000 {
        let wall = (local / 60 + Int64(minute)) * 60
        let time = wall % 86_400 * 1_000_000
        guard calendar.matches(CivilDate(daysSince1970: wall / 86_400)),
          calendar.firstTime(from: time) == time,
          let instant = zone.mapping(localSeconds: wall).first
        else { continue }
        expected.insert(instant)
      }
      var found: Set<Int64> = []
      var now = begin * 1_000_000
      let end = begin + 170_000
      while let next = calendar.next(after: now, in: zone), next.microseconds <= end * 1_000_000 {
        #expect(next.microseconds > now, "\(text), seed \(seed)")
        now = next.microseconds
        found.insert(now / 1_000_000)
      }
      expected = expected.filter { $0 > begin && $0 <= end }
      #expect(found == expected, "\(text) in \(zone.name) from \(begin), seed \(seed)")
    }
  }
}

/// Random texts of the calendar grammar.
enum CalendarText {
  static func random(
    using generator: inout SeededGenerator, minutesOnly: Bool = false
  ) -> String {
    var parts: [String] = []
    if Int.random(in: 0..<3, using: &generator) == 0 {
      parts.append(
        ["Mon", "Mon..Fri", "Sat,Sun", "Tue,Thu..Sat", "Sun", "Wed"].randomElement(
          using: &generator)
          ?? "Mon")
    }
    if !minutesOnly, Int.random(in: 0..<2, using: &generator) == 0 {
      let year = component(1990...2060, &generator, anyIn: 2)
      let month = component(1...12, &generator, anyIn: 2)
      let fromEnd = Int.random(in: 0..<4, using: &generator) == 0
      let day = component(1...(fromEnd ? 28 : 31), &generator, anyIn: 3, isPlain: fromEnd)
      parts.append("\(year)-\(month)\(fromEnd ? "~" : "-")\(day)")
    }
    var time =
      component(0...23, &generator, anyIn: 3) + ":" + component(0...59, &generator, anyIn: 3)
    if !minutesOnly, Bool.random(using: &generator) {
      time += ":" + component(0...59, &generator, anyIn: 4)
    }
    parts.append(time)
    return parts.joined(separator: " ")
  }

  /// The same with each step of hours, minutes, seconds, months and days as a list of what it reaches.
  static func withoutSteps(_ text: String) -> String {
    text.split(separator: " ").map { part in
      let isTime = part.contains(":")
      guard isTime || (part.contains("-") && !part.contains("~")) else { return String(part) }
      let fields = part.split(separator: isTime ? ":" : "-")
      let tops = isTime ? [23, 59, 59] : [0, 12, 31]
      return zip(fields, tops).map { field, top in
        field.split(separator: ",").map { item in
          let ends = item.split(separator: "/").compactMap { Int($0) }
          guard ends.count == 2, ends[0] <= top else { return String(item) }
          return stride(from: ends[0], through: top, by: ends[1]).map(String.init)
            .joined(separator: ",")
        }.joined(separator: ",")
      }.joined(separator: isTime ? ":" : "-")
    }.joined(separator: " ")
  }

  private static func component(
    _ range: ClosedRange<Int>, _ generator: inout SeededGenerator, anyIn: Int, isPlain: Bool = false
  ) -> String {
    if !isPlain, Int.random(in: 0..<anyIn, using: &generator) == 0 { return "*" }
    return (0..<Int.random(in: 1...3, using: &generator)).map { _ in
      let first = Int.random(in: range, using: &generator)
      if isPlain { return "\(first)" }
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: return "\(first)..\(Int.random(in: first...range.upperBound, using: &generator))"
      case 1:
        return
          "\(first)/\(Int.random(in: 1...max(1, (range.upperBound - range.lowerBound) / 2), using: &generator))"
      default: return "\(first)"
      }
    }.joined(separator: ",")
  }
}
