import Glibc

/// A program that was started, with its three streams in hand, or a terminal of its own.
final class RunningProgram {
  let pid: pid_t
  /// Its stdout and stderr; on a terminal both come from there.
  private(set) var outcome = Outcome()
  private var input: Int32
  private var output: Int32
  private var errors: Int32
  private var hasEnded = false

  /// The longest that anything may take, in milliseconds.
  static let patience = 60_000

  /// Starts it with that environment and no other. On a terminal its stdin, stdout and stderr are
  /// one; else stdin is a pipe.
  init(
    _ arguments: [String], environment: [String: String] = [:],
    terminal: (columns: UInt16, rows: UInt16)? = nil
  ) {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    var others: [Int32] = []
    if let terminal {
      let (main, path) = RunningProgram.terminal(terminal.columns, terminal.rows)
      (input, output, errors) = (main, main, -1)
      unsafe posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0)
      for stream in 1...2 as ClosedRange<Int32> {
        unsafe posix_spawn_file_actions_adddup2(&actions, 0, stream)
      }
    } else {
      let pipes = [RunningProgram.pipe(), RunningProgram.pipe(), RunningProgram.pipe()]
      (input, output, errors) = (pipes[0][1], pipes[1][0], pipes[2][0])
      others = [pipes[0][0], pipes[1][1], pipes[2][1]]
      for stream in 0...2 {
        unsafe posix_spawn_file_actions_adddup2(&actions, others[stream], Int32(stream))
      }
    }
    let list = unsafe arguments.map { unsafe strdup($0) } + [nil]
    let variables = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    // A session of its own, so that the terminal becomes its; and no signal held back.
    var none = sigset_t()
    var all = sigset_t()
    unsafe sigemptyset(&none)
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    let flags = 0x80 | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    var pid: pid_t = -1
    let result = unsafe posix_spawn(&pid, arguments[0], &actions, &attributes, list, variables)
    self.pid = result == 0 ? pid : -1
    if result != 0 {
      outcome.errors = "cannot run \(arguments[0]): error \(result)"
      hasEnded = true
    }
    unsafe posix_spawnattr_destroy(&attributes)
    for place in unsafe list.indices { unsafe free(list[place]) }
    for place in unsafe variables.indices { unsafe free(variables[place]) }
    for descriptor in others { close(descriptor) }
  }

  deinit {
    if !hasEnded {
      kill(pid, SIGKILL)
      var status: Int32 = 0
      unsafe waitpid(pid, &status, 0)
    }
    for descriptor in Set([input, output, errors]) where descriptor >= 0 { close(descriptor) }
  }

  private static func pipe() -> [Int32] {
    var ends: [Int32] = [-1, -1]
    _ = unsafe Glibc.pipe(&ends)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return ends
  }

  /// One end of a terminal, and the path of the other (pty(7), ioctl_tty(2)).
  private static func terminal(_ columns: UInt16, _ rows: UInt16) -> (Int32, String) {
    let main = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (lock, number) = (Int32(0), Int32(0))
    _ = unsafe ioctl(main, 0x4004_5431, &lock)
    _ = unsafe ioctl(main, 0x8004_5430, &number)
    RunningProgram.resize(main, columns, rows)
    return (main, "/dev/pts/\(number)")
  }

  private static func resize(_ descriptor: Int32, _ columns: UInt16, _ rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = unsafe ioctl(descriptor, UInt(TIOCSWINSZ), &size)
  }

  /// Gives the terminal another size, and says so.
  func resize(columns: UInt16, rows: UInt16) {
    RunningProgram.resize(output, columns, rows)
    kill(pid, SIGWINCH)
  }

  /// Whether the terminal echoes what is typed.
  var echoes: Bool {
    var settings = termios()
    unsafe tcgetattr(output, &settings)
    return settings.c_lflag & tcflag_t(ECHO) != 0
  }

  func send(_ text: String) {
    let bytes = Array(text.utf8)
    _ = unsafe write(input, bytes, bytes.count)
  }

  func closeInput() {
    guard input != output else { return }
    close(input)
    input = -1
  }

  func signal(_ number: Int32) { kill(pid, number) }

  /// Waits until it has stopped itself.
  func waitUntilStopped() -> Bool {
    var status: Int32 = 0
    return unsafe waitpid(pid, &status, WUNTRACED) == pid && status & 0xFF == 0x7F
  }

  /// Reads until its output holds the text, and takes that out with what came before it; nil if it
  /// ends first, or takes too long. `server` is served meanwhile.
  func expect(
    _ text: String, inErrors: Bool = false, within patience: Int = RunningProgram.patience,
    serving server: FakeDaemon? = nil
  ) -> String? {
    let place: WritableKeyPath<Outcome, String> = inErrors ? \.errors : \.output
    let deadline = monotonicMilliseconds() + patience
    while true {
      if let range = outcome[keyPath: place].firstRange(of: text) {
        let taken = String(outcome[keyPath: place][..<range.upperBound])
        outcome[keyPath: place].removeSubrange(..<range.upperBound)
        return taken
      }
      guard step(server, until: deadline) else { return nil }
    }
  }

  /// Waits for its end; stdin is closed if nobody has.
  func finish(serving server: FakeDaemon? = nil) -> Outcome {
    closeInput()
    let deadline = monotonicMilliseconds() + RunningProgram.patience
    while step(server, until: deadline) {}
    guard !hasEnded else { return outcome }
    var status: Int32 = 0
    if monotonicMilliseconds() >= deadline {
      kill(pid, SIGKILL)
      outcome.errors += "\n(took too long)"
    }
    unsafe waitpid(pid, &status, 0)
    hasEnded = true
    outcome.status = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
    return outcome
  }

  /// Reads what there is; false when both streams have ended, or the time is over.
  private func step(_ server: FakeDaemon?, until deadline: Int) -> Bool {
    guard output >= 0 || errors >= 0 else { return false }
    let left = deadline - monotonicMilliseconds()
    guard left > 0 else { return false }
    let own = [output, errors].filter { $0 >= 0 }
    var entries = (own + (server?.descriptors ?? [])).map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    _ = unsafe poll(&entries, nfds_t(entries.count), Int32(left))
    for entry in entries where entry.revents != 0 {
      switch entry.fd {
      case output: take(&output, \.output)
      case errors: take(&errors, \.errors)
      default: server?.serve(entry.fd)
      }
    }
    return true
  }

  private func take(_ descriptor: inout Int32, _ place: WritableKeyPath<Outcome, String>) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = unsafe read(descriptor, &buffer, buffer.count)
    if count > 0 {
      outcome[keyPath: place] += String(decoding: buffer[..<count], as: UTF8.self)
    } else {
      close(descriptor)
      if descriptor == input { input = -1 }
      descriptor = -1
    }
  }
}

func monotonicMilliseconds() -> Int {
  var time = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
}
