/// What a calendar and a clock on a wall show: a date and a time of day, no zone.
public struct CivilTime: Hashable, Sendable {
  /// The date.
  public let date: CivilDate
  /// 0 to 23.
  public let hour: Int
  /// 0 to 59.
  public let minute: Int
  /// 0 to 59.
  public let second: Int
  /// 0 to 999 999.
  public let microsecond: Int

  /// What is shown at an instant (microseconds since 1970) where the offset is `offsetSeconds`.
  init(microseconds instant: Int64, offsetSeconds: Int) {
    let seconds = floorDivide(instant, 1_000_000)
    self.init(
      localSeconds: seconds + Int64(offsetSeconds),
      microsecond: Int(floorRemainder(instant, 1_000_000)))
  }

  init(localSeconds: Int64, microsecond: Int) {
    let days = floorDivide(localSeconds, 86_400)
    let ofDay = Int(localSeconds - days * 86_400)
    date = CivilDate(daysSince1970: days)
    hour = ofDay / 3600
    minute = ofDay / 60 % 60
    second = ofDay % 60
    self.microsecond = microsecond
  }

  /// Seconds since 1970 as if the zone were UTC.
  var localSeconds: Int64 {
    date.daysSince1970 * 86_400 + Int64(hour * 3600 + minute * 60 + second)
  }

  /// `18:30:00`.
  var clockText: String {
    [hour, minute, second].map { TimeFormat.padded($0, 2) }.joined(separator: ":")
  }
}
