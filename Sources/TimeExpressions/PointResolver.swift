/// Turns one point of time into an instant.
struct PointResolver {
  let point: Point
  let now: Int64
  let callerZone: TimeZoneRules
  let zone: TimeZoneRules

  /// An instant in seconds with what was done to get it; microseconds are added at the end.
  private struct Hit {
    var seconds: Int64
    var adjustment: Adjustment?
  }

  func resolve() throws(TimeExpressionError) -> ResolvedDate {
    switch point.base {
    case .now:
      return try finished(now, wall: nil, isNext: false, adjustment: nil)
    case .instant(let instant):
      return try finished(instant, wall: nil, isNext: false, adjustment: nil)
    case .wall(let date, let time):
      return try resolve(date, time)
    }
  }

  private func resolve(
    _ date: DatePart?, _ time: TimeOfDay
  ) throws(TimeExpressionError) -> ResolvedDate {
    let today = CivilTime(
      microseconds: now, offsetSeconds: zone.localTimeType(atMicroseconds: now).offsetSeconds
    ).date.daysSince1970
    switch date {
    case .civil(let date): return try resolve(day: date.daysSince1970, time, isNext: false)
    case .day(let offset): return try resolve(day: today + offset, time, isNext: false)
    case .weekday(let weekday):
      let ahead =
        (weekday.rawValue - CivilDate.weekday(daysSince1970: today).rawValue + 7) % 7
      return try next(of: [0, 7].map { today + Int64(ahead) + $0 }, time)
    case nil:
      // Where clocks go back past midnight, tomorrow's 00:00 may be behind us too; four days are
      // more than any change of offset.
      return try next(of: (0...4).map { today + $0 }, time)
    }
  }

  /// The first of these days on which the time lies strictly after now.
  private func next(
    of days: [Int64], _ time: TimeOfDay
  ) throws(TimeExpressionError) -> ResolvedDate {
    for day in days.dropLast() {
      // A day whose time is past whichever way it is read cannot be meant, so its contradictions
      // do not matter.
      let mapping = zone.mapping(localSeconds: day * 86_400 + time.seconds)
      let latest = mapping.instants.last ?? mapping.afterGap ?? Int64.min
      guard !instant(Hit(seconds: latest), time).overflow,
        instant(Hit(seconds: latest), time).value > now
      else { continue }
      let hit = try self.hit(localSeconds: day * 86_400 + time.seconds)
      let chosen = instant(hit, time)
      if !chosen.overflow && chosen.value > now {
        return try finished(hit, time, isNext: true, day: day)
      }
    }
    return try resolve(day: days[days.count - 1], time, isNext: true)
  }

  private func resolve(
    day: Int64, _ time: TimeOfDay, isNext: Bool
  ) throws(TimeExpressionError) -> ResolvedDate {
    let hit = try self.hit(localSeconds: day * 86_400 + time.seconds)
    return try finished(hit, time, isNext: isNext, day: day)
  }

  private func instant(_ hit: Hit, _ time: TimeOfDay) -> (value: Int64, overflow: Bool) {
    let (scaled, overflow) = hit.seconds.multipliedReportingOverflow(by: 1_000_000)
    let (sum, carry) = scaled.addingReportingOverflow(Int64(time.microsecond))
    return (sum, overflow || carry)
  }

  private func finished(
    _ hit: Hit, _ time: TimeOfDay, isNext: Bool, day: Int64
  ) throws(TimeExpressionError) -> ResolvedDate {
    let (instant, overflow) = self.instant(hit, time)
    if overflow { throw outOfRange() }
    return try finished(
      instant,
      wall: CivilTime(
        localSeconds: day * 86_400 + time.seconds, microsecond: time.microsecond),
      isNext: isNext, adjustment: hit.adjustment ?? (time.isLeapSecond ? .leapSecond : nil))
  }

  /// Maps a wall time by the rules of the zone and by what was said of the offset.
  private func hit(localSeconds local: Int64) throws(TimeExpressionError) -> Hit {
    let mapping = zone.mapping(localSeconds: local)
    if let offset = point.zone.offset, let place = point.zone.offsetPlace, point.zone.name != nil {
      return try hit(mapping, local: local, offset: offset, place: place)
    }
    if let place = point.zone.namePlace, point.zone.isAbbreviation(of: callerZone) {
      return try hit(mapping, abbreviation: place)
    }
    return try plainHit(mapping)
  }

  private func plainHit(_ mapping: LocalMapping) throws(TimeExpressionError) -> Hit {
    guard let first = mapping.first else { throw outOfRange() }
    if mapping.afterGap != nil {
      return Hit(seconds: first, adjustment: .movedPastGap(bySeconds: mapping.gapSeconds))
    }
    guard let last = mapping.instants.last, last != first else { return Hit(seconds: first) }
    return Hit(
      seconds: first,
      adjustment: .firstOfTwo(
        offset: zone.localTimeType(atSeconds: first).offsetSeconds,
        laterOffset: zone.localTimeType(atSeconds: last).offsetSeconds))
  }

