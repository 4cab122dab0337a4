internal import Glibc
internal import Synchronization

/// A program that runs as long as its standard input is open: it ends too when the test dies.
final class HelperProgram: Sendable {
  private let state: Mutex<State>

  private struct State {
    var process: pid_t
    /// Its standard input and output, one socket for both (socketpair(2)).
    let socket: Int32
    var status: Int32?
  }

  /// Starts it (posix_spawn(3)), its standard input and output with this process.
  init(_ path: String, _ arguments: [String]) throws {
    var ends: [Int32] = [-1, -1]
    // Closed on exec from the first, so that no other program started meanwhile keeps it open.
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw TestDaemonError("no socket can be made: \(HelperProgram.text(errno))")
    }
    var words: [UnsafeMutablePointer<CChar>?] = unsafe ([path] + arguments).map {
      unsafe strdup($0)
    }
    unsafe words.append(nil)
    defer { while let word = unsafe words.popLast() { unsafe free(word) } }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO)
    unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    var process: pid_t = 0
    let failure = unsafe posix_spawn(&process, path, &actions, nil, words, environ)
    close(ends[1])
    state = Mutex(State(process: failure == 0 ? process : 0, socket: ends[0], status: nil))
    guard failure == 0 else {
      close(ends[0])
      throw TestDaemonError("\(path) cannot be started: \(HelperProgram.text(failure))")
    }
  }

  /// The next line that it prints; nil where it prints none any more.
  func line() -> String? {
    let socket = state.withLock { $0.socket }
    var bytes: [UInt8] = []
    while true {
      var byte: UInt8 = 0
      let count = unsafe read(socket, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1 else { return nil }
      if byte == 0x0A { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
    }
  }

  /// Ends it, waits until it is gone, and says how it went.
  @discardableResult
  func stop() -> String {
    state.withLock { state in
      guard state.process > 0 else { return "it did not start" }
      if state.status == nil {
        close(state.socket)
        var status: Int32 = 0
        while unsafe waitpid(state.process, &status, 0) < 0, errno == EINTR {}
        state.status = status
      }
      let status = state.status ?? 0
      return status & 0x7f == 0 ? "exit status \(status >> 8 & 0xff)" : "signal \(status & 0x7f)"
    }
  }

  deinit { stop() }

  private static func text(_ number: Int32) -> String {
    unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
  }

  /// A program of this name: where `$NAME` in capitals says, beside this process' own, or in `$PATH`.
  static func find(_ name: String) throws -> String {
    var places: [String] = []
    if let path = unsafe getenv(name.uppercased()) { places.append(unsafe String(cString: path)) }
    if let own = unsafe realpath("/proc/self/exe", nil) {
      let text = unsafe String(cString: own)
      unsafe free(own)
      places.append(text[..<(text.lastIndex(of: "/") ?? text.endIndex)] + "/" + name)
    }
    let path = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "/usr/bin:/bin"
    places += path.split(separator: ":").map { "\($0)/\(name)" }
    for place in places where unsafe access(place, X_OK) == 0 { return place }
    throw TestDaemonError(
      "there is no \(name) in $PATH; install lasched, or set $\(name.uppercased())")
  }
}
