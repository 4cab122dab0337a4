public import LiveActivity

/// How a payload writes dates as numbers: what `Dates=` says. Text by RFC 3339 is always a date.
public enum DateCounting: String, CaseIterable, Hashable, Sendable {
  /// Seconds since 1970-01-01T00:00:00Z.
  case unix
  /// Seconds since 2001-01-01T00:00:00Z, as Swift's `Codable` writes a `Date`.
  case swift

  /// The date that a number stands for; nil outside the years 1970 to 9999.
  public func date(seconds: Double) -> WallTime? {
    let since1970 = seconds + (self == .swift ? 978_307_200 : 0)
    guard since1970 >= 0, since1970 < 253_402_300_800 else { return nil }
    let date = WallTime(microseconds: Int64((since1970 * 1_000_000).rounded()))
    return date <= .latest ? date : nil
  }
}
