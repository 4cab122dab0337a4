import Glibc
import LiveActivity
import SchedulerAPI
import TimeExpressions

/// Reads dates and spans against the daemon's clock and a zone.
struct TimeReader {
  /// The daemon's now, in microseconds since 1970.
  let now: Int64
  let zone: TimeZoneRules
  /// What a person should know of how a date was read.
  private(set) var notes: [String] = []

  init(now: Int64, zone: TimeZoneRules) {
    self.now = now
    self.zone = zone
  }

  /// Throws if a date or a zone on the command line cannot be one, before any daemon is asked.
  static func check(_ invocation: Invocation) throws(Failure) {
    if invocation.has(.zone) { _ = try zone(invocation) }
    let dates = invocation.all(
      .at, .end, .startBy, .stale, .timestamp, .dismiss, .since, .until, .clock, .baseTime)
    for given in dates {
      if given.name == .end, given.value == "never" { continue }
      if given.name == .dismiss, ["immediate", "default"].contains(given.value) { continue }
      do throws(TimeExpressionError) {
        _ = try TimeExpression.parse(given.value)
      } catch {
        throw .time(given.spelling, given.value, error)
      }
    }
  }

  static let zones = ZoneDatabase(directory: environment("TZDIR"))

  /// The zone that an option names, or else the machine's.
  static func zone(_ invocation: Invocation) throws(Failure) -> TimeZoneRules {
    do throws(TimeZoneError) {
      guard let name = invocation.value(.zone) else {
        return try zones.localRules(tz: environment("TZ"))
      }
      return try zones.rules(name)
    } catch {
      throw .malformed("\(error)")
    }
  }

  /// The machine's zone to show dates in; UTC, which the dates then say, where it cannot be had.
  static func zoneToShow() -> TimeZoneRules {
    (try? zones.localRules(tz: environment("TZ"))) ?? .utc
  }

  /// A date or a span; `what` is the option or operand that it came with.
  mutating func read(_ text: String, _ what: String) throws(Failure) -> ResolvedTime {
    let time: ResolvedTime
    do throws(TimeExpressionError) {
      time = try TimeExpression.parse(text).resolve(now: now, zone: zone) {
        name throws(TimeZoneError) in try TimeReader.zones.rules(name)
      }
    } catch {
      throw .time(what, text, error)
    }
    if case .date(let date) = time { note(date, text, what) }
    return time
  }

  /// A date; a span counts from now.
  mutating func date(_ text: String, _ what: String) throws(Failure) -> WallTime {
    switch try read(text, what) {
    case .date(let date): return WallTime(microseconds: date.microseconds)
    case .span(let span): return WallTime(microseconds: now.addingClamped(span))
    }
  }

  /// A date, or a span that counts from what the daemon says.
  mutating func moment(_ text: String, _ what: String) throws(Failure) -> Moment {
    switch try read(text, what) {
    case .date(let date): return .at(WallTime(microseconds: date.microseconds))
    case .span(let span): return .after(TimeSpan(microseconds: span))
    }
  }

  /// A span; `signed` takes one that begins with `-`.
  static func span(
    _ text: String, _ what: String, signed: Bool = false
  ) throws(Failure) -> TimeSpan {
    do throws(TimeExpressionError) {
      let span = try SpanExpression.parse(text, allowingNegative: signed)
      return TimeSpan(microseconds: span.microseconds)
    } catch {
      throw .time(what, text, error)
    }
  }

  private mutating func note(_ date: ResolvedDate, _ text: String, _ what: String) {
    if date.isNextOccurrence {
      notes.append(
        "\(what) '\(text)' is the next one: \(TimeText.local(date.microseconds, date.zone))")
    }
    if let adjustment = date.adjustment { notes.append("\(what) '\(text)': \(adjustment)") }
  }
}
