import Glibc
import LiveActivity
import Presentations
import SchedulerAPI

/// What a click on an island does with the activity that matters most. No text of an activity is in
/// the command that a bar runs for it.
enum IslandClick {
  case open
  case dismiss
  case act(String)

  /// nil where there are no operands.
  init?(_ operands: [String]) throws(Failure) {
    guard let word = operands.first else { return nil }
    switch (word, operands.count) {
    case ("open", 1): self = .open
    case ("dismiss", 1): self = .dismiss
    case ("act", 2): self = .act(operands[1])
    case ("act", _): throw .usage("island act needs the name of an action: island act ACTION")
    case ("open", _), ("dismiss", _):
      throw .usage("island \(word) does not take '\(operands[1])'")
    default: throw .usage("island '\(word)' is none of open, dismiss, act ACTION")
    }
  }

  func run(_ view: IslandView, _ context: Context) throws(Failure) -> ExitCode {
    guard let main = view.island.main, let choice = view.choice(of: main.activity) else {
      context.console.note("nothing runs")
      return .refused
    }
    let daemon = try Daemon(choice)
    let id = ActivityID(stored: main.activity.rawID)
    switch self {
    case .open: return try IslandClick.open(main.look.url, context)
    case .dismiss:
      var parameters = DismissParameters(id: id, session: main.activity.session)
      parameters.owner = main.activity.owner
      _ = try daemon.call(parameters)
    case .act(let name):
      guard let action = main.look.actions.first(where: { $0.name == name }) else {
        let names = main.look.actions.map(\.name).joined(separator: ", ")
        throw Failure(
          .refused, "laschedctl.NoSuchAction",
          "'\(id.text)' has no action '\(name)'" + (names.isEmpty ? "" : "; it has: \(names)"))
      }
      if action.isDeclared {
        var parameters = ActParameters(id: id, session: main.activity.session, action: name)
        parameters.owner = main.activity.owner
        _ = try daemon.call(parameters)
      }
      if let command = action.command { try IslandClick.replaceMe(by: command) }
    }
    return .done
  }

  private static func open(_ url: String?, _ context: Context) throws(Failure) -> ExitCode {
    guard let url else {
      context.console.note("it has no address to open")
      return .refused
    }
    guard Opener.isOpenable(url) else {
      throw Failure(
        .refused, "laschedctl.Scheme", "'\(url)' is not opened: only http and https are")
    }
    try replaceMe(by: ["xdg-open", url])
    return .done
  }

  /// The command in the place of this process (execvp(3)); returns only by throwing.
  private static func replaceMe(by command: [String]) throws(Failure) {
    var words = unsafe command.map { unsafe strdup($0) } + [nil]
    if let program = unsafe words[0] { unsafe execvp(program, &words) }
    throw .system("'\(command[0])' cannot be run: \(systemError(errno))")
  }
}
