import LiveActivity
import Presentations
import TimeExpressions

/// A look for people, place by place: `name=value` of what is there.
enum LookLines {
  static func lines(_ look: Look, now: WallTime, isColoured: Bool) -> [String] {
    var lines: [String] = []
    func add(_ name: String, _ value: String?) {
      guard let value, !value.isEmpty else { return }
      lines.append(Style.dim.applied(to: name + "=", isColoured) + harmless(value))
    }
    add("title", look.title)
    for line in look.body.split(separator: "\n") { add("body", String(line)) }
    add("compactLeading", look.compactLeading)
    add("compactTrailing", look.compactTrailing)
    add("minimal", look.minimal)
    for line in look.expanded { add("expanded", line) }
    add("progress", look.progress.map { "\(Int(($0 * 100).rounded()))%" })
    add("icon", look.icon?.text)
    add("tint", look.tint)
    add("url", look.url)
    add("urgency", look.urgency.rawValue)
    add("sound", look.sound?.text)
    for action in look.actions {
      let command = action.command.map { " runs: " + $0.map(quoted).joined(separator: " ") } ?? ""
      add("action", "\(action.name): \(action.label)\(command)")
    }
    add(
      "changes",
      look.nextTick.map {
        "by itself " + TimeFormat.distance(from: now.microseconds, to: $0.microseconds)
      })
    return lines
  }

  /// A word as a shell would need it, so that its ends are seen.
  private static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
        || "%+,-./:=@_".utf8.contains($0)
    }
    if isPlain, !word.isEmpty { return word }
    return "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
