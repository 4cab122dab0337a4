private let microsecondsADay: Int64 = 86_400_000_000

extension CalendarExpression {
  /// The first matching wall time not before `wall`, both in microseconds since 1970-01-01 00:00 as
  /// if the zone were UTC; nil if none is left before the year 10000.
  ///
  /// Looks at years, months and days, never at single seconds: at most some 96 000 months.
  func firstWall(from wall: Int64) -> Int64? {
    let low = max(wall, 0)
    let day = low / microsecondsADay
    let date = CivilDate(daysSince1970: day)
    guard date.year <= 9999 else { return nil }
    if matches(date), let time = firstTime(from: low - day * microsecondsADay) {
      return day * microsecondsADay + time
    }
    guard let next = firstDate(after: date), let time = firstTime(from: 0) else { return nil }
    return next.daysSince1970 * microsecondsADay + time
  }

  func matches(_ date: CivilDate) -> Bool {
    years.contains { $0.first(from: Int64(date.year)) == Int64(date.year) }
      && months & (1 << UInt64(date.month)) != 0
      && dayMask(year: date.year, month: date.month) & (1 << UInt32(date.day)) != 0
  }

  private func firstDate(after date: CivilDate) -> CivilDate? {
    var year = date.year
    var month = date.month
    // The days up to and including `date` are masked away in its own month only.
    var past: UInt32 = (2 << UInt32(date.day)) &- 1
    while let matching = firstYear(from: year) {
      if matching > year { (year, month, past) = (matching, 1, 0) }
      while month <= 12 {
        if months & (1 << UInt64(month)) != 0 {
          let days = dayMask(year: year, month: month) & ~past
          if days != 0 {
            return CivilDate(year: year, month: month, day: days.trailingZeroBitCount)
          }
        }
        month += 1
        past = 0
      }
      (year, month) = (year + 1, 1)
    }
    return nil
  }

  private func firstYear(from year: Int) -> Int? {
    years.compactMap { $0.first(from: Int64(year)) }.min().flatMap { $0 <= 9999 ? Int($0) : nil }
  }

  /// Bit `n` for each matching day `n` of a month, weekdays considered.
  private func dayMask(year: Int, month: Int) -> UInt32 {
    let length = Int64(CivilDate.days(inMonth: month, of: year))
    var mask: UInt32 = 0
    for item in days {
      // Counted from the end, `~07/1` runs from the seventh last day to the last.
      var (day, last) = (item.start, item.stop)
      if daysFromEnd {
        let bounds = (length + 1 - item.start, length + 1 - item.stop)
        (day, last) = (min(bounds.0, bounds.1), max(bounds.0, bounds.1))
      }
      while day <= min(last, length) {
        if day >= 1 { mask |= 1 << UInt32(day) }
        day += item.step
      }
    }
    if weekdays == 0b1111_1110 || mask == 0 { return mask }
    guard let first = CivilDate(year: year, month: month, day: 1)?.weekday.rawValue else {
      return 0
    }
    for day in 1...31 where weekdays & (1 << UInt8((first + day - 2) % 7 + 1)) == 0 {
      mask &= ~(1 << UInt32(day))
    }
    return mask
  }

  /// The first matching time of day not before `time`, both in microseconds.
  func firstTime(from time: Int64) -> Int64? {
    var hour = Int(time / 3_600_000_000)
    var minute = Int(time / 60_000_000 % 60)
    var second = time % 60_000_000
    while let matching = CalendarExpression.firstBit(of: hours, from: hour) {
      if matching > hour { (hour, minute, second) = (matching, 0, 0) }
      while let inHour = CalendarExpression.firstBit(of: minutes, from: minute) {
        if inHour > minute { (minute, second) = (inHour, 0) }
        if let inMinute = seconds.compactMap({ $0.first(from: second) }).min() {
          return (Int64(hour) * 60 + Int64(minute)) * 60_000_000 + inMinute
        }
        (minute, second) = (minute + 1, 0)
      }
      (hour, minute, second) = (hour + 1, 0, 0)
    }
    return nil
  }

  private static func firstBit(of mask: UInt64, from bit: Int) -> Int? {
    let rest = bit > 63 ? 0 : (mask >> UInt64(bit)) << UInt64(bit)
    return rest == 0 ? nil : rest.trailingZeroBitCount
  }
}
