import Following
import Glibc

/// Writes to terminals that may be stuck: each as fast as it takes text, and none for longer than two
/// seconds.
struct TerminalWriter {
  /// A text on its way.
  private struct Job {
    let descriptor: Int32
    var rest: ArraySlice<UInt8>
    let deadline: Int
    let receipt: Receipt
  }

  /// Whom a text tells of what.
  struct Receipt {
    let user: UInt32
    let alerts: [Int64]
  }

  private var jobs: [Job] = []
  private static let patience = 2000

  /// A terminal that its owner wants to be written to; nil where it is not theirs, no terminal, or
  /// closed to messages (mesg(1) n takes the group's right to write away).
  static func open(_ path: String, owner: UInt32) -> Int32? {
    let flags = O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | O_NOFOLLOW
    let descriptor = unsafe Glibc.open(path, flags)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFCHR,
      status.st_uid == owner, status.st_mode & S_IWGRP != 0, isatty(descriptor) == 1
    else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  /// Its columns; 80 where nobody says.
  static func columns(_ descriptor: Int32) -> Int {
    var window = winsize()
    let result = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &window)
    return result == 0 && window.ws_col > 0 ? Int(window.ws_col) : 80
  }

  /// Begins to write; the descriptor is closed in the end.
  mutating func write(_ text: String, to descriptor: Int32, _ receipt: Receipt) {
    jobs.append(
      Job(
        descriptor: descriptor, rest: Array(text.utf8)[...],
        deadline: monotonicMilliseconds() + TerminalWriter.patience, receipt: receipt))
  }

  /// What poll(2) waits for.
  var entries: [pollfd] {
    jobs.map { pollfd(fd: $0.descriptor, events: Int16(POLLOUT), revents: 0) }
  }

  /// Milliseconds until one is given up; nil while there is none.
  var patience: Int? {
    jobs.map(\.deadline).min().map { max(0, $0 - monotonicMilliseconds()) }
  }

  /// Goes on where it can; returns what has been written whole.
  mutating func proceed() -> [Receipt] {
    var done: [Receipt] = []
    let now = monotonicMilliseconds()
    for place in jobs.indices.reversed() {
      let isOver = advance(place)
      guard isOver || now >= jobs[place].deadline else { continue }
      if jobs[place].rest.isEmpty { done.append(jobs[place].receipt) }
      close(jobs[place].descriptor)
      jobs.remove(at: place)
    }
    return done
  }

  /// Whether it is done with, well or not.
  private mutating func advance(_ place: Int) -> Bool {
    while !jobs[place].rest.isEmpty {
      let bytes = Array(jobs[place].rest.prefix(512))
      let count = unsafe Glibc.write(jobs[place].descriptor, bytes, bytes.count)
      if count > 0 {
        jobs[place].rest = jobs[place].rest.dropFirst(count)
      } else if count < 0, errno == EINTR {
        continue
      } else {
        return !(count == 0 || errno == EAGAIN)
      }
    }
    return true
  }
}
