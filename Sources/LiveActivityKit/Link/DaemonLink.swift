internal import LiveActivity
internal import SchedulerAPI
internal import Synchronization

/// What a process shares for all of its activities on one daemon: one connection to call on, one
/// to hear on.
final class DaemonLink: Sendable {
  let daemon: LiveActivityDaemon
  let calls: CallConnection
  let monitor: SessionMonitor
  let tokens: PushTokens

  private static let links = Mutex<[LiveActivityDaemon: DaemonLink]>([:])

  private init(_ daemon: LiveActivityDaemon) {
    self.daemon = daemon
    let calls = CallConnection(daemon.socket)
    self.calls = calls
    let tokens = PushTokens(calls, application: daemon.application)
    self.tokens = tokens
    monitor = SessionMonitor(daemon.socket, application: daemon.application) {
      tokens.fetchLater($0)
    }
  }

  /// The link of the daemon that is meant here: the task's, else the program's.
  static var current: DaemonLink { to(LiveActivityDaemon.effective) }

  static func to(_ daemon: LiveActivityDaemon) -> DaemonLink {
    links.withLock { links in
      if let link = links[daemon] { return link }
      let link = DaemonLink(daemon)
      links[daemon] = link
      return link
    }
  }

  /// Lets go of every link to a socket: what is asked of them from here on fails.
  static func close(socket: String) {
    let closed = links.withLock { links in
      let closed = links.values.filter { $0.daemon.socket == socket }
      for link in closed { links[link.daemon] = nil }
      return closed
    }
    for link in closed {
      link.calls.close()
      link.monitor.close()
    }
  }

  /// The links to a socket.
  static func all(socket: String) -> [DaemonLink] {
    links.withLock { links in links.values.filter { $0.daemon.socket == socket } }
  }

  /// Makes a call, and sees what it led to before it returns.
  func change<Call: SchedulerCall>(_ call: Call) async throws(LinkFailure) -> Call.Reply {
    var attempts = 0
    while true {
      do throws(LinkFailure) {
        // Events are sent before the reply to what caused them.
        return try await calls.answer(to: call) { [monitor] in monitor.catchUpAfterCall() }
      } catch {
        guard case .refused(.tooManyRequests(let span)) = error, attempts < 5 else { throw error }
        attempts += 1
        try? await Task.sleep(for: .microseconds(max(1000, span.microseconds)))
      }
    }
  }
}
