public import LiveActivity
public import TimeExpressions

/// Spans and dates as templates write them.
public enum TimeTexts {
  /// `mm:ss`, `hh:mm:ss`, and from a day on `3d 4h`.
  static func duration(seconds: Int64) -> String {
    guard seconds >= 0 else { return "-" + duration(seconds: seconds == .min ? .max : -seconds) }
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    if hours >= 24 { return "\(hours / 24)d \(hours % 24)h" }
    let rest = "\(two(minutes)):\(two(seconds % 60))"
    return hours > 0 ? "\(two(hours)):\(rest)" : rest
  }

  /// `18:30` where the zone's clocks are.
  static func time(_ date: WallTime, _ zone: TimeZoneRules) -> String {
    String(local(date, zone).dropFirst(11))
  }

  /// `2026-12-01`.
  static func day(_ date: WallTime, _ zone: TimeZoneRules) -> String {
    String(local(date, zone).prefix(10))
  }

  /// `18:30` today, else `2026-12-01 18:30`.
  public static func short(_ date: WallTime, now: WallTime, _ zone: TimeZoneRules) -> String {
    day(date, zone) == day(now, zone) ? time(date, zone) : local(date, zone)
  }

  /// `2026-12-01 18:30`.
  static func local(_ date: WallTime, _ zone: TimeZoneRules) -> String {
    String(TimeFormat.local(microseconds: date.microseconds, zone: zone).prefix(16))
  }

  private static func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
