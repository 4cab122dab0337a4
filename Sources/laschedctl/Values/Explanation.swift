import JSON
import LiveActivity
import TimeExpressions

/// What an expression means: a date or a span, what comes next of a repeat, or both where it can be
/// read as either.
struct Explanation {
  let text: String
  /// The base time, in microseconds since 1970.
  let base: Int64
  let zone: TimeZoneRules
  private(set) var date: ResolvedDate?
  private(set) var span: Int64?
  /// The zone that the repeat is read in.
  private(set) var calendarZone: TimeZoneRules?
  private(set) var occurrences: [CalendarOccurrence] = []
  /// Whether there are more occurrences than were asked for.
  private(set) var hasMore = false

  /// Reads it. What is neither is refused as what it looks like.
  init(
    _ text: String, base: Int64, zone: TimeZoneRules, iterations: Int
  ) throws(Failure) {
    (self.text, self.base, self.zone) = (text, base, zone)
    var isOnce = false
    var refusal: TimeExpressionError?
    do throws(TimeExpressionError) {
      let expression = try TimeExpression.parse(text)
      isOnce = expression.isOnce
      switch try expression.resolve(now: base, zone: zone, zones: Self.lookUp) {
      case .date(let date): self.date = date
      case .span(let length): span = length
      }
    } catch {
      refusal = error
    }
    if isOnce, refusal == nil { return }
    do throws(TimeExpressionError) {
      let calendar = try CalendarExpression.parse(text)
      let rules = try calendar.rules(zone: zone, zones: Self.lookUp)
      var last = base
      while let next = calendar.next(after: last, in: rules) {
        guard occurrences.count < iterations else {
          hasMore = true
          break
        }
        occurrences.append(next)
        last = next.microseconds
      }
      calendarZone = rules
    } catch {
      guard let refusal else { return }
      // Who got further in it, or knew what it is, knew better what it was to be.
      let isBetter =
        error.column > refusal.column
        || error.column == refusal.column && refusal.code == .syntax && error.code != .syntax
      throw .time("'\(text)'", text, isBetter ? error : refusal)
    }
  }

  private static func lookUp(_ name: String) throws(TimeZoneError) -> TimeZoneRules {
    try TimeReader.zones.rules(name)
  }

  /// One line a fact.
  var lines: [String] {
    var lines = ["from     " + moment(base, zone)]
    if let span {
      lines.append("means    a span of " + TimeFormat.span(microseconds: span))
      lines.append("reaches  " + moment(base.addingClamped(span), zone))
    }
    if let date {
      lines.append("means    " + moment(date.microseconds, date.zone))
      lines.append("         " + TimeFormat.distance(from: base, to: date.microseconds))
      if date.isNextOccurrence { lines.append("note     the next one after the base time") }
      if let wall = date.wallTime, let adjustment = date.adjustment {
        lines.append("note     \(wall.text): \(adjustment)")
      }
    }
    guard let calendarZone else { return lines }
    let what = date == nil ? "repeats  " : "or       as a repeat, "
    lines.append(what + (occurrences.isEmpty ? "never after the base time" : "next:"))
    for occurrence in occurrences {
      lines.append("         " + moment(occurrence.microseconds, calendarZone))
      if let adjustment = occurrence.adjustment {
        lines.append("note     \(occurrence.wallTime.text): \(adjustment)")
      }
    }
    if !hasMore, !occurrences.isEmpty { lines.append("note     there are no more") }
    return lines
  }

  private func moment(_ instant: Int64, _ zone: TimeZoneRules) -> String {
    "\(TimeText.local(instant, zone))  (\(TimeText.utc(instant)), \(zone.name))"
  }

  /// The same for programs.
  var json: JSONText? {
    try? JSONText { writer in
      writer.beginObject()
      writer.member("expression", text)
      writer.member("baseDate", TimeFormat.utc(microseconds: base))
      writer.member("zone", zone.name)
      writer.member("tzdata", TimeReader.zones.version)
      writer.member("spanUSec", span)
      if let date {
        writer.object("date") { writer in
          Self.write(
            &writer, date.microseconds, date.zone, wall: date.wallTime, date.adjustment)
          writer.member("zone", date.zone.name)
          writer.member("zoneGiven", date.isZoneGiven)
          writer.member("nextOccurrence", date.isNextOccurrence)
        }
      }
      if let calendarZone {
        writer.object("repeat") { writer in
          writer.member("zone", calendarZone.name)
          writer.key("next")
          writer.beginArray()
          for occurrence in occurrences {
            writer.beginObject()
            Self.write(
              &writer, occurrence.microseconds, calendarZone, wall: occurrence.wallTime,
              occurrence.adjustment)
            writer.endObject()
          }
          writer.endArray()
          writer.member("more", hasMore)
        }
      }
      writer.endObject()
    }
  }

  private static func write(
    _ writer: inout JSONWriter, _ instant: Int64, _ zone: TimeZoneRules, wall: CivilTime?,
    _ adjustment: Adjustment?
  ) {
    writer.member("date", TimeFormat.utc(microseconds: instant))
    writer.member("local", TimeFormat.local(microseconds: instant, zone: zone))
    writer.member("wallTime", wall?.iso)
    guard let adjustment else { return }
    writer.object("adjustment") { writer in
      switch adjustment {
      case .movedPastGap(let seconds):
        writer.member("kind", "movedPastGap")
        writer.member("byUSec", seconds * 1_000_000)
      case .firstOfTwo(let offset, let later):
        writer.member("kind", "firstOfTwo")
        writer.member("offset", TimeFormat.offset(seconds: offset))
        writer.member("laterOffset", TimeFormat.offset(seconds: later))
      case .leapSecond: writer.member("kind", "leapSecond")
      }
      writer.member("description", adjustment.description)
    }
  }
}
