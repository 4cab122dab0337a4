/// laschedctl(1), from its arguments to its exit code.
enum Program {
  static func run(_ arguments: [String]) -> ExitCode {
    var console = Console(hinting: arguments)
    do throws(Failure) {
      try checkEncoding(arguments)
      var parser = ArgumentParser(arguments)
      let invocation = try parser.invocation(verbs: Verb.all)
      console = Console(form: form(invocation), isQuiet: invocation.has(.quiet))
      return finish(console, try run(invocation, arguments, console))
    } catch {
      console.error(error)
      return finish(console, error.code)
    }
  }

  private static func run(
    _ invocation: Invocation, _ arguments: [String], _ console: Console
  ) throws(Failure) -> ExitCode {
    if invocation.has(.help) {
      let hasVerb = arguments.contains(invocation.verb.name)
      for line in hasVerb ? Help.lines(invocation.verb) : Help.lines { console.line(line) }
      return .done
    }
    if invocation.has(.version) {
      console.line("laschedctl \(Version.text)")
      return .done
    }
    try invocation.verb.check(invocation)
    try TimeReader.check(invocation)
    return try invocation.verb.run(Context(invocation: invocation, console: console))
  }

  /// Throws where an argument is not UTF-8: it would be taken for something else. A command after
  /// `--` is handed on as it is.
  private static func checkEncoding(_ arguments: [String]) throws(Failure) {
    let own = arguments.prefix { $0 != "--" }
    for (place, argument) in own.enumerated() where argument.unicodeScalars.contains("\u{FFFD}") {
      guard let raw = unsafe CommandLine.unsafeArgv[place],
        unsafe String(validatingCString: raw) == nil
      else { continue }
      throw .malformed("'\(argument)' is not UTF-8")
    }
  }

  private static func form(_ invocation: Invocation) -> OutputForm {
    guard let given = invocation.last(.json) else { return .text }
    switch given.value {
    case "pretty": return .pretty
    case "short": return .short
    case "off": return .text
    default: return Console().output.isTerminal ? .pretty : .short
    }
  }

  /// What was written is only done if it arrived.
  private static func finish(_ console: Console, _ code: ExitCode) -> ExitCode {
    console.flush()
    guard console.isBroken, code == .done else { return code }
    console.warn("not all of the output could be written")
    return .refused
  }
}

extension Console {
  /// A console for what is wrong with the command line itself: JSON if that was asked for.
  fileprivate convenience init(hinting arguments: [String]) {
    let options = arguments.dropFirst().prefix { $0 != "--" }
    let isPretty = options.contains("--json=pretty")
    let isJSON =
      isPretty || options.contains("-j") || options.contains("--json=short")
      || options.contains("--json")
    self.init(form: isPretty ? .pretty : isJSON ? .short : .text, isQuiet: false)
  }
}
