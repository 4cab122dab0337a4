import Glibc
import JSON

/// How data is written.
enum OutputForm: Sendable {
  /// For people and line tools.
  case text
  /// JSON, one value a line.
  case short
  /// JSON, indented.
  case pretty
}

/// Where a verb says what it has to say: data on stdout, what is for people on stderr.
final class Console {
  let output = Terminal(STDOUT_FILENO)
  let messages = Terminal(STDERR_FILENO)
  let form: OutputForm
  let isQuiet: Bool
  private var waiting: [UInt8] = []
  /// Whether stdout no longer takes what is written.
  private(set) var isBroken = false

  init(form: OutputForm, isQuiet: Bool) {
    self.form = form
    self.isQuiet = isQuiet
  }

  /// A console for what goes wrong before the options are known.
  convenience init() { self.init(form: .text, isQuiet: false) }

  /// Whether tables, colours and relative times are wanted on stdout.
  var isForPeople: Bool { form == .text && output.isTerminal }

  /// A line of data.
  func line(_ text: String) {
    waiting += Array(text.utf8)
    waiting.append(0x0A)
    if waiting.count > 1 << 16 { flush() }
  }

  /// A value of data, in the form of JSON that was asked for.
  func value(_ node: JSONNode) { line(node.displayed(indented: form == .pretty)) }

  /// Hands on what is written so far.
  func flush() {
    guard !waiting.isEmpty else { return }
    if !isBroken, !output.write(waiting) { isBroken = true }
    waiting.removeAll(keepingCapacity: true)
  }

  /// A line for people; not with `--quiet`.
  func note(_ text: String, _ style: Style = .plain) {
    guard !isQuiet else { return }
    say(style.applied(to: text, messages.isColoured))
  }

  /// A line for people that `--quiet` does not stop.
  func warn(_ text: String) { say("laschedctl: " + text) }

  /// What went wrong.
  func error(_ failure: Failure) {
    if form != .text, let json = try? failure.json?.parsed() {
      return say(json.displayed(indented: form == .pretty))
    }
    var text = "laschedctl: " + harmless(failure.message)
    if failure.parameters != nil { text += " (\(failure.shortName))" }
    say(Style.boldRed.applied(to: text, messages.isColoured))
    guard let place = failure.place, messages.isTerminal else { return }
    let before = place.text.prefix(max(0, place.column - 1))
    say("  " + harmless(place.text))
    let room = Cells.width(of: harmless(String(before)))
    say(
      "  " + String(repeating: " ", count: room)
        + Style.boldRed.applied(to: "^", messages.isColoured))
  }

  private func say(_ text: String) {
    flush()
    _ = messages.write(Array(text.utf8) + [0x0A])
  }
}
