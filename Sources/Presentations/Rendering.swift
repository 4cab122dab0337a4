import JSON
import LiveActivity
import TimeExpressions

/// Writes templates for one subject at one time, and notes when what was written changes by itself.
struct Rendering {
  let subject: PresentationSubject
  let dates: DateCounting
  let now: WallTime
  let settings: LookSettings
  /// The earliest date at which a text that was written becomes another.
  private(set) var nextTick: WallTime?

  /// That date, which is then forgotten.
  mutating func takeTick() -> WallTime? {
    defer { nextTick = nil }
    return nextTick
  }

  init(
    _ subject: PresentationSubject, _ dates: DateCounting, _ now: WallTime,
    _ settings: LookSettings
  ) {
    self.subject = subject
    self.dates = dates
    self.now = now
    self.settings = settings
  }

  /// The text; what is missing is empty. What fields say goes through `escape`.
  mutating func text(
    _ template: Template, _ escape: (String) -> String = { $0 }
  ) -> String {
    var result = ""
    for piece in template.pieces {
      switch piece {
      case .text(let text): result += text
      case .field(let choices): result += escape(text(choices) ?? "")
      case .part(let inner):
        let before = nextTick
        if let text = part(inner, escape) { result += text } else { nextTick = before }
      }
    }
    return result
  }

  private mutating func part(
    _ pieces: [Template.Piece], _ escape: (String) -> String
  ) -> String? {
    var result = ""
    for piece in pieces {
      switch piece {
      case .text(let text): result += text
      case .field(let choices):
        guard let text = text(choices), !text.isEmpty else { return nil }
        result += escape(text)
      case .part: return nil
      }
    }
    return result
  }

  private mutating func text(_ choices: [Template.Choice]) -> String? {
    for choice in choices {
      switch choice {
      case .text(let text): return text
      case .field(let field, let format):
        if let text = text(field, format), !text.isEmpty { return text }
      }
    }
    return nil
  }

  /// What a template that is one number or fraction stands for, 0 to 1.
  mutating func fraction(_ template: Template) -> Double? {
    if template.isOneField, case .field(let choices)? = template.pieces.first {
      for case .field(let field, _) in choices {
        if field == .own(.passed) { _ = passed(in: 100) }
        if let fraction = value(field)?.fraction { return fraction }
      }
    }
    return FieldValue.text(text(template).filter { $0 != " " }).fraction
  }

  private mutating func text(_ field: Field, _ format: FieldFormat?) -> String? {
    switch field {
    case .own(.timer): return timer()
    case .own(.title): return ownTitle
    case .own(.body): return ownBody
    case .own(.details): return details
    case .own(.passed):
      let kind = format?.kind ?? .percent
      guard kind == .bar else { return passed(in: 100).map { "\($0)%" } }
      let cells = format?.cells ?? 10
      return passed(in: cells).map { bar($0, of: cells) }
    default:
      guard let value = value(field) else { return nil }
      return write(value, format)
    }
  }

  private func value(_ field: Field) -> FieldValue? {
    switch field {
    case .payload(let root, let path): subject.value(root, path).flatMap { FieldValue($0) }
    case .own(.id): .text(subject.id)
    case .own(.state): .text(subject.state)
    case .own(.type): .text(subject.type)
    case .own(.application): subject.application.map { .text($0) }
    case .own(.start): (subject.startedDate ?? subject.startDate).map { .date($0) }
    case .own(.end): (subject.endedDate ?? subject.endDate).map { .date($0) }
    case .own(.stale): subject.staleDate.map { .date($0) }
    // What a person would not call late is not late.
    case .own(.lateness): subject.lateness < 1_000_000 ? nil : .span(subject.lateness)
    case .own(.passed): passedFraction.map { .number($0, "") }
    case .own(.alertTitle): shownAlert.map { .text($0.title) }
    case .own(.alertBody): shownAlert.map { .text($0.body) }
    case .own(.timer), .own(.title), .own(.body), .own(.details): nil
    }
  }

