import TimeExpressions

/// Berlin by its present rule, so that no test here depends on the machine's tzdata.
let berlin = posixZone("Europe/Berlin", "CET-1CEST,M3.5.0,M10.5.0/3")
let newYork = posixZone("America/New_York", "EST5EDT,M3.2.0,M11.1.0")
/// Daylight saving time of half an hour.
let lordHowe = posixZone("Australia/Lord_Howe", "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0")

func posixZone(_ name: String, _ rule: String) -> TimeZoneRules {
  TimeZoneRules(zone: name, posix: rule) ?? .utc
}

let zonesByName = Dictionary(
  uniqueKeysWithValues: [berlin, newYork, lordHowe].map { ($0.name, $0) })

func lookUp(_ name: String) throws(TimeZoneError) -> TimeZoneRules {
  guard let rules = zonesByName[name] else { throw .unknown(name) }
  return rules
}

/// The instant of an RFC 3339 text in UTC.
func utc(_ text: String) throws -> Int64 {
  guard
    case .date(let date) = try TimeExpression.parse(text).resolve(now: 0, zone: .utc)
  else { return -1 }
  return date.microseconds
}

/// What an expression means, as UTC text, or as the span's text.
func meaning(
  _ text: String, now: String = "2026-11-30T12:00:00Z", zone: TimeZoneRules = berlin
) throws -> String {
  switch try TimeExpression.parse(text).resolve(now: utc(now), zone: zone, zones: lookUp) {
  case .date(let date): TimeFormat.utc(microseconds: date.microseconds)
  case .span(let length): TimeFormat.span(microseconds: length)
  }
}

func resolved(
  _ text: String, now: String = "2026-11-30T12:00:00Z", zone: TimeZoneRules = berlin
) throws -> ResolvedDate? {
  guard
    case .date(let date) = try TimeExpression.parse(text).resolve(
      now: utc(now), zone: zone, zones: lookUp)
  else { return nil }
  return date
}

/// The refusal of an expression, or nil if it was taken.
func refusal(
  _ text: String, now: String = "2026-11-30T12:00:00Z", zone: TimeZoneRules = berlin
) throws -> TimeExpressionError? {
  let base = try utc(now)
  do {
    _ = try TimeExpression.parse(text).resolve(now: base, zone: zone, zones: lookUp)
    return nil
  } catch {
    return error
  }
}

/// SplitMix64: the same numbers for the same seed on every machine.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
