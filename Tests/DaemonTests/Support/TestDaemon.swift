import Glibc
import Varlink

/// A real daemon in mocked time, in a directory of its own; gone with its last reference.
final class TestDaemon {
  let directory: String
  private(set) var process: pid_t = 0
  /// What its environment holds beside the test's own.
  private let environment: [String]
  /// What is done again and again while a caller waits for it.
  var meanwhile: (() -> Void)?

  var socket: String { directory + "/socket" }

  /// Starts a daemon whose clock stands still at `clock`; `configuration` is its whole lasched.conf.
  init(
    clock: String = "2026-12-01T12:00:00Z", configuration: String = "",
    environment: [String] = []
  ) throws {
    self.environment = environment
    var template = Array("/tmp/lasched-test-XXXXXX".utf8CString)
    _ = unsafe mkdtemp(&template)
    directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let file = unsafe open(directory + "/conf", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    _ = unsafe write(file, configuration, configuration.utf8.count)
    close(file)
    try start(clock: clock)
  }

  deinit {
    stop(SIGKILL)
    for name in [
      "state/activities.sqlite", "state/activities.sqlite-wal", "state/activities.sqlite-shm",
      "state/lock", "state/reserve", "socket", "conf",
    ] { unsafe unlink("\(directory)/\(name)") }
    unsafe rmdir(directory + "/state")
    unsafe rmdir(directory)
  }

  /// Starts it on what its directory holds.
  func start(clock: String) throws {
    let program = Self.besideThisBundle("lasched")
    let words = [
      program, "--system", "--state-directory=\(directory)/state", "--socket=\(socket)",
      "--config=\(directory)/conf", "--log-level=err", "--test-clock=\(clock)",
    ]
    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) }
    unsafe arguments.append(nil)
    var variables: [UnsafeMutablePointer<CChar>?] = unsafe environment.map { unsafe strdup($0) }
    let added = unsafe variables.count
    var variable = unsafe environ
    while let text = unsafe variable.pointee {
      unsafe variables.append(text)
      unsafe variable += 1
    }
    unsafe variables.append(nil)
    defer {
      while let argument = unsafe arguments.popLast() { unsafe free(argument) }
      for index in 0..<added { unsafe free(variables[index]) }
    }
    // Quiet: what it reports is seen through its socket.
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    guard unsafe posix_spawn(&process, program, &actions, nil, arguments, variables) == 0 else {
      throw Failure("cannot start \(program)")
    }
  }

  /// Ends it, and waits until it is gone; returns its exit status, or minus the signal.
  @discardableResult
  func stop(_ signal: Int32) -> Int32 {
    guard process > 0 else { return 0 }
    kill(process, signal)
    var status: Int32 = 0
    unsafe waitpid(process, &status, 0)
    process = 0
    return status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f)
  }

  /// A connection, as soon as there is one to be had.
  func connect() throws -> Client {
    for _ in 0..<3000 {
      if let connection = try? VarlinkConnection(connectingTo: socket) {
        return Client(connection, of: self)
      }
      guard kill(process, 0) == 0 else { throw Failure("the daemon ended") }
      // Real time passes here until the program has started; nothing scheduled depends on it.
      poll(nil, 0, 10)
    }
    throw Failure("the daemon does not answer")
  }

  /// What a file of its directory holds, as text; empty where it is not there.
  func file(_ name: String) throws -> String {
    let descriptor = unsafe open(directory + "/" + name, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe read(descriptor, &chunk, chunk.count)
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += chunk[..<count]
    }
  }

  private static func besideThisBundle(_ name: String) -> String {
    guard let path = unsafe realpath("/proc/self/exe", nil) else { return name }
    defer { unsafe free(path) }
    let text = unsafe String(cString: path)
    return (text.lastIndex(of: "/").map { String(text[..<$0]) } ?? ".") + "/" + name
  }
}

struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
