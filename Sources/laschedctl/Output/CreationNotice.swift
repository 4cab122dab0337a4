import JSON
import TimeExpressions

/// What a person is told of a session's dates: each in the local zone and in UTC, and how far off.
struct CreationNotice {
  let activity: ActivityView
  /// The daemon's now.
  let now: Int64
  let zone: TimeZoneRules

  func lines(created: Bool) -> [String] {
    var text = "\(activity.id) is \(activity.state) (session \(activity.session))"
    if let reason = activity.node["reason"]?.string { text += ": \(harmless(reason))" }
    if !created { text += "; it was there already" }
    return [text] + dates + notes
  }

  /// What became of a start that came late, what the start follows, and how dates of a repeat were read.
  private var notes: [String] {
    var notes = activity.repeatNotes(machine: zone).map { "  note    \($0)" }
    if activity.state != "pending", let late = activity.node["latenessUSec"]?.int64, late > 0 {
      notes.append("  note    its start was past: it began \(TimeText.length(late)) late")
    }
    if let local = activity.node["localStart"], activity.state == "pending" {
      let zone = harmless(local["zone"]?.string ?? "")
      if local["floating"]?.bool == true {
        notes.append("  note    it starts at that time of day wherever the machine then is")
      } else if zone != self.zone.name {
        notes.append("  note    it starts at that time of day in \(zone)")
      }
    }
    return notes
  }

  /// One line a date.
  var dates: [String] {
    let isPending = activity.state == "pending"
    let all: [(String, Int64?)] = [
      ("starts", isPending ? activity.date("startDate") : nil),
      ("by", isPending ? activity.date("startByDate") : nil),
      ("stale", activity.staleDate), ("ends", activity.date("endDate")),
      ("goes", activity.date("dismissalDate")), ("then", activity.date("nextStartDate")),
    ]
    let repeats = activity.repeats.map { ["  repeats \($0)"] } ?? []
    let wakes = activity.wakes ? ["  wakes   this machine from suspend"] : []
    return all.compactMap { what, date in date.map { line(what, $0) } } + repeats + reminders
      + wakes
  }

  /// One line a reminder, those that will not come too.
  private var reminders: [String] {
    activity.reminders.map { reminder in
      let text = line("reminds", reminder.date)
      let length = TimeText.length(reminder.before)
      return reminder.state == "ahead"
        ? "\(text), \(length) before the start"
        : "\(text): \(reminder.state), \(length) before the start"
          + (reminder.state == "skipped" ? " is past" : "")
    }
  }

  /// A date: local, in UTC, and how far off.
  static func line(_ what: String, _ instant: Int64, now: Int64, zone: TimeZoneRules) -> String {
    var text = "  \(Cells.pad(what, 7)) \(TimeText.local(instant, zone))"
    text += "  (\(TimeText.utc(instant)), \(zone.name)), "
    return text + TimeFormat.distance(from: now, to: instant)
  }

  private func line(_ what: String, _ instant: Int64) -> String {
    var text = CreationNotice.line(what, instant, now: now, zone: zone)
    if what == "ends", let start = activity.date("startDate") ?? activity.date("startedDate") {
      let length = instant.subtractingReportingOverflow(start)
      if !length.overflow, length.partialValue > 0 {
        text += ", \(TimeText.length(length.partialValue)) after the start"
      }
    }
    return text
  }
}
