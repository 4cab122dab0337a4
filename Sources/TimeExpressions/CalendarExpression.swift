/// A repeat in systemd's calendar grammar (systemd.time(7), CALENDAR EVENTS): `Mon..Fri 09:00
/// Europe/Berlin`, `*-*-1,15 10:00/20`, `Mon *-05~07/1`, `hourly`.
///
/// What it matches is wall time. A match in a gap of the zone's clocks moves forward by the gap, one
/// that the clocks show twice counts once, the first time: the rule of `TimeExpression`. Unlike
/// systemd, two-digit years, more than six digits of a second, `Mon-Fri` and `@SECONDS` are refused,
/// and what can never match is refused when it is read.
public struct CalendarExpression: Hashable, Sendable {
  /// Bit `n` for weekday `n`, 1 to 7.
  var weekdays: UInt8 = 0b1111_1110
  var years: [CalendarItem] = [CalendarItem(start: 1970, stop: 9999, step: 1)]
  /// Bit `n` for month `n`, 1 to 12.
  var months: UInt64 = 0b1_1111_1111_1110
  var days: [CalendarItem] = [CalendarItem(start: 1, stop: 31, step: 1)]
  /// Whether `days` count from the month's end (`~`), where 1 is the last.
  var daysFromEnd = false
  /// Bit `n` for hour `n`.
  var hours: UInt64 = 1
  /// Bit `n` for minute `n`.
  var minutes: UInt64 = 1
  /// In microseconds of a minute.
  var seconds: [CalendarItem] = [CalendarItem(start: 0, stop: 0, step: 1)]
  var zone: String?
  var zonePlace: Located?

  init() {}

  /// The name of the zone that the expression itself asks for, if it does.
  public var zoneName: String? { zone }

  /// Reads an expression; nothing may be left over.
  ///
  /// - Throws: what is wrong, in which column, and what would be right; also for an expression that
  ///   never matches (`*-02-31`).
  public static func parse(_ text: String) throws(TimeExpressionError) -> CalendarExpression {
    var parser = CalendarParser(text)
    return try parser.parse()
  }

  /// The rules to read it by: the named zone's, or the caller's `zone` if it names none.
  ///
  /// - Throws: what `zones` throws, with the column of the name.
  public func rules(
    zone caller: TimeZoneRules, zones: (String) throws(TimeZoneError) -> TimeZoneRules
  ) throws(TimeExpressionError) -> TimeZoneRules {
    guard let zone, let zonePlace else { return caller }
    if zone == "UTC" { return .utc }
    do {
      return try zones(zone)
    } catch {
      throw zonePlace.refusal(
        .zone, "zone '\(zonePlace.text)': \(error.problem)", hint: error.hint)
    }
  }

  /// The first occurrence strictly after an instant (microseconds since 1970), by the rules of a zone;
  /// nil when none is left before the year 10000. Takes bounded time, however far it lies.
  public func next(after instant: Int64, in zone: TimeZoneRules) -> CalendarOccurrence? {
    guard instant < Instant.last else { return nil }
    let base = max(instant, -1)
    var segment = zone.segment(containing: floorDivide(base, 1_000_000))
    // Each turn finds a match or goes straight to the stretch of time that holds the next one.
    for _ in 0..<1000 {
      let offset = Int64(segment.offset) * 1_000_000
      let earlier = Int64(segment.offsetBefore) * 1_000_000
      // A stretch that began long before 1970 has nothing before it that matters.
      let begin = max(segment.start ?? Int64.min, -ZoneSegment.horizon) * 1_000_000
      let lowest = begin + max(offset, earlier)
      guard let match = firstWall(from: max(lowest, base + offset + 1)) else {
        return gapMatch(after: base, segment)
      }
      let end = min(segment.end ?? Int64.max, ZoneSegment.horizon) * 1_000_000
      let isInside = match - offset < end
      if let moved = gapMatch(after: base, segment), moved.microseconds < match - offset {
        return moved
      }
      if isInside { return occurrence(match - offset, wall: match, zone: zone) }
      let ahead = zone.mapping(localSeconds: floorDivide(match, 1_000_000)).first
      segment = zone.segment(containing: max(ahead ?? Int64.min, end / 1_000_000))
    }
    return nil
  }

  /// A match in the gap with which a stretch of time begins.
  private func gapMatch(after base: Int64, _ segment: ZoneSegment) -> CalendarOccurrence? {
    guard let start = segment.start, segment.offset > segment.offsetBefore,
      (-ZoneSegment.horizon...ZoneSegment.horizon).contains(start)
    else { return nil }
    let earlier = Int64(segment.offsetBefore) * 1_000_000
    let low = max(start * 1_000_000 + earlier, base + earlier + 1)
    let high = (start + Int64(segment.offset)) * 1_000_000
    guard low < high, let wall = firstWall(from: low), wall < high else { return nil }
    let gap = Int64(segment.offset - segment.offsetBefore)
    return CalendarOccurrence.make(
      wall - earlier, wall: wall, adjustment: .movedPastGap(bySeconds: gap))
  }

  private func occurrence(
    _ instant: Int64, wall: Int64, zone: TimeZoneRules
  ) -> CalendarOccurrence? {
    let instants = zone.mapping(localSeconds: floorDivide(wall, 1_000_000)).instants
    guard let first = instants.first, let last = instants.last, first != last else {
      return CalendarOccurrence.make(instant, wall: wall, adjustment: nil)
    }
    return CalendarOccurrence.make(
      instant, wall: wall,
      adjustment: .firstOfTwo(
        offset: zone.localTimeType(atSeconds: first).offsetSeconds,
        laterOffset: zone.localTimeType(atSeconds: last).offsetSeconds))
  }
}

/// One occurrence of a repeat.
public struct CalendarOccurrence: Hashable, Sendable {
  /// Microseconds since 1970, UTC.
  public let microseconds: Int64
  /// The wall time that matched, before any move.
  public let wallTime: CivilTime
  /// What was done to the wall time, or what else it could have meant; nil if nothing.
  public let adjustment: Adjustment?

  /// Nil outside the range of dates.
  static func make(
    _ instant: Int64, wall: Int64, adjustment: Adjustment?
  ) -> CalendarOccurrence? {
    guard (0...Instant.last).contains(instant) else { return nil }
    return CalendarOccurrence(
      microseconds: instant, wallTime: CivilTime(microseconds: wall, offsetSeconds: 0),
      adjustment: adjustment)
  }
}

/// `start`, `start/step`, `start..stop`, `start..stop/step`: the values of one component.
struct CalendarItem: Hashable, Sendable {
  let start: Int64
  /// The last value that may match, `start` if it is the only one.
  let stop: Int64
  let step: Int64

  /// The smallest value that matches and is not below `value`.
  func first(from value: Int64) -> Int64? {
    if value <= start { return start }
    let steps = (value - start + step - 1) / step
    let result = start + steps * step
    return result <= stop ? result : nil
  }
}
