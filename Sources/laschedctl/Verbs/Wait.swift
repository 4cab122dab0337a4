import Following
import JSON
import LiveActivity
import SchedulerAPI

/// What `wait` waits for.
enum WaitGoal: String, CaseIterable, Sendable {
  case active, stale, ended, dismissed, action
}

extension Verb {
  static let wait = Verb(
    "wait", "ID --for active|stale|ended|dismissed|action [--timeout SPAN]",
    "wait until an activity has got that far", operands: 1...1,
    options: [.for, .timeout, .session, .owner],
    forms: [OptionForm(.for, .required("STATE"), "what to wait for")],
    notes: [
      "0: it is there, or has passed through; 1: it can no longer come; 66: no such activity; 124: "
        + "timed out. --timeout is real time, also where the daemon's is not.",
      "With action stdout has the name of the action that was used; one that was used before counts.",
    ]
  ) { context throws(Failure) in
    let invocation = context.invocation
    guard let goal = try invocation.choice(.for, { (goal: WaitGoal) in goal.rawValue }) else {
      throw .usage("wait needs --for \(WaitGoal.allCases.map(\.rawValue).joined(separator: "|"))")
    }
    let timeout = try invocation.last(.timeout).map { given throws(Failure) in
      try TimeReader.span(given.value, given.spelling)
    }
    var waiting = Waiting(
      context: context, choice: try context.socket(), id: try invocation.id(), goal: goal,
      session: try invocation.number(.session), owner: try invocation.owner())
    let deadline = timeout.map { span in
      monotonicMilliseconds().addingReportingOverflow(
        Int(clamping: span.microseconds.roundedUpToMillisecond / 1000)
      ).partialValue
    }
    return try waiting.run(until: deadline)
  }
}

/// One wait: a watch for what comes, and a look at what has been.
private struct Waiting {
  let context: Context
  let choice: SocketChoice
  let id: ActivityID
  let goal: WaitGoal
  /// The session that is waited for; the current one at the beginning.
  var session: Int64?
  let owner: UserID?
  private var result: ExitCode?

  /// For how long the daemon may be away.
  private static let patience = 90_000

  init(
    context: Context, choice: SocketChoice, id: ActivityID, goal: WaitGoal, session: Int64?,
    owner: UserID?
  ) {
    self.context = context
    self.choice = choice
    self.id = id
    self.goal = goal
    self.session = session
    self.owner = owner
  }

  mutating func run(until deadline: Int?) throws(Failure) -> ExitCode {
    var parameters = MonitorParameters()
    parameters.ids = [id]
    parameters.owner = owner
    let watcher = try Watcher(choice, parameters)
    var lostAt: Int?
    while result == nil {
      while result == nil, let item = try watcher.next() {
        switch item {
        case .snapshot: break
        case .event(let node): take(EventView(node: node))
        case .ready:
          lostAt = nil
          try look()
        case .lost:
          lostAt = lostAt ?? monotonicMilliseconds()
          context.console.note("laschedctl: the daemon went away; waiting for it")
        }
      }
      if result != nil { break }
      let now = monotonicMilliseconds()
      if let deadline, now >= deadline {
        throw Failure(
          .timedOut, "laschedctl.TimedOut",
          "timed out: \(harmless(id.text)) is not \(goal == .action ? "acted upon" : goal.rawValue)"
        )
      }
      if let lostAt, now - lostAt > Waiting.patience {
        throw .unreachable("the daemon at \(choice.path) does not come back")
      }
      let limits = [deadline.map { $0 - now }, watcher.patience].compactMap { $0 }
      waitForInput(watcher.descriptor.map { [$0] } ?? [], milliseconds: limits.min())
    }
    return result ?? .done
  }

  /// Looks at the session as it is, and at all that has happened to it.
  private mutating func look() throws(Failure) {
    do throws(Failure) {
      let daemon = try Daemon(choice)
      var get = GetParameters(id: id)
      get.session = session
      get.owner = owner
      let activity = try daemon.activity(get)
      session = activity.session
      var history = HistoryParameters()
      history.id = id
      history.session = session
      history.owner = owner
      var events: [EventView] = []
      try daemon.stream(history) { node throws(Failure) in
        for event in node["events"]?.elements ?? node.elements {
          events.append(EventView(node: event))
        }
      }
      for event in events where result == nil { take(event) }
      if result == nil { weigh(activity) }
    } catch  where error.code == .unreachable {
      // The watcher notices too, and looks again when it is back.
    }
  }

  private mutating func take(_ event: EventView) {
    guard result == nil, event.session == session, event.rawID == id.text else { return }
    if event.kind == "action" {
      guard goal == .action else { return }
      let action = event.node["action"]?.string ?? ""
      context.console.line(
        context.console.form == .text ? harmless(action) : "\"\(harmless(action))\"")
      result = .done
      return
    }
    consider(event.to)
  }

  /// What the session's own dates say, where the events are no longer kept.
  private mutating func weigh(_ activity: ActivityView) {
    if goal == .active, activity.date("startedDate") != nil { result = .done }
    if goal == .ended, activity.date("endedDate") != nil { result = .done }
    if result == nil { consider(activity.state) }
  }

  private mutating func consider(_ state: String) {
    if state == goal.rawValue {
      result = .done
    } else if state == "dismissed" || (state == "ended" && (goal == .active || goal == .stale)) {
      context.console.note(
        "laschedctl: \(harmless(id.text)) is \(state); '\(goal.rawValue)' can no longer come")
      result = .refused
    }
  }
}
