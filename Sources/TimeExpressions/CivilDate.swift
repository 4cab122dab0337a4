/// A day of the week, numbered as in ISO 8601: Monday is 1, Sunday 7.
public enum Weekday: Int, CaseIterable, Sendable, Hashable {
  case monday = 1
  case tuesday, wednesday, thursday, friday, saturday, sunday

  /// The English name in full: `Monday`.
  public var name: String {
    switch self {
    case .monday: "Monday"
    case .tuesday: "Tuesday"
    case .wednesday: "Wednesday"
    case .thursday: "Thursday"
    case .friday: "Friday"
    case .saturday: "Saturday"
    case .sunday: "Sunday"
    }
  }

  /// The first three letters, as systemd.time(7) prints them: `Mon`.
  public var shortName: String { String(name.prefix(3)) }
}

/// A day of the proleptic Gregorian calendar (ISO 8601), years -999 999 to 999 999.
public struct CivilDate: Hashable, Comparable, Sendable {
  /// The year; 0 is 1 BC.
  public let year: Int
  /// The month, 1 to 12.
  public let month: Int
  /// The day of the month, from 1.
  public let day: Int

  /// The date, or nil when the calendar has no such day (2026-02-29).
  public init?(year: Int, month: Int, day: Int) {
    guard (-999_999...999_999).contains(year), (1...12).contains(month), day >= 1,
      day <= CivilDate.days(inMonth: month, of: year)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// The date that lies `days` after 1970-01-01 (before it, if negative); the caller keeps `days`
  /// far from the ends of `Int64`.
  init(daysSince1970 days: Int64) {
    // Counted from 0000-03-01, so that the leap day is the last of its year; 146 097 days an era.
    let shifted = days + 719_468
    let era = floorDivide(shifted, 146_097)
    let ofEra = shifted - era * 146_097
    let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * ofYear + 2) / 153
    day = Int(ofYear - (153 * marchMonth + 2) / 5 + 1)
    month = Int(marchMonth < 10 ? marchMonth + 3 : marchMonth - 9)
    year = Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0)
  }

  /// Days since 1970-01-01; negative before it.
  public var daysSince1970: Int64 {
    let marchYear = Int64(month <= 2 ? year - 1 : year)
    let era = floorDivide(marchYear, 400)
    let yearOfEra = marchYear - era * 400
    let marchMonth = Int64(month > 2 ? month - 3 : month + 9)
    let ofYear = (153 * marchMonth + 2) / 5 + Int64(day) - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + ofYear - 719_468
  }

  /// The day of the week.
  public var weekday: Weekday { CivilDate.weekday(daysSince1970: daysSince1970) }

  static func weekday(daysSince1970 days: Int64) -> Weekday {
    // 1970-01-01 was a Thursday.
    Weekday(rawValue: Int(floorRemainder(days + 3, 7)) + 1) ?? .monday
  }

  static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Orders by the calendar.
  public static func < (left: CivilDate, right: CivilDate) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }
}

/// The quotient rounded down; `divisor` is positive.
func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
  let quotient = value / divisor
  return value % divisor < 0 ? quotient - 1 : quotient
}

/// What `floorDivide` leaves, never negative.
func floorRemainder(_ value: Int64, _ divisor: Int64) -> Int64 {
  let remainder = value % divisor
  return remainder < 0 ? remainder + divisor : remainder
}
