import JSON
import SchedulerAPI
import Varlink

/// A connection for questions whose answers are not waited for: poll `descriptor`, then `collect`.
final class Asker {
  /// What is done with a reply; with `more` it is called for each, the last with `continues` false.
  typealias Answer = (Result<JSONNode, Failure>, _ continues: Bool) -> Void

  let choice: SocketChoice
  private var daemon: Daemon?
  /// What is done with the replies to come, in their order.
  private var waiting: [Answer] = []

  init(_ choice: SocketChoice) { self.choice = choice }

  var isWaiting: Bool { !waiting.isEmpty }

  /// To poll(2) for reading; nil while no answer is to come.
  var descriptor: Int32? { waiting.isEmpty ? nil : daemon?.connection.fileDescriptor }

  /// Asks; `answer` gets the replies, or what became of the connection.
  func ask<Call: SchedulerCall>(_ call: Call, more: Bool = false, _ answer: @escaping Answer) {
    ask(answer, sending: { daemon throws(Failure) in try daemon.send(call, more: more) })
  }

  /// Asks by other means.
  func ask(_ answer: @escaping Answer, sending send: (Daemon) throws(Failure) -> Void) {
    do throws(Failure) {
      let connected: Daemon
      if let daemon { connected = daemon } else { connected = try Daemon(choice) }
      daemon = connected
      try send(connected)
      waiting.append(answer)
    } catch {
      answer(.failure(error), false)
      if error.code == .unreachable { drop(error) }
    }
  }

  /// Hands on the answers that have come.
  func collect() {
    while let answer = waiting.first, let daemon {
      do throws(Failure) {
        guard let (node, continues) = try daemon.next(milliseconds: 0) else { return }
        if !continues { waiting.removeFirst() }
        answer(.success(node), continues)
      } catch  where error.code == .unreachable {
        return drop(error)
      } catch {
        waiting.removeFirst()
        answer(.failure(error), false)
      }
    }
  }

  /// The daemon is another one, or gone: nothing more comes of what was asked.
  func drop(_ reason: Failure = .unreachable("the daemon went away")) {
    daemon = nil
    let unanswered = waiting
    waiting = []
    for answer in unanswered { answer(.failure(reason), false) }
  }
}
