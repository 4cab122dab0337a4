import Glibc

/// The command after `--`, byte for byte as it was given.
struct CommandLineTail {
  private let first: Int
  /// Its file.
  let path: String
  /// Its name without directories.
  let shortName: String

  /// Throws where there is no command, and 127 or 126 where it cannot be run.
  init(_ invocation: Invocation) throws(Failure) {
    guard let first = invocation.command, first < CommandLine.arguments.count else {
      throw .usage(
        "the command after -- is missing; it is used as: laschedctl \(invocation.verb.usage)")
    }
    self.first = first
    let name = CommandLine.arguments[first]
    path = try ProgramSearch.find(name)
    shortName = name.split(separator: "/").last.map(String.init) ?? name
  }

  /// What is handed on to the command, and the news of its end.
  static let signals: [Int32] = [SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2]

  /// Starts it with some variables of the environment changed.
  func start(_ changes: [String: String?]) throws(Failure) -> ChildProcess {
    // A reader of our messages that is gone must not end us before the command.
    signal(SIGPIPE, SIG_IGN)
    let count = Int(CommandLine.argc)
    let arguments = unsafe (first..<count).map { unsafe CommandLine.unsafeArgv[$0] } + [nil]
    return try unsafe ChildProcess(path: path, arguments: arguments, changes: changes)
  }

  /// Runs it to its end, handing signals on.
  func run(_ changes: [String: String?], _ signals: SignalPipe) throws(Failure) -> ProcessEnd {
    let process = try start(changes)
    while true {
      while let caught = signals.next() {
        if caught.number != SIGCHLD, !caught.isFromTerminal { process.send(caught.number) }
      }
      if let end = process.end() { return end }
      waitForInput([signals.descriptor], milliseconds: nil)
    }
  }
}