  private mutating func write(_ value: FieldValue, _ format: FieldFormat?) -> String? {
    guard let format else {
      switch value {
      case .text(let text): return text
      case .number(_, let literal): return literal
      case .date(let date): return TimeTexts.local(date, settings.zone)
      case .span(let length): return String(TimeFormat.distance(from: 0, to: length).dropFirst(3))
      }
    }
    switch format.kind {
    case .duration:
      if case .span(let length) = value { return TimeTexts.duration(seconds: length / 1_000_000) }
      return value.number.flatMap { Int64(exactly: $0.rounded(.down)) }.map {
        TimeTexts.duration(seconds: $0)
      }
    case .countdown: return value.date(dates).map { countdown(to: $0) }
    case .elapsed: return value.date(dates).map { elapsed(since: $0) }
    case .time: return value.date(dates).map { TimeTexts.time($0, settings.zone) }
    case .date: return value.date(dates).map { TimeTexts.day($0, settings.zone) }
    case .percent: return value.fraction.map { percent($0 * 100) }
    case .bar:
      let cells = format.cells
      return value.fraction.map { bar(Int(($0 * Double(cells)).rounded()), of: cells) }
    }
  }
}

// Texts that change with time.
extension Rendering {
  private mutating func tick(at date: Int64) {
    let date = WallTime(microseconds: date)
    guard date > now else { return }
    nextTick = min(nextTick ?? date, date)
  }

  mutating func countdown(to date: WallTime) -> String {
    if settings.ticking == .clockTimes { return TimeTexts.short(date, now: now, settings.zone) }
    let (left, overflow) = date.microseconds.subtractingReportingOverflow(now.microseconds)
    guard left > 0, !overflow else { return TimeTexts.duration(seconds: 0) }
    // Rounded up, so that it says 00:00 when it is over, not a second before.
    let seconds = left / 1_000_000 + (left % 1_000_000 > 0 ? 1 : 0)
    let step: Int64 = seconds > 86_400 ? 3600 : 1
    let steps = seconds / step + (seconds % step > 0 ? 1 : 0)
    tick(at: date.microseconds - (steps - 1) * step * 1_000_000)
    return TimeTexts.duration(seconds: steps * step)
  }

  mutating func elapsed(since date: WallTime) -> String {
    if settings.ticking == .clockTimes { return TimeTexts.short(date, now: now, settings.zone) }
    // A clock that ran with the activity stands still with it.
    let until = min(now, subject.endedDate ?? now)
    let (passed, overflow) = until.microseconds.subtractingReportingOverflow(date.microseconds)
    guard passed >= 0, !overflow else {
      tick(at: date.microseconds.addingClamped(1_000_000))
      return TimeTexts.duration(seconds: 0)
    }
    let seconds = passed / 1_000_000
    let step: Int64 = seconds >= 86_400 ? 3600 : 1
    if subject.endedDate == nil {
      tick(at: date.microseconds.addingClamped((seconds / step + 1) * step * 1_000_000))
    }
    return TimeTexts.duration(seconds: seconds)
  }

  private mutating func timer() -> String? {
    switch subject.state {
    case "pending": return subject.startDate.map { countdown(to: $0) }
    case "active", "stale":
      if let end = subject.endDate { return countdown(to: end) }
      return (subject.startedDate ?? subject.startDate).map { elapsed(since: $0) }
    case "ended": return subject.endedDate.map { TimeTexts.short($0, now: now, settings.zone) }
    default: return nil
    }
  }

  /// How much of the time from start to end has passed, and that time, in microseconds.
  private var passage: (passed: Int64, length: Int64)? {
    guard let start = subject.startedDate ?? subject.startDate, let end = subject.endDate,
      subject.state != "pending", end > start
    else { return nil }
    let until = max(start, min(now, subject.endedDate ?? now, end))
    return (until.microseconds - start.microseconds, end.microseconds - start.microseconds)
  }

  private var passedFraction: Double? {
    passage.map { Double($0.passed) / Double($0.length) }
  }

  /// How many of so many steps have passed; notes when the next has.
  private mutating func passed(in steps: Int) -> Int? {
    guard let (passed, length) = passage else { return nil }
    let done = Int128(passed) * Int128(steps) / Int128(length)
    if settings.ticking == .texts, subject.endedDate == nil, done < steps {
      let next = ((done + 1) * Int128(length) + Int128(steps) - 1) / Int128(steps)
      tick(at: now.microseconds + Int64(next - Int128(passed)))
    }
    return Int(done)
  }

  private func percent(_ value: Double) -> String { "\(Int(value.rounded()))%" }

  private func bar(_ full: Int, of cells: Int) -> String {
    String(repeating: "█", count: full) + String(repeating: "░", count: cells - full)
  }
}
