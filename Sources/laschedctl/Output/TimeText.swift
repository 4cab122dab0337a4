import LiveActivity
import TimeExpressions

/// Dates and spans as they are shown.
enum TimeText {
  /// `Tue 2026-12-01 18:30:00 CET`.
  static func local(_ instant: Int64, _ zone: TimeZoneRules) -> String {
    let offset = Int64(zone.localTimeType(atMicroseconds: instant).offsetSeconds) * 1_000_000
    let day = instant.addingClamped(offset) / 86_400_000_000
    // The first day of 1970 was a Thursday.
    let weekday = Weekday(rawValue: Int((day + 3) % 7) + 1)?.shortName ?? ""
    return "\(weekday) \(TimeFormat.local(microseconds: instant, zone: zone))"
  }

  /// `2026-12-01 18:30:00 CET`, without a fraction, for tables.
  static func brief(_ instant: Int64, _ zone: TimeZoneRules) -> String {
    TimeFormat.local(microseconds: instant - instant % 1_000_000, zone: zone)
  }

  /// `18:30` on the same day, else `2026-12-01 18:30`.
  static func near(_ instant: Int64, _ now: Int64, _ zone: TimeZoneRules) -> String {
    let text = TimeFormat.local(microseconds: instant - instant % 60_000_000, zone: zone).prefix(16)
    let today = TimeFormat.local(microseconds: now, zone: zone).prefix(10)
    return String(text.hasPrefix(today) ? text.dropFirst(11) : text)
  }

  /// When the next day begins.
  static func midnight(after instant: Int64, _ zone: TimeZoneRules) -> Int64? {
    let day: Int64 = 86_400_000_000
    let offset = Int64(zone.localTimeType(atMicroseconds: instant).offsetSeconds) * 1_000_000
    let local = instant.addingClamped(offset)
    return instant.addingClamped(day - (local % day + day) % day)
  }

  /// `in 25min`, `3s ago`: how far off a date is, without milliseconds from one second on.
  static func away(_ now: Int64, _ instant: Int64) -> String {
    let distance = instant.subtractingReportingOverflow(now)
    guard !distance.overflow, distance.partialValue.magnitude >= 1_000_000 else {
      return TimeFormat.distance(from: now, to: instant)
    }
    let whole = distance.partialValue - distance.partialValue % 1_000_000
    return TimeFormat.distance(from: now, to: now + whole)
  }

  /// `2026-12-01T17:30:00Z`, with a fraction only where there is one.
  static func utc(_ instant: Int64) -> String {
    let text = TimeFormat.utc(microseconds: instant)
    return text.hasSuffix(".000000Z") ? text.dropLast(8) + "Z" : text
  }

  /// `2h 25min`: how long something took, the two largest units.
  static func length(_ microseconds: Int64) -> String {
    let text = TimeFormat.distance(from: 0, to: max(0, microseconds))
    return text == "now" ? "0s" : String(text.dropFirst(3))
  }
}
