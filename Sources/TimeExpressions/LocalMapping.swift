/// What instants a wall time of a zone stands for, all in seconds since 1970.
struct LocalMapping: Hashable, Sendable {
  /// Every instant at which the zone's clocks show it, in order; empty in a gap.
  let instants: [Int64]
  /// In a gap: the wall time moved forward by the gap, as an instant.
  let afterGap: Int64?
  /// How far a gap moved it forward, in seconds.
  let gapSeconds: Int64

  /// The one that is meant when nothing else is said: the first, or the one after the gap.
  var first: Int64? { instants.first ?? afterGap }
}

extension TimeZoneRules {
  /// Maps a wall time, given in seconds as if the zone were UTC, to instants.
  func mapping(localSeconds local: Int64) -> LocalMapping {
    let changes = transitions(
      from: local - TimeZoneRules.largestOffset - 1, through: local + TimeZoneRules.largestOffset)
    var instants: [Int64] = []
    var gap: (instant: Int64, seconds: Int64)?
    var type = localTimeType(atSeconds: local - TimeZoneRules.largestOffset - 2)
    var begin = Int64.min
    for change in changes {
      let candidate = local - Int64(type.offsetSeconds)
      if candidate >= begin && candidate < change.instant { instants.append(candidate) }
      let next = local - Int64(change.type.offsetSeconds)
      if gap == nil && candidate >= change.instant && next < change.instant {
        gap = (candidate, Int64(change.type.offsetSeconds - type.offsetSeconds))
      }
      type = change.type
      begin = change.instant
    }
    let candidate = local - Int64(type.offsetSeconds)
    if candidate >= begin { instants.append(candidate) }
    if !instants.isEmpty {
      return LocalMapping(instants: instants, afterGap: nil, gapSeconds: 0)
    }
    return LocalMapping(
      instants: [], afterGap: gap?.instant ?? candidate, gapSeconds: gap?.seconds ?? 0)
  }

  /// The changes of local time in a closed range of seconds since 1970, in order; only those where
  /// something changes.
  func transitions(
    from first: Int64, through last: Int64
  ) -> [(instant: Int64, type: LocalTimeType)] {
    var result: [(instant: Int64, type: LocalTimeType)] = []
    let before = localTimeType(atSeconds: first - 1)
    func append(_ instant: Int64, _ next: LocalTimeType) {
      // Two changes at one instant: the later one is what holds.
      if result.last?.instant == instant { result.removeLast() }
      if next != result.last?.type ?? before { result.append((instant, next)) }
    }
    var index = transitionTimes.partitioningIndex { $0 >= first }
    while index < transitionTimes.count, transitionTimes[index] <= last {
      let instant = transitionTimes[index]
      // The footer rules from the last change on, that instant included.
      append(instant, localTimeType(atSeconds: instant))
      index += 1
    }
    guard let footer, footer.daylight != nil, index == transitionTimes.count else { return result }
    let begin = max(first, transitionTimes.last.map { $0 + 1 } ?? first)
    guard begin <= last else { return result }
    let years = (PosixRule.year(ofSeconds: begin) - 1)...(PosixRule.year(ofSeconds: last) + 1)
    for change in footer.changes(fromYear: years.lowerBound, through: years.upperBound)
    where change.instant >= begin && change.instant <= last {
      append(change.instant, change.type)
    }
    return result
  }
}
