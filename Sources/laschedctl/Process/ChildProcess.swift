@unsafe @preconcurrency import Glibc

/// How a process ended.
enum ProcessEnd: Hashable, Sendable {
  case exited(Int32)
  case killed(signal: Int32)

  /// As a shell has it: 128 and the number for a signal.
  var code: ExitCode {
    switch self {
    case .exited(let status): ExitCode(status)
    case .killed(let signal): ExitCode(128 + signal)
    }
  }

  /// `exit status 2`, `signal 15`.
  var text: String {
    switch self {
    case .exited(let status): "exit status \(status)"
    case .killed(let signal): "signal \(signal)"
    }
  }
}

/// A process that was started here.
struct ChildProcess: Sendable {
  let pid: pid_t

  /// Starts a program. `arguments` begin with its name; `changes` set variables of the environment,
  /// or remove them. Its stdout and stderr go to `output` if given: its stdin is then empty, and a
  /// Ctrl-C is not for it.
  init(
    path: String, arguments: [String], changes: [String: String?] = [:], output: Int32? = nil
  ) throws(Failure) {
    let pointers = unsafe arguments.map { unsafe strdup($0) } + [nil]
    defer { for place in unsafe pointers.indices { unsafe free(pointers[place]) } }
    try unsafe self.init(path: path, arguments: pointers, changes: changes, output: output)
  }

  /// As above, with the arguments as C has them: a list that ends with nil, byte for byte.
  @unsafe init(
    path: String, arguments: [UnsafeMutablePointer<CChar>?], changes: [String: String?],
    output: Int32? = nil
  ) throws(Failure) {
    let kept = ChildProcess.change(changes)
    defer { _ = ChildProcess.change(kept) }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    if let output {
      unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
      unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
      unsafe posix_spawn_file_actions_adddup2(&actions, output, 2)
    }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    // What this process ignores for itself, the other should not.
    var defaults = sigset_t()
    unsafe sigemptyset(&defaults)
    unsafe sigaddset(&defaults, SIGPIPE)
    unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
    var flags = POSIX_SPAWN_SETSIGDEF
    if output != nil { flags |= POSIX_SPAWN_SETPGROUP }
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    var pid: pid_t = 0
    let number = unsafe arguments.withUnsafeBufferPointer { list in
      unsafe list.baseAddress.map {
        unsafe posix_spawn(&pid, path, &actions, &attributes, $0, environ)
      } ?? EINVAL
    }
    guard number == 0 else {
      let code: ExitCode = number == ENOENT ? .notFound : .notExecutable
      throw Failure(
        code, "laschedctl.Command", "\(path) cannot be run: \(systemError(number))")
    }
    self.pid = pid
  }

  /// Changes variables of this process's environment; what they were is the result.
  private static func change(_ changes: [String: String?]) -> [String: String?] {
    var kept: [String: String?] = [:]
    for (name, value) in changes {
      kept[name] = .some(environment(name))
      if let value { unsafe setenv(name, value, 1) } else { unsafe unsetenv(name) }
    }
    return kept
  }

  /// How it ended; nil while it runs.
  func end() -> ProcessEnd? {
    var status: Int32 = 0
    guard unsafe waitpid(pid, &status, WNOHANG) == pid else { return nil }
    let signal = status & 0x7F
    return signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal)
  }

  /// Waits until it ends.
  func waitForEnd() -> ProcessEnd {
    var status: Int32 = 0
    while unsafe waitpid(pid, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal)
  }

  /// Sends it a signal.
  func send(_ signal: Int32) { kill(pid, signal) }
}
