/// The texts for instants and spans, the same in every locale; any 64-bit value has one.
public enum TimeFormat {
  /// `2026-12-01T18:30:00.000000Z` (RFC 3339, UTC, always six digits); an instant outside the
  /// years 0 to 9999 is `@SECONDS.FRACTION`.
  public static func utc(microseconds instant: Int64) -> String {
    let wall = CivilTime(microseconds: instant, offsetSeconds: 0)
    guard (0...9999).contains(wall.date.year) else { return epoch(microseconds: instant) }
    return "\(date(wall.date))T\(wall.clockText).\(padded(wall.microsecond, 6))Z"
  }

  /// `2026-12-01 18:30:00 CET`, or `2026-12-01 18:30:00 +03:00` where the zone has no letters for
  /// it. A fraction is written (3 or 6 digits) only if there is one. Read in the same zone it gives
  /// the same instant: of a time that occurs twice under one abbreviation, the later shows its
  /// offset. Where the local year is not 0 to 9999, the text is in UTC.
  public static func local(microseconds instant: Int64, zone: TimeZoneRules) -> String {
    let type = zone.localTimeType(atMicroseconds: instant)
    let wall = CivilTime(microseconds: instant, offsetSeconds: type.offsetSeconds)
    guard (0...9999).contains(wall.date.year) else {
      return zone == .utc
        ? epoch(microseconds: instant) : local(microseconds: instant, zone: .utc)
    }
    var text = "\(date(wall.date)) \(wall.clockText)"
    if wall.microsecond % 1000 != 0 {
      text += ".\(padded(wall.microsecond, 6))"
    } else if wall.microsecond != 0 {
      text += ".\(padded(wall.microsecond / 1000, 3))"
    }
    return text + " " + zoneMark(type, wall: wall, instant: instant, zone: zone)
  }

  private static func zoneMark(
    _ type: LocalTimeType, wall: CivilTime, instant: Int64, zone: TimeZoneRules
  ) -> String {
    guard type.abbreviation.utf8.allSatisfy(\.isASCIILetter), !type.abbreviation.isEmpty else {
      return offset(seconds: type.offsetSeconds)
    }
    let namesake = zone.mapping(localSeconds: wall.localSeconds).instants.first {
      zone.localTimeType(atSeconds: $0).abbreviation == type.abbreviation
    }
    return namesake == floorDivide(instant, 1_000_000)
      ? type.abbreviation : offset(seconds: type.offsetSeconds)
  }

  /// How far an instant lies from now: `in 25min`, `2h 5min ago`, `now` (less than a millisecond).
  /// The two largest neighbouring units of d, h, min, s, ms; what is smaller is cut off.
  public static func distance(from now: Int64, to instant: Int64) -> String {
    let size = instant > now ? instant.magnitude(above: now) : now.magnitude(above: instant)
    let units: [(String, UInt64)] = [
      ("d", 86_400_000_000), ("h", 3_600_000_000), ("min", 60_000_000), ("s", 1_000_000),
      ("ms", 1000),
    ]
    guard let first = units.firstIndex(where: { size >= $0.1 }) else { return "now" }
    var text = "\(size / units[first].1)\(units[first].0)"
    // From ten seconds on, milliseconds are noise.
    let second = first + 1
    if second < units.count, units[second].0 != "ms" || size < 10_000_000 {
      let rest = size % units[first].1 / units[second].1
      if rest > 0 { text += " \(rest)\(units[second].0)" }
    }
    return instant > now ? "in \(text)" : "\(text) ago"
  }

  /// `1h30min`, `2d4h`, `1s500ms`, `0s`; units d, h, min, s, ms, us, exact. A negative one begins
  /// with `-`.
  public static func span(microseconds: Int64) -> String {
    if microseconds == 0 { return "0s" }
    var rest = microseconds.magnitude
    var text = microseconds < 0 ? "-" : ""
    let units: [(String, UInt64)] = [
      ("d", 86_400_000_000), ("h", 3_600_000_000), ("min", 60_000_000), ("s", 1_000_000),
      ("ms", 1000), ("us", 1),
    ]
    for (name, size) in units where rest >= size {
      text += "\(rest / size)\(name)"
      rest %= size
    }
    return text
  }

  /// `+01:00`, `-00:44:30`: an offset from UTC, with seconds only if it has some.
  public static func offset(seconds: Int) -> String {
    let size = seconds.magnitude
    let text =
      (seconds < 0 ? "-" : "+")
      + "\(padded(Int(size / 3600), 2)):\(padded(Int(size / 60 % 60), 2))"
    return size % 60 == 0 ? text : text + ":\(padded(Int(size % 60), 2))"
  }

  /// `@1893456000` or `@1893456000.25`.
  static func epoch(microseconds: Int64) -> String {
    let size = microseconds.magnitude
    let text = "@" + (microseconds < 0 ? "-" : "") + "\(size / 1_000_000)"
    let fraction = Int(size % 1_000_000)
    if fraction == 0 { return text }
    var digits = padded(fraction, 6)
    while digits.last == "0" { digits.removeLast() }
    return text + "." + digits
  }

  static func date(_ date: CivilDate) -> String {
    "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
  }

  static func padded(_ value: Int, _ width: Int) -> String {
    let digits = "\(value)"
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}

extension Int64 {
  /// `self - other` for a smaller `other`, which may need all 64 bits.
  fileprivate func magnitude(above other: Int64) -> UInt64 {
    UInt64(bitPattern: self) &- UInt64(bitPattern: other)
  }
}
