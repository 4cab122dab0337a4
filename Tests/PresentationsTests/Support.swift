import JSON
import LiveActivity
import Presentations
import Testing
import TimeExpressions

/// 2026-12-01T12:00:00Z.
let noon = WallTime(microseconds: 1_796_126_400_000_000)

func after(_ seconds: Double) -> WallTime {
  WallTime(microseconds: noon.microseconds + Int64(seconds * 1_000_000))
}

let utc = LookSettings(zone: .utc)
let clockTimes = LookSettings(zone: .utc, ticking: .clockTimes)

/// An activity as the interface writes it, from the members that matter.
func subject(_ members: String, alert: String? = nil) throws -> PresentationSubject {
  let activity = try JSONNode(validating: "{\(members)}")
  return PresentationSubject(activity, alert: try alert.map { try JSONNode(validating: $0) })
}

/// An active one since noon.
func running(_ members: String, alert: String? = nil) throws -> PresentationSubject {
  try subject(
    """
    "id":"a","state":"active","startDate":"2026-12-01T12:00:00Z",
    "startedDate":"2026-12-01T12:00:00Z",\(members)
    """, alert: alert)
}

/// The look by a file of these lines; fails where the file has a mistake.
func look(
  _ lines: String, _ subject: PresentationSubject, at now: WallTime = noon,
  _ settings: LookSettings = utc
) -> Look {
  let presentation = Presentation(parsing: lines, type: "t", file: "t.conf")
  #expect(presentation.diagnostics == [])
  return presentation.look(of: subject, at: now, settings)
}

/// What one template says in the place of the title.
func title(
  _ template: String, _ subject: PresentationSubject, at now: WallTime = noon,
  _ settings: LookSettings = utc
) -> String {
  look("Title=\(template)", subject, at: now, settings).title
}
