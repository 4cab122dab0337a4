import Glibc
import LiveActivity
import SchedulerAPI
import TimeExpressions

/// Reads dates and spans against the daemon's clock and a zone.
struct TimeReader {
  /// The daemon's now, in microseconds since 1970.
  let now: Int64
  let zone: TimeZoneRules
  /// Whether a start is to follow the machine's zone, which `zone` is then.
  let isFloating: Bool
  /// What a person should know of how a date was read.
  private(set) var notes: [String] = []

  init(now: Int64, zone: TimeZoneRules, isFloating: Bool = false) {
    self.now = now
    self.zone = zone
    self.isFloating = isFloating
  }

  /// What `--zone` says for wall times that follow the machine.
  static let floating = "floating"

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
  static func zone(
    _ invocation: Invocation, machine: String? = nil
  ) throws(Failure) -> TimeZoneRules {
    do throws(TimeZoneError) {
      guard let name = invocation.value(.zone) else {
        return try zones.localRules(tz: environment("TZ"))
      }
      guard name == floating else { return try zones.rules(name) }
      // Not the zone of whoever asks: the daemon's.
      if let machine, let rules = try? zones.rules(machine) { return rules }
      return try zones.localRules(tz: nil)
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

  /// When something starts: a date or a span, or a wall time, which stays one.
  ///
  /// A date that names no zone is in that of who asks, and stays in it; the machine's zone may be
  /// another tomorrow.
  mutating func start(
    _ given: Invocation.Given
  ) throws(Failure) -> (moment: Moment?, wall: WallStart?) {
    let expression = try? TimeExpression.parse(given.value)
    let isWallTime = expression?.isWallTime == true
    if isFloating, !isWallTime || expression?.zoneName != nil {
      throw .usage(
        "--zone floating goes with a date that names no zone, as 2026-12-01 18:30; "
          + "\(given.spelling) '\(given.value)' is none")
    }
    switch try read(given.value, given.spelling) {
    case .span(let span): return (.after(TimeSpan(microseconds: span)), nil)
    case .date(let date):
      if isWallTime, let wall = wallStart(date, hasSum: expression?.hasSum == true) {
        return (nil, wall)
      }
      return (.at(WallTime(microseconds: date.microseconds)), nil)
    }
  }

  /// The wall time behind a date; nil where its zone has no name, or is UTC, which never changes.
  private func wallStart(_ date: ResolvedDate, hasSum: Bool) -> WallStart? {
    let name = date.zone.name
    guard isFloating || !["UTC", "GMT", "Etc/UTC", "Etc/GMT"].contains(name) else { return nil }
    guard isFloating || (try? TimeReader.zones.rules(name)) != nil else { return nil }
    let shown = date.zone.wallClock(atMicroseconds: date.microseconds)
    // What clocks skip is asked for as it was written, should they not skip it some day.
    let time = hasSum ? shown.time : date.wallTime ?? shown.time
    return WallStart(
      local: time.iso, zone: isFloating ? nil : name, isFloating: isFloating,
      isSecond: shown.isSecond)
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
