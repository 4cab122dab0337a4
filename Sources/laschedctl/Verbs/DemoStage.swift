import JSON
import TimeExpressions

/// Where the demo is seen: commands, what they lead to, alerts in a frame.
struct DemoStage {
  private let console: Console
  private let zone = TimeReader.zoneToShow()
  private var isColoured: Bool { console.output.isColoured }

  init(_ console: Console) { self.console = console }

  private func line(_ text: String) {
    console.line(text)
    console.flush()
  }

  func say(_ text: String) { line(Style.bold.applied(to: text, isColoured)) }

  func flaw(_ text: String) {
    line(Style.boldRed.applied(to: "not as it should be: \(text)", isColoured))
  }

  func command(_ text: String) {
    line("")
    line(Style.dim.applied(to: "$ ", isColoured) + "laschedctl " + text)
  }

  func event(_ event: EventView) {
    let local = TimeFormat.local(microseconds: event.date / 1000 * 1000, zone: zone)
    let clock = local.split(separator: " ").dropFirst().first.map(String.init) ?? local
    let states =
      event.states == "-" ? "" : event.states.split(separator: ">").joined(separator: " → ")
    let words = [
      Style.dim.applied(to: Cells.pad(clock, 12), isColoured), Cells.pad(event.id, 6),
      Style.bold.applied(to: Cells.pad(event.kind, 12), isColoured),
      ActivityView.style(ofState: event.to).applied(to: states, isColoured), note(event),
    ]
    line("  " + words.filter { !$0.isEmpty }.joined(separator: "  "))
  }

  /// What is worth a word of it.
  private func note(_ event: EventView) -> String {
    switch event.kind {
    case "started":
      return event.node["latenessUSec"]?.int64.map {
        $0 < 1000 ? "on time" : "\(TimeFormat.span(microseconds: $0 / 1000 * 1000)) after its date"
      } ?? ""
    case "updated": return event.node["content"]?["state"]?.displayed(indented: false) ?? ""
    case "dismissed": return event.node["reason"]?.string ?? ""
    case "alertSettled": return "the alert was \(event.node["alertOutcome"]?.string ?? "")"
    default: return ""
    }
  }

  func alert(title: String, body: String) {
    let width = max(Cells.width(of: title), Cells.width(of: body)) + 2
    let bar = String(repeating: "─", count: width)
    line(Style.yellow.applied(to: "      ╭\(bar)╮", isColoured))
    for text in [title, body] where !text.isEmpty {
      let inside = Cells.pad(" " + harmless(text), width)
      line(
        Style.yellow.applied(to: "      │", isColoured)
          + (text == title ? Style.bold.applied(to: inside, isColoured) : inside)
          + Style.yellow.applied(to: "│", isColoured))
    }
    line(Style.yellow.applied(to: "      ╰\(bar)╯", isColoured))
  }
}
