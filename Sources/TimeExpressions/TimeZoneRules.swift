/// What local time is in force: its offset from UTC, whether it is daylight saving time, its name.
public struct LocalTimeType: Hashable, Sendable {
  /// Seconds east of Greenwich; -93 599 to 93 599.
  public let offsetSeconds: Int
  /// Whether tzdata calls it daylight saving time (in Dublin that is the winter).
  public let isDaylight: Bool
  /// The abbreviation: `CET`, `+03`, `LMT`.
  public let abbreviation: String
}

/// The rules of one time zone: when its local time changed, and the rule for the far future.
///
/// A pure value made from TZif data (RFC 9636) or from a POSIX `TZ` string; reads nothing.
public struct TimeZoneRules: Hashable, Sendable {
  /// The name it was asked for by: `Europe/Berlin`, `UTC`, `+01:00`.
  public let name: String
  /// The table of changes, seconds since 1970, strictly ascending; `typeIndices` says to what.
  let transitionTimes: [Int64]
  let typeIndices: [UInt8]
  /// Never empty; the first is in force before the table begins.
  let types: [LocalTimeType]
  /// The rule after the table's end (or from always, if the table is empty).
  let footer: PosixRule?

  init(
    name: String, transitionTimes: [Int64], typeIndices: [UInt8], types: [LocalTimeType],
    footer: PosixRule?
  ) {
    self.name = name
    self.transitionTimes = transitionTimes
    self.typeIndices = typeIndices
    self.types = types
    self.footer = footer
  }

  /// A zone that is always `offsetSeconds` east of Greenwich, or nil beyond ±25:59:59.
  public init?(fixedOffsetSeconds offset: Int) {
    guard TimeZoneRules.isPlausible(offset) else { return nil }
    let name = TimeFormat.offset(seconds: offset)
    self.init(
      name: name, transitionTimes: [], typeIndices: [],
      types: [LocalTimeType(offsetSeconds: offset, isDaylight: false, abbreviation: name)],
      footer: nil)
  }

  /// Coordinated Universal Time.
  public static let utc = TimeZoneRules(
    name: "UTC", transitionTimes: [], typeIndices: [],
    types: [LocalTimeType(offsetSeconds: 0, isDaylight: false, abbreviation: "UTC")], footer: nil)

  /// RFC 9636 3.2 allows -25 to +26 hours; one bound for both signs is simpler and as safe.
  static func isPlausible(_ offset: Int) -> Bool { (-93_599...93_599).contains(offset) }
  static let largestOffset: Int64 = 93_600

  /// The same rules under another name.
  public func named(_ name: String) -> TimeZoneRules {
    TimeZoneRules(
      name: name, transitionTimes: transitionTimes, typeIndices: typeIndices, types: types,
      footer: footer)
  }

  /// The local time in force at an instant, given in microseconds since 1970; any value is answered.
  public func localTimeType(atMicroseconds instant: Int64) -> LocalTimeType {
    localTimeType(atSeconds: floorDivide(instant, 1_000_000))
  }

  func localTimeType(atSeconds instant: Int64) -> LocalTimeType {
    let after = transitionTimes.partitioningIndex { $0 > instant }
    if after == transitionTimes.count, let footer { return footer.localTimeType(at: instant) }
    return after == 0 ? types[0] : types[Int(typeIndices[after - 1])]
  }
}

extension Array {
  /// The first index whose element satisfies `predicate`, in an array where those come last.
  func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = low + (high - low) / 2
      if predicate(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
