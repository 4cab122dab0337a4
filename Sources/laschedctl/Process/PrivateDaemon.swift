import Following
import Glibc
import LiveActivity

/// A daemon of one's own, in a directory of its own: gone without a trace when it is ended.
final class PrivateDaemon {
  let choice: SocketChoice
  private let directory: TemporaryDirectory
  private var process: ChildProcess?
  private var ended: ProcessEnd?

  /// Starts it, its clock standing at `clock` if given, and waits until it serves. `signals` must
  /// catch SIGCHLD.
  init(clock: WallTime?, zone: String?, signals: SignalPipe) throws(Failure) {
    directory = try TemporaryDirectory()
    let path = directory.path
    choice = SocketChoice(path + "/socket", .option)
    let ready = try ReadySocket(path: path + "/notify")
    let log = unsafe open(path + "/log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard log >= 0 else { throw .system("\(path)/log: \(systemError(errno))") }
    defer { close(log) }
    let program = try ProgramSearch.daemon()
    var arguments = [
      program, "--state-directory=\(path)/state", "--socket=\(choice.path)", "--config=/dev/null",
      "--log-level=warning",
    ]
    if let clock { arguments.append("--test-clock=\(clock.rfc3339)") }
    var changes: [String: String?] = ["NOTIFY_SOCKET": path + "/notify"]
    // What this process's own service manager told it is not meant for the daemon.
    for name in [
      "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES", "WATCHDOG_USEC", "WATCHDOG_PID",
      "STATE_DIRECTORY", "RUNTIME_DIRECTORY", "JOURNAL_STREAM", "INVOCATION_ID",
    ] { changes[name] = .some(nil) }
    if let zone { changes["TZ"] = zone }
    // setpriv(1) sees to it that the daemon does not outlive this process, however that ends. Not
    // every setpriv can do that.
    if let guardian = try? ProgramSearch.find("setpriv") {
      process = try ChildProcess(
        path: guardian, arguments: ["setpriv", "--pdeathsig", "TERM", "--"] + arguments,
        changes: changes, output: log)
      if try waitUntilReady(ready, signals) { return }
    }
    process = try ChildProcess(path: program, arguments: arguments, changes: changes, output: log)
    if try !waitUntilReady(ready, signals) {
      let end = ended?.text ?? "it ended"
      throw .unreachable("the private lasched did not start (\(end)): \(lastWords)")
    }
  }

  deinit { end() }

  /// Whether it serves; false if it ended instead.
  private func waitUntilReady(
    _ ready: ReadySocket, _ signals: SignalPipe
  ) throws(Failure) -> Bool {
    ended = nil
    let deadline = monotonicMilliseconds() + 30_000
    while !ready.isReady() {
      while let caught = signals.next() {
        guard caught.number != SIGCHLD else { continue }
        end()
        throw Failure(
          ProcessEnd.killed(signal: caught.number).code, "laschedctl.Interrupted", "interrupted")
      }
      if !isRunning { return false }
      guard monotonicMilliseconds() < deadline else {
        throw .unreachable("the private lasched does not get ready: \(lastWords)")
      }
      waitForInput([ready.descriptor, signals.descriptor], milliseconds: 1000)
    }
    return true
  }

  /// Whether it still runs.
  var isRunning: Bool {
    guard let process else { return false }
    if ended == nil { ended = process.end() }
    return ended == nil
  }

  /// What it wrote last to its log.
  var lastWords: String {
    let descriptor = unsafe open(directory.path + "/log", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "it said nothing" }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    let lines = String(decoding: bytes[..<max(0, count)], as: UTF8.self).split(separator: "\n")
    return lines.last.map(String.init) ?? "it said nothing"
  }

  /// Ends it, and removes all that it left.
  func end() {
    if isRunning {
      process?.send(SIGTERM)
      let deadline = monotonicMilliseconds() + 5000
      while isRunning, monotonicMilliseconds() < deadline { poll(nil, 0, 2) }
      if isRunning {
        process?.send(SIGKILL)
        while isRunning { poll(nil, 0, 2) }
      }
    }
    directory.remove()
  }
}
