/// A POSIX `TZ` string (POSIX 8.3, with RFC 9636's hours from -167 to 167): the footer of a TZif file.
struct PosixRule: Hashable, Sendable {
  /// A day of the year and a time on it at which local time changes.
  struct Change: Hashable, Sendable {
    enum Day: Hashable, Sendable {
      /// `Jn`: 1 to 365, 29 February never counted.
      case julian(Int)
      /// `n`: 0 to 365, 29 February counted.
      case ofYear(Int)
      /// `Mm.w.d`: weekday `d` (0 is Sunday) of week `w` (5 is the last) of month `m`.
      case weekday(month: Int, week: Int, day: Int)
    }

    let day: Day
    /// Seconds after local midnight; may be negative or more than a day.
    let seconds: Int

    /// Seconds since 1970 as if the local clock were UTC.
    func localSeconds(inYear year: Int64) -> Int64 {
      PosixRule.dayNumber(day, year: Int(year)) * 86_400 + Int64(seconds)
    }
  }

  struct Daylight: Hashable, Sendable {
    let type: LocalTimeType
    let start: Change
    let end: Change
  }

  let standard: LocalTimeType
  let daylight: Daylight?

  func localTimeType(at instant: Int64) -> LocalTimeType {
    guard let daylight else { return standard }
    let year = PosixRule.year(ofSeconds: instant)
    var latest = Int64.min
    var isDaylight = false
    // A change may lie up to a week outside its year, so the neighbours are looked at too.
    for year in (year - 2)...(year + 1) {
      let (start, end) = bounds(of: daylight, inYear: year)
      // Of two at one instant the later in the calendar holds, as in `changes`.
      if start <= end, start <= instant, start >= latest { (latest, isDaylight) = (start, true) }
      if end <= instant, end >= latest { (latest, isDaylight) = (end, false) }
      if start > end, start <= instant, start >= latest { (latest, isDaylight) = (start, true) }
    }
    return isDaylight ? daylight.type : standard
  }

  private func bounds(of daylight: Daylight, inYear year: Int64) -> (start: Int64, end: Int64) {
    (
      daylight.start.localSeconds(inYear: year) - Int64(standard.offsetSeconds),
      daylight.end.localSeconds(inYear: year) - Int64(daylight.type.offsetSeconds)
    )
  }

  /// The changes of these years in order, ties as the calendar has them (a year's end of daylight
  /// time before the next year's start), which makes RFC 9636's "daylight all year" come out right.
  func changes(fromYear first: Int64, through last: Int64) -> [(
    instant: Int64, type: LocalTimeType
  )] {
    guard let daylight else { return [] }
    var result: [(instant: Int64, type: LocalTimeType)] = []
    for year in first...max(first, last) {
      let (start, end) = bounds(of: daylight, inYear: year)
      if start <= end {
        result.append((start, daylight.type))
        result.append((end, standard))
      } else {
        result.append((end, standard))
        result.append((start, daylight.type))
      }
    }
    // Insertion sort: nearly sorted already, and stable.
    for index in result.indices.dropFirst() {
      var place = index
      while place > 0, result[place - 1].instant > result[place].instant {
        result.swapAt(place - 1, place)
        place -= 1
      }
    }
    return result
  }

  static func year(ofSeconds seconds: Int64) -> Int64 {
    Int64(CivilDate(daysSince1970: floorDivide(seconds, 86_400)).year)
  }

  static func firstDay(ofYear year: Int64) -> Int64 {
    let before = year - 1
    return 365 * (year - 1970) + (floorDivide(before, 4) - 492) - (floorDivide(before, 100) - 19)
      + (floorDivide(before, 400) - 4)
  }

  private static func dayNumber(_ day: Change.Day, year: Int) -> Int64 {
    let first = firstDay(ofYear: Int64(year))
    switch day {
    case .julian(let number):
      return first + Int64(number) - 1 + (CivilDate.isLeap(year) && number >= 60 ? 1 : 0)
    case .ofYear(let number):
      return first + Int64(number)
    case .weekday(let month, let week, let weekday):
      // Days before the month: 31 before February, 59 before March, then 153 in five months.
      let before =
        month <= 2
        ? (month - 1) * 31 : (153 * month - 162) / 5 + (CivilDate.isLeap(year) ? 1 : 0)
      let monthStart = first + Int64(before)
      // 1970-01-01 was a Thursday: 4, counted from Sunday.
      let firstWeekday = floorRemainder(monthStart + 4, 7)
      var offset = floorRemainder(Int64(weekday) - firstWeekday, 7) + Int64(week - 1) * 7
      if offset >= Int64(CivilDate.days(inMonth: month, of: year)) { offset -= 7 }
      return monthStart + offset
    }
  }
}
