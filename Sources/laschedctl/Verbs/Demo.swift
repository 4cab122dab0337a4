import Following
import Glibc
import JSON
import LiveActivity
import SchedulerAPI
import TimeExpressions

extension Verb {
  static let demo = Verb(
    "demo", "", "see it all happen in a few seconds",
    notes: [
      "A private daemon on the real clock, gone afterwards with all that it stored. Exits with 0 "
        + "only if all of it was seen to happen."
    ]
  ) { context throws(Failure) in
    signal(SIGPIPE, SIG_IGN)
    let signals = try SignalPipe([SIGCHLD, SIGINT, SIGTERM, SIGHUP])
    let daemon = try PrivateDaemon(clock: nil, zone: nil, signals: signals)
    defer { daemon.end() }
    var demo = try Demo(context, daemon, signals)
    return try demo.play()
  }
}

/// A match that is scheduled, watched and ended, and a picnic that is rained off.
private struct Demo {
  private let daemon: Daemon
  private let watcher: Watcher
  private let signals: SignalPipe
  private let stage: DemoStage
  private var record = DemoRecord()
  private var isReady = false
  private let match = ActivityID(stored: "match")
  private let picnic = ActivityID(stored: "picnic")

  init(_ context: Context, _ server: PrivateDaemon, _ signals: SignalPipe) throws(Failure) {
    self.signals = signals
    daemon = try Daemon(server.choice)
    var monitor = MonitorParameters()
    monitor.alerts = true
    watcher = try Watcher(server.choice, monitor)
    stage = DemoStage(context.console)
    stage.say("A lasched of its own, on the machine's clock; nothing is left of it afterwards.")
  }

  mutating func play() throws(Failure) -> ExitCode {
    while !isReady { try watch(until: nil, milliseconds: 20) }
    try schedule()
    try watch(until: nil, milliseconds: 1200)
    try cancel()
    try watch(until: "started", milliseconds: 15_000)
    try score(1, stale: nil)
    try score(2, stale: 1200)
    try watch(until: "stale", milliseconds: 15_000)
    try watch(until: nil, milliseconds: 400)
    try end()
    try watch(until: "dismissed", milliseconds: 15_000)
    try watch(until: nil, milliseconds: 200)
    let flaws = record.flaws
    for flaw in flaws { stage.flaw(flaw) }
    guard flaws.isEmpty else { return .refused }
    stage.say(
      "All of it was seen to happen: never early, each once, and what was cancelled never alerted.")
    return .done
  }

  private mutating func schedule() throws(Failure) {
    stage.command(
      "schedule match --at 3s --title Kick-off --body 'Reds against Blues' --set score:='[0,0]'")
    var request = RequestParameters()
    request.id = match
    request.start = .after(.seconds(3))
    request.alert = try? Alert(title: "Kick-off", body: "Reds against Blues")
    request.content = Content(state: score(0))
    record.start = try daemon.call(request).reply.activity.startDate
    stage.command("schedule picnic --at 4s --title 'Off to the park'")
    request = RequestParameters()
    request.id = picnic
    request.start = .after(.seconds(4))
    request.alert = try? Alert(title: "Off to the park", body: "")
    _ = try daemon.call(request)
  }

  private mutating func cancel() throws(Failure) {
    stage.command("cancel picnic")
    let reply = try daemon.call(CancelParameters(.id(picnic))).reply
    record.cancelFoundPending = reply.pending == 1
  }

  private mutating func score(_ goals: Int64, stale: Int64?) throws(Failure) {
    try watch(until: nil, milliseconds: 600)
    var update = UpdateParameters(.id(match))
    update.patch = score(goals)
    var command = "update match --set score:='[\(goals),0]'"
    if let stale {
      update.staleDate = try inMilliseconds(stale)
      command += " --stale \(TimeFormat.span(microseconds: stale * 1000))"
    }
    stage.command(command)
    _ = try daemon.call(update)
  }

  private mutating func end() throws(Failure) {
    stage.command("end match --title 'Full time' --body 'Reds win 2:0' --dismiss 1s")
    var end = EndParameters(.id(match))
    end.alert = try? Alert(title: "Full time", body: "Reds win 2:0")
    end.dismissal = .after(try inMilliseconds(1000))
    _ = try daemon.call(end)
  }

  private func inMilliseconds(_ count: Int64) throws(Failure) -> WallTime {
    WallTime(microseconds: try daemon.now().microseconds.addingClamped(count * 1000))
  }

  private func score(_ goals: Int64) -> JSONText {
    let text = try? JSONText { writer in
      writer.beginObject()
      writer.key("score")
      writer.beginArray()
      writer.int(goals)
      writer.int(0)
      writer.endArray()
      writer.endObject()
    }
    return text ?? .emptyObject
  }

  /// Shows what happens for so long, or until that happens to the match.
  private mutating func watch(until kind: String?, milliseconds: Int) throws(Failure) {
    let deadline = monotonicMilliseconds() + milliseconds
    while true {
      while let item = try watcher.next() {
        switch item {
        case .ready: isReady = true
        case .lost(let error): throw Failure(error, watcher.choice)
        case .snapshot, .event: break
        }
        guard case .event(let node) = item else { continue }
        let event = EventView(node: node)
        guard record.note(event) else { continue }
        stage.event(event)
        if let alert = node["alert"], !alert.isNull { try show(alert, of: event) }
        if event.kind == kind, event.rawID == match.text { return }
      }
      while let caught = signals.next() {
        guard caught.number != SIGCHLD else { continue }
        throw Failure(
          ProcessEnd.killed(signal: caught.number).code, "laschedctl.Interrupted", "interrupted")
      }
      let left = deadline - monotonicMilliseconds()
      guard left > 0 else { return }
      let descriptors = [watcher.descriptor, signals.descriptor].compactMap { $0 }
      waitForInput(descriptors, milliseconds: min(left, watcher.patience ?? left))
    }
  }

  /// Shows an alert as an agent does, and says so.
  private func show(_ alert: JSONNode, of event: EventView) throws(Failure) {
    stage.alert(title: alert["title"]?.string ?? "", body: alert["body"]?.string ?? "")
    _ = try daemon.call(ConfirmAlertParameters(sequence: event.sequence, wasShown: true))
  }
}
