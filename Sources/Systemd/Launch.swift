internal import CSystemd
internal import Glibc

/// Programs that are started and left to themselves.
public enum Launch {
  /// Where a program is: the path itself if it has a slash, else the first that `$PATH` has; nil if
  /// there is none that may be run.
  public static func find(_ name: String) -> String? {
    if name.contains("/") { return isProgram(name) ? name : nil }
    let path = Surroundings.variable("PATH") ?? "/usr/local/bin:/usr/bin:/bin"
    for directory in path.split(separator: ":") where directory.hasPrefix("/") {
      let candidate = "\(directory)/\(name)"
      if isProgram(candidate) { return candidate }
    }
    return nil
  }

  private static func isProgram(_ path: String) -> Bool {
    (try? FileKind.of(path)) == .regular && (unsafe access(path, X_OK)) == 0
  }

  /// Starts a program with its arguments, the first of which is its name, in a session of its own,
  /// with nothing to read; posix_spawn(3). Nobody waits for it.
  public static func start(_ path: String, _ arguments: [String]) throws(SystemError) {
    // Who ends is forgotten at once (sigaction(2), SIG_IGN of SIGCHLD).
    signal(SIGCHLD, SIG_IGN)
    var words: [UnsafeMutablePointer<CChar>?] = unsafe arguments.map { unsafe strdup($0) }
    unsafe words.append(nil)
    defer { while let word = unsafe words.popLast() { unsafe free(word) } }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    var all = sigset_t()
    unsafe sigemptyset(&none)
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    // 0x80: POSIX_SPAWN_SETSID, which Glibc's module lacks.
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(0x80 | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var process: pid_t = 0
    let result = unsafe posix_spawn(&process, path, &actions, &attributes, words, environ)
    if result != 0 { throw SystemError("posix_spawn", result, path) }
  }
}
