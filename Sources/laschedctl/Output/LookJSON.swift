import JSON
import LiveActivity
import Presentations

/// A look as JSON.
enum LookJSON {
  static func text(_ look: Look) throws(JSONError) -> JSONText {
    try JSONText { write(look, to: &$0) }
  }

  static func write(_ look: Look, to writer: inout JSONWriter) {
    writer.beginObject()
    members(look, &writer)
    writer.endObject()
  }

  /// The members alone, for an object that has others too.
  static func members(_ look: Look, _ writer: inout JSONWriter) {
    writer.member("title", look.title)
    writer.member("body", look.body)
    writer.member("compactLeading", look.compactLeading)
    writer.member("compactTrailing", look.compactTrailing)
    writer.member("minimal", look.minimal)
    writer.key("expanded")
    writer.beginArray()
    for line in look.expanded { writer.string(line) }
    writer.endArray()
    writer.member("progress", look.progress)
    writer.member("icon", look.icon?.text)
    writer.member("tint", look.tint)
    writer.member("url", look.url)
    writer.member("urgency", look.urgency.rawValue)
    writer.member("sound", look.sound?.text)
    writer.key("actions")
    writer.beginArray()
    for action in look.actions { write(action, &writer) }
    writer.endArray()
    writer.member("nextTick", look.nextTick?.rfc3339)
  }

  private static func write(_ action: Look.Action, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("name", action.name)
    writer.member("label", action.label)
    if let command = action.command {
      writer.key("command")
      writer.beginArray()
      for word in command { writer.string(word) }
      writer.endArray()
    }
    writer.endObject()
  }
}
