import JSON
import LiveActivity
import Presentations
import TimeExpressions

/// A presentation file, after a NUL the activity that is drawn by it, after another the alert.
func readPresentation(_ input: [UInt8]) {
  let parts = input.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
  let text = String(decoding: parts[0], as: UTF8.self)
  let presentation = Presentation(parsing: text, type: "t", file: "t.conf")
  for mistake in presentation.diagnostics {
    expect(mistake.line >= 1 && mistake.column >= 1, "the place of: \(mistake)")
    expect(!mistake.description.contains(where: \.isNewline), "more than one line: \(mistake)")
  }
  let given = parts.dropFirst().map { try? JSONNode(validating: Array($0)) }
  guard let activity = (given.first ?? nil) ?? sample else { fail("the sample is not JSON") }
  let subject = PresentationSubject(activity, alert: given.count > 1 ? given[1] : nil)
  for ticking in [LookSettings.Ticking.texts, .clockTimes] {
    let settings = LookSettings(zone: .utc, ticking: ticking)
    for now in [WallTime.earliest, WallTime(microseconds: 1_796_126_405_500_000), .latest] {
      check(presentation.look(of: subject, at: now, settings), at: now)
    }
  }
}

private func check(_ look: Look, at now: WallTime) {
  expect(!look.title.isEmpty, "no title")
  let lines = [look.title, look.compactLeading, look.compactTrailing, look.minimal] + look.expanded
  for line in lines {
    expect(!line.contains(where: \.isNewline), "more than one line: \(line)")
  }
  if let progress = look.progress { expect((0...1).contains(progress), "progress \(progress)") }
  if let tick = look.nextTick { expect(tick > now, "a tick that is past: \(tick.rfc3339)") }
}

private let sample = try? JSONNode(
  validating: """
    {"id":"a","state":"active","type":"t","startDate":"2026-12-01T12:00:00Z",
    "startedDate":"2026-12-01T12:00:00Z","endDate":"2026-12-01T13:00:00Z",
    "attributes":{"name":"Tea","n":3},"contentState":{"progress":0.25,"eta":1796126700,
    "list":[1,"two",null],"deep":{"er":true},"icon":"cup","tint":"#ff0000"}}
    """)
