import LiveActivity

/// What few sessions have, as bytes: parts, each after a byte that says which, and 0 at the end.
private enum Part: UInt8 {
  case end
  case reminders
  case planned
  case series
}

extension Packer {
  mutating func put(_ aside: Aside, _ at: ClockReading, first: Int64) {
    if !aside.reminders.isEmpty {
      bytes.append(Part.reminders.rawValue)
      put(Int64(aside.reminders.count))
      for reminder in aside.reminders {
        put(reminder.before.microseconds)
        bytes.append(reminder.state.rawValue)
      }
    }
    if !aside.planned.isEmpty {
      bytes.append(Part.planned.rawValue)
      put(Int64(aside.planned.count))
      for update in aside.planned {
        put(update.due, at)
        put(update.row &- first)
        put(Int64(update.by.rawValue))
        bytes.append(update.change.rawValue)
        bytes.append(update.hasAlert ? 1 : 0)
        put(update.stale, at)
      }
    }
    if let series = aside.series {
      bytes.append(Part.series.rawValue)
      put(series, at)
    }
    bytes.append(Part.end.rawValue)
  }

  private mutating func put(_ series: Series, _ at: ClockReading) {
    switch series.rule {
    case .calendar(let text, let zone):
      bytes.append(0)
      put(text)
      put(zone)
    case .every(let span):
      bytes.append(1)
      put(span.microseconds)
    }
    for date in [series.until, series.last, series.skipped] {
      bytes.append(date == nil ? 0 : 1)
      if let date { put(date.microseconds &- at.wall.microseconds) }
    }
    put(series.count ?? -1)
    put(series.made)
    put(series.slot, at)
    put(series.next, at)
    let template = series.template
    for term in [template.startBy, template.stale, template.end] { put(term, at) }
    bytes.append(
      (template.hasAlert ? 1 : 0) | (template.hasEndAlert ? 2 : 0) | (template.isShared ? 4 : 0)
        | (template.wakes ? 8 : 0))
    put(template.channel ?? "")
    put(Int64(template.reminders.count))
    for span in template.reminders { put(span.microseconds) }
  }

  private mutating func put(_ stale: StaleRule, _ at: ClockReading) {
    switch stale {
    case .keep: bytes.append(0)
    case .clear: bytes.append(1)
    case .set(let date):
      bytes.append(2)
      put(date.microseconds &- at.wall.microseconds)
    }
  }
}

extension Unpacker {
  /// What few sessions have; nil where the bytes are damaged.
  mutating func aside(_ at: ClockReading, first: Int64) -> Aside? {
    var aside = Aside()
    while let part = byte().flatMap(Part.init(rawValue:)) {
      switch part {
      case .end: return aside
      case .reminders:
        guard let reminders = list({ $0.reminder() }) else { return nil }
        aside.reminders = reminders
      case .planned:
        guard let planned = list({ $0.planned(at, first: first) }) else { return nil }
        aside.planned = planned
      case .series:
        guard let series = series(at) else { return nil }
        aside.series = series
      }
    }
    return nil
  }

  private mutating func list<Element>(_ read: (inout Unpacker) -> Element?) -> [Element]? {
    guard let count = int(), count >= 0 else { return nil }
    var elements: [Element] = []
    // Damaged bytes may name any number: each must be there.
    for _ in 0..<count {
      guard let element = read(&self) else { return nil }
      elements.append(element)
    }
    return elements
  }

  private mutating func series(_ at: ClockReading) -> Series? {
    let rule: RepeatRule
    switch byte() {
    case 0:
      guard let calendar = text(), let zone = text() else { return nil }
      rule = .calendar(calendar, zone: zone)
    case 1:
      guard let span = int() else { return nil }
      rule = .every(TimeSpan(microseconds: span))
    default: return nil
    }
    guard let until = date(at), let last = date(at), let skipped = date(at), let count = int(),
      let made = int(), let slot = term(at), let next = term(at), let startBy = term(at),
      let stale = term(at), let end = term(at), let flags = byte(), let channel = text(),
      let reminders = list({ $0.int().map { TimeSpan(microseconds: $0) } })
    else { return nil }
    var series = Series(rule: rule, slot: slot)
    (series.until, series.last, series.skipped) = (until, last, skipped)
    series.count = count < 0 ? nil : count
    series.made = made
    series.next = next
    series.template.startBy = startBy
    series.template.stale = stale
    series.template.end = end
    series.template.hasAlert = flags & 1 != 0
    series.template.hasEndAlert = flags & 2 != 0
    series.template.isShared = flags & 4 != 0
    series.template.wakes = flags & 8 != 0
    series.template.channel = channel.isEmpty ? nil : channel
    series.template.reminders = reminders
    return series
  }

  private mutating func reminder() -> SessionReminder? {
    guard let before = int(), let state = byte().flatMap(Reminder.State.init(rawValue:)) else {
      return nil
    }
    return SessionReminder(before: TimeSpan(microseconds: before), state: state)
  }

  private mutating func planned(_ at: ClockReading, first: Int64) -> SessionUpdate? {
    guard let due = term(at), let row = int(), let by = int().flatMap(UInt32.init(exactly:)),
      let change = byte().flatMap(SessionUpdate.Change.init(rawValue:)), let hasAlert = byte(),
      let stale = stale(at)
    else { return nil }
    return SessionUpdate(
      due: due, row: first &+ row, by: UserID(by), change: change, stale: stale,
      hasAlert: hasAlert != 0)
  }

  private mutating func stale(_ at: ClockReading) -> StaleRule? {
    switch byte() {
    case 0: .keep
    case 1: .clear
    case 2: int().map { .set(WallTime(microseconds: $0 &+ at.wall.microseconds)) }
    default: nil
    }
  }
}
