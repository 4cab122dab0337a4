/// A date on CLOCK_REALTIME: microseconds since 1970-01-01T00:00:00Z, leap seconds not counted
/// (clock_gettime(2)).
public struct WallTime: Hashable, Comparable, Sendable {
  /// Microseconds since 1970.
  public var microseconds: Int64

  /// A date that many microseconds after 1970.
  public init(microseconds: Int64) { self.microseconds = microseconds }

  /// The first date there is here, 1970-01-01T00:00:00Z.
  public static let earliest = WallTime(microseconds: 0)
  /// The last date there is here, 9999-12-31T23:59:59.999999Z.
  public static let latest = WallTime(microseconds: 253_402_300_799_999_999)

  /// Order in time.
  public static func < (a: WallTime, b: WallTime) -> Bool { a.microseconds < b.microseconds }
}

/// An instant on CLOCK_BOOTTIME: microseconds since the boot, suspend included
/// (clock_gettime(2)). Meaningful within one boot.
public struct BootTime: Hashable, Comparable, Sendable {
  /// Microseconds since the boot.
  public var microseconds: Int64

  /// An instant that many microseconds after the boot.
  public init(microseconds: Int64) { self.microseconds = microseconds }

  /// Order in time.
  public static func < (a: BootTime, b: BootTime) -> Bool { a.microseconds < b.microseconds }
}

/// An elapsed time in microseconds; it counts through suspend and no clock step moves it.
public struct TimeSpan: Hashable, Comparable, Sendable {
  /// The length in microseconds.
  public var microseconds: Int64

  /// A span of that many microseconds.
  public init(microseconds: Int64) { self.microseconds = microseconds }

  /// A span of whole seconds; clamped where Int64 ends.
  public static func seconds(_ count: Int64) -> TimeSpan {
    let (value, overflow) = count.multipliedReportingOverflow(by: 1_000_000)
    return TimeSpan(microseconds: overflow ? (count < 0 ? .min : .max) : value)
  }

  /// Order by length.
  public static func < (a: TimeSpan, b: TimeSpan) -> Bool { a.microseconds < b.microseconds }
}

/// Both clocks, read together: the one seam through which time enters.
public struct ClockReading: Hashable, Sendable {
  /// CLOCK_REALTIME.
  public var wall: WallTime
  /// CLOCK_BOOTTIME.
  public var boottime: BootTime

  /// A reading of both clocks.
  public init(wall: WallTime, boottime: BootTime) {
    self.wall = wall
    self.boottime = boottime
  }

  /// CLOCK_REALTIME minus CLOCK_BOOTTIME in microseconds: it changes only when the clock is set.
  public var offset: Int64 { wall.microseconds &- boottime.microseconds }
}

extension Int64 {
  /// Microseconds rounded up to the millisecond, so that nothing is ever early; clamped at the
  /// end of Int64.
  public var roundedUpToMillisecond: Int64 {
    let rest = self % 1000
    if rest == 0 { return self }
    if rest < 0 { return self - rest }
    let (sum, overflow) = addingReportingOverflow(1000 - rest)
    return overflow ? self - rest : sum
  }

  /// The sum, clamped at the ends of Int64.
  public func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}
