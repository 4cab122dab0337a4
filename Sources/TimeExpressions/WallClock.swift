/// A wall time and what it comes to in a zone: the intent behind a date, apart from the instant.
extension CivilTime {
  /// Reads `2026-12-01T18:30`, with seconds and at most six digits of a fraction if wanted: a date
  /// and a time of RFC 3339 without an offset. Nil for anything else.
  public init?(iso text: String) {
    let bytes = Array(text.utf8)
    func digits(_ range: Range<Int>) -> Int? {
      guard range.upperBound <= bytes.count else { return nil }
      var value = 0
      for byte in bytes[range] {
        guard byte.isASCIIDigit else { return nil }
        value = value * 10 + Int(byte - UInt8(ascii: "0"))
      }
      return value
    }
    func has(_ byte: Character, at place: Int) -> Bool {
      place < bytes.count && bytes[place] == byte.asciiValue
    }
    guard let year = digits(0..<4), has("-", at: 4), let month = digits(5..<7), has("-", at: 7),
      let day = digits(8..<10), has("T", at: 10) || has("t", at: 10) || has(" ", at: 10),
      let hour = digits(11..<13), has(":", at: 13), let minute = digits(14..<16),
      let date = CivilDate(year: year, month: month, day: day), hour <= 23, minute <= 59
    else { return nil }
    var second = 0
    var microsecond = 0
    if bytes.count > 16 {
      guard has(":", at: 16), let value = digits(17..<19), value <= 59 else { return nil }
      second = value
    }
    if bytes.count > 19 {
      let count = bytes.count - 20
      guard has(".", at: 19), (1...6).contains(count), let value = digits(20..<bytes.count) else {
        return nil
      }
      microsecond = (count..<6).reduce(value) { scaled, _ in scaled * 10 }
    }
    self.init(
      localSeconds: date.daysSince1970 * 86_400 + Int64(hour * 3600 + minute * 60 + second),
      microsecond: microsecond)
  }

  /// `2026-12-01T18:30:00`, with a fraction of 3 or 6 digits only if there is one.
  public var iso: String { text(joinedBy: "T") }

  /// `2026-12-01 18:30:00`.
  public var text: String { text(joinedBy: " ") }

  private func text(joinedBy mark: String) -> String {
    var text = TimeFormat.date(date) + mark + clockText
    if microsecond % 1000 != 0 {
      text += ".\(TimeFormat.padded(microsecond, 6))"
    } else if microsecond != 0 {
      text += ".\(TimeFormat.padded(microsecond / 1000, 3))"
    }
    return text
  }
}

/// What a wall time comes to in a zone.
public struct WallClockInstant: Hashable, Sendable {
  /// Microseconds since 1970, UTC; may lie outside the range of dates.
  public let microseconds: Int64
  /// What was done to the wall time, or what else it could have meant; nil if nothing.
  public let adjustment: Adjustment?
}

extension TimeZoneRules {
  /// The instant at which the zone's clocks show a wall time: moved forward by the gap where they
  /// skip it; of two the first, or the second if that is asked for. Clamped where Int64 ends.
  public func instant(of wall: CivilTime, second isSecond: Bool = false) -> WallClockInstant {
    let mapping = mapping(localSeconds: wall.localSeconds)
    func microseconds(_ seconds: Int64) -> Int64 {
      // A wall time may lie further off than microseconds can count.
      let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
      let (sum, carry) = whole.addingReportingOverflow(Int64(wall.microsecond))
      return overflow || carry ? (seconds < 0 ? .min : .max) : sum
    }
    if let moved = mapping.afterGap {
      return WallClockInstant(
        microseconds: microseconds(moved),
        adjustment: mapping.gapSeconds == 0 ? nil : .movedPastGap(bySeconds: mapping.gapSeconds))
    }
    let first = mapping.instants.first ?? wall.localSeconds
    guard let last = mapping.instants.last, last != first else {
      return WallClockInstant(microseconds: microseconds(first), adjustment: nil)
    }
    if isSecond { return WallClockInstant(microseconds: microseconds(last), adjustment: nil) }
    return WallClockInstant(
      microseconds: microseconds(first),
      adjustment: .firstOfTwo(
        offset: localTimeType(atSeconds: first).offsetSeconds,
        laterOffset: localTimeType(atSeconds: last).offsetSeconds))
  }

  /// What the zone's clocks show at an instant, and whether it is the second time that they do.
  public func wallClock(atMicroseconds instant: Int64) -> (time: CivilTime, isSecond: Bool) {
    let offset = localTimeType(atMicroseconds: instant).offsetSeconds
    let time = CivilTime(microseconds: instant, offsetSeconds: offset)
    let first = mapping(localSeconds: time.localSeconds).instants.first
    return (time, first.map { $0 < floorDivide(instant, 1_000_000) } ?? false)
  }
}

extension TimeExpression {
  /// Whether it asks for what the clocks on the wall of a zone show, so that it means another instant
  /// once the zone's rules change: not a span, `now`, `@SECONDS`, nor with an offset alone or `Z`.
  public var isWallTime: Bool {
    guard case .point(let point) = form, case .wall = point.base else { return false }
    guard let place = point.zone.offsetPlace else { return true }
    return point.zone.name != nil && place.text.lowercased() != "z"
  }

  /// Whether a span is added to it, so that what it shows is not what it comes to.
  public var hasSum: Bool {
    if case .point(let point) = form { return point.sum != nil }
    return false
  }

  /// Whether it names a day of the calendar or an instant, so that it comes once.
  public var isOnce: Bool {
    guard case .point(let point) = form, case .wall(let date, _) = point.base else { return true }
    switch date {
    case .civil, .day: return true
    case .weekday, nil: return false
    }
  }
}
