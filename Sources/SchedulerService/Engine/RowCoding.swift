internal import ActivityStore
internal import JSON
internal import LiveActivity
internal import Scheduling

/// The core's events as rows of the store.
enum RowCoding {
  /// The row of an event; `body` is the payload that came with it.
  static func row(
    _ event: Event, boot: Int, id: ActivityID?, body: [UInt8]
  ) -> EventRow {
    var row = EventRow(
      sequence: event.sequence, kind: event.kind.rawValue, date: event.at.wall.microseconds)
    row.previous = event.previous
    row.due = event.due?.microseconds
    row.by = event.by?.rawValue
    row.reason = event.reason?.rawValue
    row.lateness = event.lateness
    row.alertRow = event.alert?.row
    row.alertField = event.alert?.field.rawValue
    row.alertSequence = event.alertSequence
    row.outcome = event.outcome?.rawValue
    row.step = event.step
    row.body = body
    if let session = event.session {
      row.first = session.first
      row.owner = session.owner.rawValue
      row.number = Int64(session.number)
      row.from = event.from?.rawValue
      row.to = session.state.rawValue
      row.fields = PackedSession(boot: boot, at: event.at, session: session).bytes
      if session.first == event.sequence, let id { row.id = Array(id.text.utf8) }
      if event.kind == .updated || event.hasContent || session.contentRow == event.sequence {
        row.contentRow = session.contentRow
      }
    } else if let change = event.enabled {
      row.owner = change.key.owner.rawValue
    }
    return row
  }
}
