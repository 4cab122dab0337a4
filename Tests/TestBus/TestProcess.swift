import Glibc

/// A program that a test started; it ends with its last reference.
public final class TestProcess {
  /// The process; 0 once it has ended.
  public private(set) var pid: Int32 = 0

  /// Starts a program with that environment and no other; its output goes to `log`, if one is named.
  public init(_ words: [String], environment: [String: String] = [:], log: String? = nil) throws {
    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] =
      unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
    defer {
      while let word = unsafe arguments.popLast() { unsafe free(word) }
      while let word = unsafe variables.popLast() { unsafe free(word) }
    }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    let flags = O_WRONLY | O_CREAT | O_APPEND
    for stream in [STDOUT_FILENO, STDERR_FILENO] {
      unsafe posix_spawn_file_actions_addopen(&actions, stream, log ?? "/dev/null", flags, 0o600)
    }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    guard
      unsafe posix_spawnp(&pid, words[0], &actions, &attributes, arguments, variables) == 0
    else {
      pid = 0
      throw TestFailure("cannot start \(words[0])")
    }
  }

  deinit { stop(SIGKILL) }

  /// Sends it a signal.
  public func signal(_ number: Int32) { if pid > 0 { kill(pid, number) } }

  /// Ends it, and waits until it is gone; returns its exit status, or minus the signal.
  @discardableResult
  public func stop(_ signal: Int32) -> Int32 {
    guard pid > 0 else { return 0 }
    kill(pid, signal)
    var status: Int32 = 0
    unsafe waitpid(pid, &status, 0)
    pid = 0
    return status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f)
  }
}

/// Why a test cannot go on.
public struct TestFailure: Error, CustomStringConvertible {
  /// What is wrong.
  public let description: String

  /// With a reason.
  public init(_ description: String) { self.description = description }
}
