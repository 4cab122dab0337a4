/// What laschedctl can do: a name, what goes with it, and how it is done.
struct Verb: Sendable {
  let name: String
  let aliases: [String]
  /// What may follow the name, as help writes it.
  let synopsis: String
  let summary: String
  /// How many operands there may be.
  let operands: ClosedRange<Int>
  /// The options it takes, beside those that every verb has.
  let options: [OptionName]
  /// Options that mean something else here than elsewhere.
  let forms: [OptionForm]
  /// Whether what follows `--` is a command.
  let takesCommand: Bool
  /// What else a person should know, each a paragraph.
  let notes: [String]
  let run: @Sendable (Context) throws(Failure) -> ExitCode

  init(
    _ name: String, aliases: [String] = [], _ synopsis: String, _ summary: String,
    operands: ClosedRange<Int> = 0...0, options: [OptionName] = [], forms: [OptionForm] = [],
    takesCommand: Bool = false, notes: [String] = [],
    run: @escaping @Sendable (Context) throws(Failure) -> ExitCode
  ) {
    self.name = name
    self.aliases = aliases
    self.synopsis = synopsis
    self.summary = summary
    self.operands = operands
    self.options = options
    self.forms = forms
    self.takesCommand = takesCommand
    self.notes = notes
    self.run = run
  }

  /// All verbs, in the order of help.
  static let all: [Verb] = [
    schedule, start, update, reschedule, end, cancel, skip, detach, push, token, act,
    enable, disable, list, show,
    history, status, isActive, wait, watch, run, test, clock, explain,
    presentation, island, doctor, demo,
  ]

  /// Verbs that a later version will have.
  static let later = ["export", "import"]

  /// Throws if the command line has operands or options that the verb does not take.
  func check(_ invocation: Invocation) throws(Failure) {
    for given in invocation.given
    where !options.contains(given.name) && !OptionForm.everywhere.contains(given.name) {
      throw .usage(
        "\(given.spelling) is no option of \(name); 'laschedctl \(name) --help' lists them")
    }
    let count = invocation.operands.count
    if count > operands.upperBound {
      let extra = invocation.operands[operands.upperBound]
      var message = "\(name) does not take '\(extra)'; it is used as: laschedctl \(usage)"
      if takesCommand, invocation.command == nil { message += " (the command comes after --)" }
      throw .usage(message)
    }
    if count < operands.lowerBound {
      throw .usage("\(name) needs more; it is used as: laschedctl \(usage)")
    }
    if takesCommand, invocation.command == nil {
      throw .usage("\(name) needs a command after --; it is used as: laschedctl \(usage)")
    }
  }

  var usage: String { synopsis.isEmpty ? name : "\(name) \(synopsis)" }

  /// The options about who, in verbs that act for others.
  static let ownerOptions: [OptionName] = [.owner, .everyOwner]

  static let contentOptions: [OptionName] = [.content, .set, .unset, .stale, .relevance]

  /// The options of `schedule`, `start` and `run`.
  static let createOptions: [OptionName] =
    [.title, .body] + contentOptions + [
      .attributes, .attr, .type, .application, .startBy, .end, .for, .endTitle, .endBody, .action,
      .urgency, .sound, .zone, .ifExists, .channel, .audience, .owner,
    ]
}
