/// A stretch of time in which a zone's offset stays the same, in seconds since 1970.
struct ZoneSegment: Hashable, Sendable {
  /// Well outside the range of dates, and small enough to be counted in microseconds.
  static let horizon: Int64 = 1_000_000_000_000

  /// Its first second; nil if it has no beginning.
  let start: Int64?
  /// The first second after it; nil if it has no end.
  let end: Int64?
  let offset: Int
  /// The offset before it began.
  let offsetBefore: Int
}

extension TimeZoneRules {
  /// The stretch that an instant lies in; it may end at a change of the zone's name alone.
  func segment(containing instant: Int64) -> ZoneSegment {
    let after = transitionTimes.partitioningIndex { $0 > instant }
    var start = after == 0 ? nil : transitionTimes[after - 1]
    var end = after == transitionTimes.count ? nil : transitionTimes[after]
    if end == nil, let footer, footer.daylight != nil {
      let year = PosixRule.year(ofSeconds: instant)
      for change in footer.changes(fromYear: year - 2, through: year + 2) {
        if change.instant <= instant {
          start = max(start ?? change.instant, change.instant)
        } else {
          end = min(end ?? change.instant, change.instant)
        }
      }
    }
    let offset = localTimeType(atSeconds: instant).offsetSeconds
    return ZoneSegment(
      start: start, end: end, offset: offset,
      offsetBefore: start.map { localTimeType(atSeconds: $0 - 1).offsetSeconds } ?? offset)
  }
}
