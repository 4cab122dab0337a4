import Glibc

/// Where the handler writes to; a C function has no other way to know.
private nonisolated(unsafe) var signalPipeEnd: Int32 = -1

/// Signals as bytes in a pipe, so that poll(2) waits for them beside sockets.
final class SignalPipe {
  struct Caught: Sendable {
    let number: Int32
    /// The kernel sent it, as for Ctrl-C: then the terminal's other processes have it too.
    let isFromTerminal: Bool
  }

  /// To poll(2) for reading.
  let descriptor: Int32
  private let end: Int32
  private let numbers: [Int32]

  /// Catches those signals until it goes away; not those that this process was started to ignore,
  /// as nohup(1) does it, so that what it starts ignores them too. There can be one at a time.
  init(_ numbers: [Int32]) throws(Failure) {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else {
      throw .system("a pipe cannot be had: \(systemError(errno))")
    }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (descriptor, end) = (ends[0], ends[1])
    self.numbers = numbers.filter { $0 == SIGCHLD || !SignalPipe.isIgnored($0) }
    unsafe signalPipeEnd = end
    var news = sigset_t()
    unsafe sigemptyset(&news)
    unsafe sigaddset(&news, SIGCHLD)
    unsafe sigprocmask(SIG_UNBLOCK, &news, nil)
    var action = sigaction()
    action.sa_flags = SA_SIGINFO | SA_RESTART
    unsafe action.__sigaction_handler.sa_sigaction = { number, information, _ in
      let kept = errno
      let isFromTerminal = unsafe information?.pointee.si_code == Int32(SI_KERNEL)
      var byte = UInt8(truncatingIfNeeded: number & 0x7F) | (isFromTerminal ? 0x80 : 0)
      _ = unsafe write(signalPipeEnd, &byte, 1)
      errno = kept
    }
    for number in self.numbers { unsafe sigaction(number, &action, nil) }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    unsafe sigaction(number, nil, &action)
    // SIG_IGN is the number 1 in a function's clothes.
    return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  deinit {
    for number in numbers { signal(number, SIG_DFL) }
    unsafe signalPipeEnd = -1
    close(end)
    close(descriptor)
  }

  /// The next one caught; nil if there is none.
  func next() -> Caught? {
    var byte: UInt8 = 0
    guard unsafe read(descriptor, &byte, 1) == 1 else { return nil }
    return Caught(number: Int32(byte & 0x7F), isFromTerminal: byte & 0x80 != 0)
  }
}

/// Waits until one of some descriptors can be read from, or for so many milliseconds; without end
/// for nil.
func waitForInput(_ descriptors: [Int32], milliseconds: Int?) {
  var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
  let time = Int32(clamping: milliseconds ?? -1)
  _ = unsafe poll(&entries, nfds_t(entries.count), time)
}
