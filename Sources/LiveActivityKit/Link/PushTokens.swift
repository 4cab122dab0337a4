internal import Dispatch
internal import LiveActivity
internal import SchedulerAPI
internal import Synchronization

/// Push tokens of a link: the daemon tells each once, so they are kept here.
final class PushTokens: Sendable {
  private let calls: CallConnection
  private let application: String
  private let queue = DispatchQueue(label: "io.lasched.tokens")
  private let state = Mutex(State())

  private struct State {
    var starts: [String: String] = [:]
    var listeners: [String: Sinks<String>] = [:]
  }

  init(_ calls: CallConnection, application: String) {
    self.calls = calls
    self.application = application
  }

  /// Fetches a session's, and tells the record.
  func fetch(_ record: SessionRecord) {
  }

  /// The same, on a thread of its own.
  func fetchLater(_ record: SessionRecord) {
    queue.async { self.fetch(record) }
  }

  /// The push-to-start token of an attributes type, if it is known.
  func start(ofType type: String) -> String? { state.withLock { $0.starts[type] } }

  /// The push-to-start tokens of an attributes type.
  func starting(ofType type: String) -> AsyncStream<String> {
    let (stream, isKnown) = state.withLock { state -> (AsyncStream<String>, Bool) in
      let known = state.starts[type]
      let stream = state.listeners[type, default: Sinks()].add(first: known.map { [$0] } ?? []) {
        [weak self] number in
        self?.state.withLock { $0.listeners[type]?.remove(number) }
      }
      return (stream, known != nil)
    }
    if !isKnown { queue.async { self.fetchStart(type) } }
    return stream
  }

  private func fetchStart(_ type: String) {
  }
}
