import Following
import JSON
import LiveActivity
import Notifications
import SchedulerAPI
import Systemd
import Varlink

/// One daemon: what it tells, through a `Follower`, and what it is told, over a second connection.
final class DaemonLink {
  let source: Source
  private let loop: EventLoop
  private let log: Journal
  private let follower: Follower
  private var watch: PathWatch?
  private var reading: EventSource?
  private var readFrom: Int32?
  private var calls: VarlinkConnection?
  private var answers: EventSource?
  /// What was asked and is not answered yet.
  private var asked: [Asked] = []
  private let hear: (AgentInput) -> Void

  private struct Asked {
    let what: String
    let isStatus: Bool
    let send: (VarlinkConnection) throws(VarlinkError) -> Void
  }

  init(
    _ source: Source, _ path: String, _ loop: EventLoop, _ log: Journal,
    _ hear: @escaping (AgentInput) -> Void
  ) throws(SystemError) {
    self.source = source
    self.loop = loop
    self.log = log
    self.hear = hear
    var parameters = MonitorParameters()
    parameters.alerts = true
    follower = Follower(path, parameters, longestPause: 60_000)
    watch = try PathWatch(loop, path) { [weak self] in
      guard let self, !self.follower.isConnected else { return }
      self.follower.hurry()
      self.read()
    }
  }

  var isConnected: Bool { follower.isConnected }

  /// Milliseconds until `read` is to be called even if nothing comes; nil for never.
  var patience: Int? {
    // Where there is nothing yet it is seen when it is made.
    if follower.failure?.code == .absent || follower.failure?.code == .refused { return nil }
    return follower.patience
  }

  /// Takes in all that is there.
  func read() {
    do throws(FollowerError) {
      while let item = try follower.next() {
        take(item)
        if case .lost = item { break }
      }
    } catch {
      switch error {
      case .connection(let error): log.log(.warning, "\(follower.path): \(error)")
      case .refused(let error, _): log.log(.warning, "the daemon at \(follower.path): \(error)")
      case .notUnderstood(let error):
        log.log(.warning, "what the daemon at \(follower.path) says is not understood: \(error)")
      }
    }
    listen()
  }

  private func take(_ item: Follower.Item) {
    switch item {
    case .snapshot(let node):
      understand(node) { node throws(SchedulerError) in
        .snapshot(source, try Activity(decoding: node))
      }
    case .event(let node):
      understand(node) { node throws(SchedulerError) in
        .event(source, try ActivityEvent(decoding: node))
      }
    case .ready(_, let store, let resumed):
      log.log(.debug, "following the \(source.rawValue)'s daemon")
      hear(.ready(source, store: store, resumed: resumed))
      askClock()
    case .lost:
      log.log(.info, "the \(source.rawValue)'s daemon went away; waiting for it")
      stopListening()
      calls = nil
      hear(.lost(source))
    }
  }

  /// What a newer daemon says, and this version does not know, is passed over.
  private func understand(
    _ node: JSONNode, _ body: (JSONNode) throws(SchedulerError) -> AgentInput
  ) {
    do throws(SchedulerError) {
      hear(try body(node))
    } catch {
      log.log(.debug, "passed over what is not understood: \(error)")
    }
  }

  private func listen() {
    guard readFrom != follower.descriptor || reading == nil else { return }
    stopListening()
    guard let descriptor = follower.descriptor else { return }
    readFrom = descriptor
    reading = try? loop.addDescriptor(descriptor, .readable) { [weak self] _ in self?.read() }
  }

  private func stopListening() {
    reading?.remove()
    reading = nil
    readFrom = nil
  }

  // MARK: Calls

  /// Asks for the daemon's clock, which in tests is not this machine's.
  private func askClock() {
    ask("GetStatus", isStatus: true) { connection throws(VarlinkError) in
      try connection.send(GetStatusParameters.method, GetStatusParameters().encode)
    }
  }

  func call<Call: SchedulerCall>(_ call: Call) {
    let name = String(Call.method.split(separator: ".").last ?? "")
    ask(name, isStatus: false) { connection throws(VarlinkError) in
      try connection.send(Call.method, call.encode)
    }
  }

  private func ask(
    _ what: String, isStatus: Bool,
    _ send: @escaping (VarlinkConnection) throws(VarlinkError) -> Void
  ) {
    asked.append(Asked(what: what, isStatus: isStatus, send: send))
    guard let calls else { return reconnect() }
    do throws(VarlinkError) { try send(calls) } catch { reconnect() }
  }

  /// Connects anew, and asks again what was not answered.
  private func reconnect() {
    answers?.remove()
    answers = nil
    calls = nil
    do throws(VarlinkError) {
      let connection = try VarlinkConnection(connectingTo: follower.path)
      for one in asked { try one.send(connection) }
      calls = connection
    } catch {
      // The daemon offers again what was not confirmed.
      if !asked.isEmpty { log.log(.info, "\(asked.count) calls to the daemon were lost: \(error)") }
      asked = []
      return
    }
    guard let calls else { return }
    answers = try? loop.addDescriptor(calls.fileDescriptor, .readable) { [weak self] _ in
      self?.readAnswers()
    }
  }

  private func readAnswers() {
    do throws(VarlinkError) {
      while let reply = try calls?.receive(milliseconds: 0) {
        guard !asked.isEmpty else { continue }
        let one = asked.removeFirst()
        if let name = reply.error {
          let error = SchedulerError(name: name, parameters: reply.parameters)
          log.log(.info, "\(one.what): \(error)")
        } else if one.isStatus,
          let status = try? GetStatusParameters.Reply(decoding: reply.parameters)
        {
          hear(.clock(source, status.now))
        }
      }
    } catch {
      answers?.remove()
      answers = nil
      calls = nil
      // While it is followed it is there: then this connection alone has broken.
      if !asked.isEmpty, follower.isConnected { reconnect() } else { asked = [] }
    }
  }
}
