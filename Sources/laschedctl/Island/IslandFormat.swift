import JSON
import LiveActivity
import Presentations

/// The bars that an island is written for, each in its own language.
enum IslandFormat: String, CaseIterable, Sendable {
  /// Text for anybody.
  case plain
  /// waybar-custom(5) with `return-type` json: markup in text and tooltip, classes, percentage.
  case waybar
  /// i3blocks(1) with `format=json` and `interval=persist`: the block of i3bar's protocol.
  case i3blocks
  /// polybar's module custom/script.
  case polybar
  /// A `#(…)` in tmux(1)'s status line.
  case tmux
  /// Looks as `presentation check --json` has them.
  case json

  /// The line for it.
  func line(_ island: Island) -> String {
    switch self {
    case .plain: return harmless(island.line)
    case .polybar: return colored(island) { "%{F\($0)}\(PolybarText.escaped($1))%{F-}" }
    case .tmux:
      return colored(island) {
        "#[fg=\($0)]\(TmuxText.escaped($1, beforeStyle: true))#[default]"
      }
    case .waybar: return text { waybar(island, &$0) }
    case .i3blocks: return text { i3blocks(island, &$0) }
    case .json: return text { json(island, &$0) }
    }
  }

  /// The first piece in its tint. Tints are six digits by the time they are here.
  private func colored(_ island: Island, _ paint: (String, String) -> String) -> String {
    let escape = self == .polybar ? PolybarText.escaped : { TmuxText.escaped($0) }
    guard let tint = island.main?.look.tint, let first = island.pieces.first else {
      return escape(island.line)
    }
    let rest = island.pieces.dropFirst().map { " · " + escape($0) }
    return paint(tint, first) + rest.joined()
  }

  private func text(_ write: (inout JSONWriter) -> Void) -> String {
    (try? JSONText(write).parsed())?.displayed(indented: false) ?? "{}"
  }

  private func markup(_ island: Island) -> String {
    var pieces = island.pieces.map(PangoMarkup.escaped)
    if let tint = island.main?.look.tint, let first = pieces.first {
      pieces[0] = "<span color=\"\(tint)\">\(first)</span>"
    }
    return pieces.joined(separator: " · ")
  }

  private func waybar(_ island: Island, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("text", markup(island))
    writer.member("alt", island.main?.activity.state)
    writer.member("tooltip", IslandFormat.tooltip(island))
    writer.key("class")
    writer.beginArray()
    if let main = island.main {
      writer.string(main.activity.state)
      writer.string("urgency-\(main.look.urgency.rawValue)")
      if main.look.progress != nil { writer.string("progress") }
    } else {
      writer.string("empty")
    }
    writer.endArray()
    writer.member(
      "percentage", island.main?.look.progress.map { Int64(($0 * 100).rounded()) })
    writer.endObject()
  }

  /// A paragraph for each that runs.
  private static func tooltip(_ island: Island) -> String {
    var lines: [String] = []
    for part in island.all {
      lines.append("<b>\(PangoMarkup.escaped(part.look.title))</b>")
      for line in part.look.expanded { lines.append(PangoMarkup.escaped(line)) }
      if let progress = part.look.progress { lines.append("\(Int((progress * 100).rounded()))%") }
    }
    let more = island.rest + 2 - island.all.count
    if more > 0, island.all.count > 2 { lines.append("+\(more)") }
    return lines.joined(separator: "\n")
  }

  private func i3blocks(_ island: Island, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("full_text", island.pieces.map(PangoMarkup.escaped).joined(separator: " · "))
    writer.member("short_text", PangoMarkup.escaped(island.main?.look.minimal ?? ""))
    writer.member("color", island.main?.look.tint)
    writer.member("urgent", island.main.map { $0.look.urgency == .critical } ?? false)
    writer.member("markup", "pango")
    writer.endObject()
  }

  private func json(_ island: Island, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("text", island.line)
    for (name, part) in [("main", island.main), ("second", island.second)] {
      guard let part else { continue }
      writer.key(escaping: name)
      writer.beginObject()
      writer.member("id", part.activity.rawID)
      writer.member("owner", part.activity.owner.map { Int64($0.rawValue) })
      writer.member("session", part.activity.session)
      writer.member("state", part.activity.state)
      LookJSON.members(part.look, &writer)
      writer.endObject()
    }
    writer.member("rest", Int64(island.rest))
    writer.endObject()
  }
}
