import LiveActivity
import TimeExpressions

/// Base times: the edges, and moments around which a zone's clocks change.
private let bases: [Int64] = [
  .min, -1, 0, 1_796_040_000_000_000, 1_774_745_999_000_000, 1_792_888_200_000_000, Instant.last,
  .max,
]

private let berlin = posix("Europe/Berlin", "CET-1CEST,M3.5.0,M10.5.0/3")
/// Half an hour of summer time; a winter that is called daylight saving time; hours beyond a day.
private let zones = [
  berlin, .utc, posix("Australia/Lord_Howe", "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"),
  posix("Europe/Dublin", "IST-1GMT0,M10.5.0,M3.5.0/1"),
  posix("America/Godthab", "<-02>2<-01>,M3.5.0/-1,M10.5.0/0"),
]

private func posix(_ name: String, _ rule: String) -> TimeZoneRules {
  guard let rules = TimeZoneRules(zone: name, posix: rule) else { fail("not a rule: \(rule)") }
  return rules
}

private func look(up name: String) throws(TimeZoneError) -> TimeZoneRules {
  guard let rules = zones.first(where: { $0.name == name }) else {
    return try ZoneDatabase().rules(name)
  }
  return rules
}

private func check(_ error: TimeExpressionError, of text: String) {
  expect((1...text.count + 1).contains(error.column), "the column of: \(error)")
  expect(!error.description.contains(where: \.isNewline), "more than one line: \(error)")
  expect(error.description.utf8.count < 2000, "an endless refusal: \(error)")
}

/// Dates, spans, sums, and RFC 3339 as the interface takes it.
func readTime(_ input: [UInt8]) {
  let text = String(decoding: input, as: UTF8.self)
  if let wall = try? WallTime(rfc3339: text) {
    expect((try? WallTime(rfc3339: wall.rfc3339)) == wall, "RFC 3339 and back: \(text)")
  }
  if let wall = CivilTime(iso: text) {
    expect(CivilTime(iso: wall.iso) == wall, "a wall time and back: \(text)")
  }
  if let span = try? SpanExpression.parse(text, allowingNegative: true) {
    let again = try? SpanExpression.parse(span.description, allowingNegative: true)
    expect(again == span, "a span and back: \(text) is \(span)")
  }
  let hash = fingerprint(input)
  let now = bases[Int(hash >> 32) % bases.count]
  let zone = zones[Int(hash >> 40) % zones.count]
  do {
    let expression = try TimeExpression.parse(text)
    let time = try expression.resolve(now: now, zone: zone, zones: look)
    if case .date(let date) = time { check(date, of: text) }
  } catch {
    check(error, of: text)
  }
}

private func check(_ date: ResolvedDate, of text: String) {
  let instant = date.microseconds
  expect((0...Instant.last).contains(instant), "out of range: \(text) is \(instant)")
  for zone in [date.zone, .utc] {
    let written = TimeFormat.local(microseconds: instant, zone: zone)
    let again = try? TimeExpression.parse(written).resolve(now: 0, zone: zone, zones: look)
    guard case .date(let read) = again, read.microseconds == instant else {
      fail("a date and back: \(text) is \(instant), written \(written) in \(zone.name)")
    }
    let wall = zone.wallClock(atMicroseconds: instant)
    expect(
      zone.instant(of: wall.time, second: wall.isSecond).microseconds == instant,
      "a wall time and back: \(text) is \(instant), \(wall) in \(zone.name)")
  }
}

/// Repeats in systemd's grammar.
func readCalendar(_ input: [UInt8]) {
  let text = String(decoding: input, as: UTF8.self)
  let hash = fingerprint(input)
  do {
    let calendar = try CalendarExpression.parse(text)
    let zone = try calendar.rules(zone: zones[Int(hash >> 40) % zones.count], zones: look)
    var last = bases[Int(hash >> 32) % bases.count]
    for _ in 0..<8 {
      guard let next = calendar.next(after: last, in: zone) else { break }
      expect(next.microseconds > last, "\(text): \(next.microseconds) is not after \(last)")
      last = next.microseconds
    }
  } catch {
    check(error, of: text)
  }
}

/// Compiled zones (RFC 9636), and the rules that they end with.
func readZone(_ input: [UInt8]) {
  if let rules = TimeZoneRules(zone: "posix", posix: String(decoding: input, as: UTF8.self)) {
    use(rules)
  }
  if let rules = try? TimeZoneRules(zone: "tzif", tzif: input) { use(rules) }
}

private let repeats = ["*-*-* 02:30", "*:0/7:30", "Sun *-3,10~07/1 1..3:59:59.5", "9999-12-31"]
  .map { text in
    guard let calendar = try? CalendarExpression.parse(text) else { fail("not read: \(text)") }
    return calendar
  }

private func use(_ rules: TimeZoneRules) {
  for base in bases {
    _ = TimeFormat.local(microseconds: base, zone: rules)
    let wall = rules.wallClock(atMicroseconds: base)
    _ = rules.instant(of: wall.time, second: wall.isSecond)
    for calendar in repeats {
      guard let next = calendar.next(after: base, in: rules) else { continue }
      expect(next.microseconds > base, "\(next.microseconds) is not after \(base)")
    }
  }
  for text in ["02:30", "fri 02:30:59.9", "2026-03-29 02:30 + 1mo", "31 Dec 9999 24:00"] {
    guard let expression = try? TimeExpression.parse(text) else { fail("not read: \(text)") }
    for base in bases { _ = try? expression.resolve(now: base, zone: rules) }
  }
}
