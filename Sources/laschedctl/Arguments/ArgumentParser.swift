/// Reads a command line as systemd's tools do: options anywhere before `--`, `--option=VALUE` and
/// `--option VALUE`, short options together. What follows an option that takes a value is its
/// value, whatever it begins with; `-1d` is an operand, as no option is a digit.
struct ArgumentParser {
  private let arguments: [String]
  private var position = 1
  private var words: [String] = []
  private var given: [Invocation.Given] = []
  /// Where what follows `--` begins.
  private var rest: Int?

  /// `arguments[0]` is the program's own name.
  init(_ arguments: [String]) { self.arguments = arguments }

  /// The verb and all that goes with it. Throws usage errors.
  mutating func invocation(verbs: [Verb]) throws(Failure) -> Invocation {
    while position < arguments.count, rest == nil {
      let argument = arguments[position]
      position += 1
      if argument == "--" {
        rest = position
      } else if argument.hasPrefix("--") {
        try long(argument)
      } else if isOption(argument) {
        try short(argument)
      } else {
        words.append(argument)
      }
    }
    let after = rest.map { Array(arguments[$0...]) } ?? []
    let name = words.first ?? after.first
    let verb = try find(name, in: verbs)
    var invocation = Invocation(verb: verb, given: given)
    invocation.operands = Array(words.dropFirst())
    if verb.takesCommand, !words.isEmpty {
      invocation.command = rest
    } else {
      invocation.operands = Array((words + after).dropFirst())
    }
    return invocation
  }

  private func isOption(_ argument: String) -> Bool {
    guard argument.hasPrefix("-"), let second = argument.utf8.dropFirst().first else {
      return false
    }
    return !(0x30...0x39).contains(second) && second != UInt8(ascii: ".")
  }

  private func find(_ name: String?, in verbs: [Verb]) throws(Failure) -> Verb {
    guard let name else { return Verb.list }
    if let verb = verbs.first(where: { $0.name == name || $0.aliases.contains(name) }) {
      return verb
    }
    if Verb.later.contains(name) {
      throw .usage("'\(name)' comes with a later version")
    }
    let near = nearest(name, among: verbs.flatMap { [$0.name] + $0.aliases })
    throw .usage(
      "there is no verb '\(name)'; "
        + (near.map { "did you mean '\($0)'?" } ?? "'laschedctl --help' lists them"))
  }

  private mutating func long(_ argument: String) throws(Failure) {
    let body = argument.dropFirst(2)
    let parts = body.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    let own = parts.count > 1 ? String(parts[1]) : nil
    guard let form = OptionForm.long(name) else { throw unknown(name) }
    try take(form, spelling: "--" + name, own: own)
  }

  private func unknown(_ name: String) -> Failure {
    if OptionForm.later.contains(name) { return .usage("--\(name) comes with a later version") }
    let near = nearest(name, among: OptionForm.all.flatMap { [$0.name.rawValue] + $0.aliases })
    return .usage(
      "there is no option --\(name); "
        + (near.map { "did you mean --\($0)?" } ?? "'laschedctl --help' lists them"))
  }

  private mutating func short(_ argument: String) throws(Failure) {
    var letters = argument.dropFirst()
    while let letter = letters.popFirst() {
      guard let form = OptionForm.short(letter) else {
        throw .usage("there is no option -\(letter); 'laschedctl --help' lists them")
      }
      switch form.value {
      case .none: try take(form, spelling: "-\(letter)", own: nil)
      case .optional:
        given.append(.init(name: form.name, spelling: "-\(letter)", value: ""))
      case .required:
        let own = letters.isEmpty ? nil : String(letters)
        letters = ""
        try take(form, spelling: "-\(letter)", own: own)
      }
    }
  }

  private mutating func take(_ form: OptionForm, spelling: String, own: String?) throws(Failure) {
    var value = own ?? ""
    switch form.value {
    case .none:
      if let own { throw .usage("\(spelling) takes no value, and was given '\(own)'") }
    case .required(let what):
      if own == nil {
        guard position < arguments.count else {
          throw .usage("\(spelling) needs a value: \(spelling) \(what)")
        }
        value = arguments[position]
        position += 1
      }
    case .optional(_, let words):
      if let own {
        guard words.contains(own) else {
          throw .usage("\(spelling) '\(own)' is none of \(words.joined(separator: ", "))")
        }
      } else if position < arguments.count, words.contains(arguments[position]) {
        value = arguments[position]
        position += 1
      }
    }
    given.append(.init(name: form.name, spelling: spelling, value: value))
  }
}
