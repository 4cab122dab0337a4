internal import Dispatch
internal import JSON
internal import LiveActivity
internal import SchedulerAPI
internal import Synchronization
internal import Varlink

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

  /// Fetches a session's, and tells the record. What has not started is asked again when it has.
  func fetch(_ record: SessionRecord) {
    do throws(LinkFailure) {
      record.take(
        token: try calls.token("io.lasched.Push.CreateToken") { writer in
          writer.key("id")
          writer.string(record.key.id.text)
          writer.key("session")
          writer.int(record.key.session)
        })
    } catch {
      if case .refused(let refusal) = error, refusal.name.hasSuffix(".NotStarted") {
        return record.wantToken()
      }
      LiveActivityLog.write("'\(record.key.id.text)' has no push token: \(error)")
    }
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
    guard start(ofType: type) == nil else { return }
    do throws(LinkFailure) {
      let application = application
      let token = try calls.token("io.lasched.Push.CreateStartToken") { writer in
        writer.key("attributesType")
        writer.string(type)
        writer.key("application")
        writer.string(application)
      }
      state.withLock { state in
        state.starts[type] = token
        state.listeners[type]?.yield(token)
      }
    } catch {
      LiveActivityLog.write("there is no push-to-start token of \(type): \(error)")
    }
  }
}

extension CallConnection {
  /// Calls a method that replies a token.
  fileprivate func token(
    _ method: String, _ encode: @escaping @Sendable (inout JSONWriter) -> Void
  ) throws(LinkFailure) -> String {
    guard let token = try perform(method, encode).parameters["token"]?.string else {
      throw .notUnderstood("'token'")
    }
    return token
  }
}