  /// An offset beside a zone chooses between two, and must be one that the zone has then. `Z` is
  /// not an offset of the zone but an instant (RFC 9557, 2.2).
  private func hit(
    _ mapping: LocalMapping, local: Int64, offset: Int, place: Located
  ) throws(TimeExpressionError) -> Hit {
    let instant = local - Int64(offset)
    if mapping.instants.contains(instant) || place.text.lowercased() == "z" {
      return Hit(seconds: instant)
    }
    if mapping.afterGap == instant { return try plainHit(mapping) }
    let right = mapping.first.map { zone.localTimeType(atSeconds: $0).offsetSeconds }
    throw place.refusal(
      .contradiction, "'\(place.text)' is not the offset of \(zone.name) then",
      hint: right.map { "it is \(TimeFormat.offset(seconds: $0))" } ?? "leave the offset out")
  }

  private func hit(
    _ mapping: LocalMapping, abbreviation: Located
  ) throws(TimeExpressionError) -> Hit {
    for instant in mapping.instants
    where zone.localTimeType(atSeconds: instant).abbreviation == abbreviation.text {
      return Hit(seconds: instant)
    }
    let hit = try plainHit(mapping)
    let right = zone.localTimeType(atSeconds: hit.seconds).abbreviation
    if right == abbreviation.text || mapping.afterGap != nil { return hit }
    throw abbreviation.refusal(
      .contradiction, "'\(abbreviation.text)' is not in force in \(zone.name) then",
      hint: "it is \(right)")
  }

  /// Adds the sum and checks the range.
  private func finished(
    _ instant: Int64, wall: CivilTime?, isNext: Bool, adjustment: Adjustment?
  ) throws(TimeExpressionError) -> ResolvedDate {
    var result = instant
    var adjustment = adjustment
    if let sum = point.sum {
      (result, adjustment) = try added(sum, to: instant, adjustment: adjustment)
    }
    guard (0...Instant.last).contains(result) else { throw outOfRange() }
    return ResolvedDate(
      microseconds: result, zone: zone, wallTime: wall, isZoneGiven: !point.zone.isEmpty,
      isNextOccurrence: isNext, adjustment: adjustment)
  }

  /// Years to days move the date in the zone's calendar, the time of day staying; then hours and
  /// less are elapsed time.
  private func added(
    _ sum: Sum, to instant: Int64, adjustment: Adjustment?
  ) throws(TimeExpressionError) -> (Int64, Adjustment?) {
    var result = instant
    var adjustment = adjustment
    let sign: Int64 = sum.isNegative ? -1 : 1
    if sum.terms.months != 0 || sum.terms.days != 0 {
      let wall = CivilTime(
        microseconds: instant,
        offsetSeconds: zone.localTimeType(atMicroseconds: instant).offsetSeconds)
      let day = try moved(wall.date, sum, sign)
      let hit = try plainHit(
        zone.mapping(localSeconds: day * 86_400 + floorRemainder(wall.localSeconds, 86_400)))
      guard (-1_000_000_000_000...1_000_000_000_000).contains(hit.seconds) else {
        throw outOfRange()
      }
      result = hit.seconds * 1_000_000 + Int64(wall.microsecond)
      adjustment = hit.adjustment ?? adjustment
    }
    let (total, overflow) = result.addingReportingOverflow(sign * sum.terms.clock)
    if overflow { throw outOfRange() }
    return (total, adjustment)
  }

  private func moved(
    _ date: CivilDate, _ sum: Sum, _ sign: Int64
  ) throws(TimeExpressionError) -> Int64 {
    // Both are below 2^32: they were counted in microseconds once.
    let month = Int64(date.year) * 12 + Int64(date.month - 1) + sign * sum.terms.months
    let year = Int(floorDivide(month, 12))
    guard (-9999...99_999).contains(year) else { throw outOfRange() }
    let monthOfYear = Int(floorRemainder(month, 12)) + 1
    guard let moved = CivilDate(year: year, month: monthOfYear, day: date.day) else {
      throw sum.place.refusal(
        .noSuchTime, "'\(sum.place.text)' leads to \(date.day) \(Month.title(monthOfYear)) \(year)",
        hint:
          "that month has \(CivilDate.days(inMonth: monthOfYear, of: year)) days; name the date")
    }
    return moved.daysSince1970 + sign * sum.terms.days
  }

  private func outOfRange() -> TimeExpressionError {
    let place = point.sum?.place ?? point.place
    return place.refusal(
      .outOfRange, "'\(place.text)' leads outside the dates there are", hint: Instant.rangeHint)
  }
}
