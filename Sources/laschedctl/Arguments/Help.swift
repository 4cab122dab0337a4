/// What `--help` writes.
enum Help {
  static let synopsis =
    "laschedctl [--socket=PATH] [--user | --system] [-j | --json=pretty|short|off] [-q] [VERB …]"

  static let exitCodes = [
    "0 done", "1 refused", "3 not active (is-active)", "64 usage", "65 malformed input",
    "66 no such activity", "69 daemon not reachable", "75 try again", "77 not permitted",
    "124 timed out (wait)",
  ]

  /// All of it.
  static var lines: [String] {
    var lines = [
      "laschedctl: schedule, watch and change live activities", "", "Usage: \(synopsis)", "",
      "Verbs (without one: list)",
    ]
    for verb in Verb.all {
      lines.append("  \(verb.usage)")
      lines.append("      \(verb.summary)")
    }
    lines += ["", "options of schedule, start, run:"]
    lines += options(Verb.createOptions)
    lines += ["", "content options of update; of end too, without --stale:"]
    lines += options(Verb.contentOptions)
    lines += ["", "root, or group lasched:"] + options(Verb.ownerOptions)
    lines += ["", "everywhere:"] + options(OptionForm.everywhere)
    lines += [
      "", "'laschedctl VERB --help' tells more of a verb.",
      "Long spellings are understood too: --content-state, --stale-date, --relevance-score, "
        + "--dismissal-policy, --attributes-type.",
      "Exit codes: \(exitCodes.joined(separator: "; ")).",
    ]
    return lines
  }

  /// Of one verb.
  static func lines(_ verb: Verb) -> [String] {
    var lines = ["Usage: laschedctl \(verb.usage)", "", verb.summary]
    if !verb.options.isEmpty { lines += [""] + options(verb.options, verb.forms) }
    for note in verb.notes { lines += [""] + wrapped(note) }
    return lines
  }

  private static func options(_ names: [OptionName], _ own: [OptionForm] = []) -> [String] {
    let forms = names.compactMap { name in
      own.first { $0.name == name } ?? OptionForm.form(name)
    }
    let width = min(30, forms.map { $0.synopsis.count }.max() ?? 0)
    return forms.map { "  " + Cells.pad($0.synopsis, width) + "  " + $0.help }
  }

  private static func wrapped(_ text: String) -> [String] {
    var lines = [""]
    for word in text.split(separator: " ") {
      if lines[lines.count - 1].count + word.count > 90 { lines.append("") }
      lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
    }
    return lines
  }
}
