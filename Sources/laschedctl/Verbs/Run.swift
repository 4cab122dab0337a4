import Following
import Glibc
import JSON
import LiveActivity
import SchedulerAPI
import Varlink

extension Verb {
  static let run = Verb(
    "run", "[ID] [options] -- COMMAND…", "an activity for as long as a command runs",
    operands: 0...1, options: createOptions, takesCommand: true,
    notes: [
      "The exit status is the command's: 128 and the number for a signal, 127 where there is no "
        + "such command, 126 where it cannot be run. Signals are handed on to it. It is not run "
        + "where no daemon answers (69).",
      "At its end {\"exitStatus\": N} is merged into the content state, and the person is alerted "
        + "if --end-title is given. The command finds $LASCHED_ACTIVITY_ID and $LASCHED_SOCKET, "
        + "for laschedctl update.",
    ]
  ) { context throws(Failure) in
    var errand = try RunErrand(context)
    return try errand.run()
  }
}

/// A command and the session that goes with it.
private struct RunErrand {
  private enum Link {
    case connected(Daemon, session: Int64)
    /// A request was sent anew, and its reply is waited for.
    case asking(Daemon)
    case lost
  }

  private let context: Context
  private let command: CommandLineTail
  private let choice: SocketChoice
  private let signals: SignalPipe
  private var request: RequestParameters
  private let result: Alert?
  private var link = Link.lost
  private var id = ""
  /// When the next attempt to reach the daemon is due, in milliseconds of CLOCK_MONOTONIC.
  private var nextAttempt = 0
  private var pause = 100

  init(_ context: Context) throws(Failure) {
    self.context = context
    let invocation = context.invocation
    let command = try CommandLineTail(invocation)
    self.command = command
    choice = try context.socket()
    var builder = try RequestBuilder(invocation)
    let daemon = try Daemon(choice)
    var time = try daemon.timeReader(invocation)
    request = try builder.request(&time)
    request.bound = true
    result = request.endAlert
    if request.attributes == nil {
      request.attributes = try? JSONText { writer in
        writer.beginObject()
        writer.member("command", command.shortName)
        writer.endObject()
      }
    }
    signals = try SignalPipe(CommandLineTail.signals)
    let activity = try daemon.activity(request)
    // From here on it is that ID's, whoever chose it.
    id = activity.rawID
    request.id = ActivityID(stored: id)
    link = .connected(daemon, session: activity.session)
    context.console.note("laschedctl: \(activity.id) is \(activity.state) while it runs")
    for note in time.notes { context.console.note("  note    " + harmless(note), .yellow) }
  }

  mutating func run() throws(Failure) -> ExitCode {
    let started = monotonicMilliseconds()
    let process: ChildProcess
    do throws(Failure) {
      process = try command.start([
        "LASCHED_ACTIVITY_ID": id, "LASCHED_SOCKET": choice.path,
      ])
    } catch {
      withdraw()
      throw error
    }
    while true {
      while let caught = signals.next() {
        if caught.number != SIGCHLD, !caught.isFromTerminal { process.send(caught.number) }
      }
      if let end = process.end() {
        tell(end, after: monotonicMilliseconds() - started)
        return end.code
      }
      keepLink()
      waitForInput([signals.descriptor] + descriptor, milliseconds: patience)
    }
  }

  private var descriptor: [Int32] {
    switch link {
    case .connected(let daemon, _), .asking(let daemon): [daemon.connection.fileDescriptor]
    case .lost: []
    }
  }

  private var patience: Int? {
    if case .lost = link { return max(0, nextAttempt - monotonicMilliseconds()) }
    return nil
  }

  /// Notices that the daemon went away, and asks for a new session when it is back.
  private mutating func keepLink() {
    do throws(Failure) {
      switch link {
      case .connected(let daemon, _): _ = try daemon.next(milliseconds: 0)
      case .asking(let daemon):
        guard let (node, _) = try daemon.next(milliseconds: 0) else { return }
        let session = node["activity"]?["session"]?.int64 ?? 0
        link = .connected(daemon, session: session)
        pause = 100
        context.console.note(
          "laschedctl: the daemon is back; \(harmless(id)) goes on as session \(session)")
      case .lost:
        guard monotonicMilliseconds() >= nextAttempt else { return }
        let daemon = try Daemon(choice)
        // The person was told of the start already.
        request.alert = nil
        try daemon.send(request)
        link = .asking(daemon)
      }
    } catch {
      if case .connected = link {
        context.console.note(
          "laschedctl: the daemon went away; the command goes on without its activity")
      } else if error.code != .unreachable {
        context.console.note("laschedctl: \(harmless(error.message))")
      }
      link = .lost
      nextAttempt = monotonicMilliseconds() + pause
      pause = min(5000, pause * 2)
    }
  }

  /// Ends the session with what came of the command.
  private mutating func tell(_ end: ProcessEnd, after milliseconds: Int) {
    guard case .connected(let daemon, let session) = link else {
      return context.console.note(
        "laschedctl: the daemon is away; nobody was told that the command ended (\(end.text))")
    }
    var parameters = EndParameters(.id(ActivityID(stored: id)))
    parameters.session = session
    parameters.owner = request.owner
    parameters.patch = try? JSONText { writer in
      writer.beginObject()
      writer.member("exitStatus", Int64(end.code.rawValue))
      if case .killed(let signal) = end { writer.member("signal", Int64(signal)) }
      writer.endObject()
    }
    parameters.alert = alert(end, after: milliseconds)
    do throws(Failure) {
      try daemon.send(parameters)
      _ = try daemon.next(milliseconds: 5000)
    } catch  where error.shortName == "ActivityOver" {
      // Its end date, or a person, came first.
    } catch {
      context.console.note("laschedctl: \(harmless(error.message))")
    }
  }

  /// The alert at the end; its body, where none was given, says what came of the command.
  private func alert(_ end: ProcessEnd, after milliseconds: Int) -> Alert? {
    guard let result else { return nil }
    guard result.body.isEmpty else { return result }
    let length = TimeText.length(Int64(milliseconds) * 1000)
    let body =
      end == .exited(0) ? "done in \(length)" : "failed with \(end.text) after \(length)"
    return try? Alert(title: result.title, body: body, sound: result.sound, urgency: result.urgency)
  }

  /// Takes the session away again, as its command does not run.
  private func withdraw() {
    guard case .connected(let daemon, _) = link else { return }
    var cancel = CancelParameters(.id(ActivityID(stored: id)))
    cancel.owner = request.owner
    _ = try? daemon.call(cancel)
  }
}
