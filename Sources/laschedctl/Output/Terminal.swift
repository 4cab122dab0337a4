import Glibc

/// What is known of one of the standard streams.
struct Terminal: Sendable {
  let descriptor: Int32
  /// Whether it is a terminal.
  let isTerminal: Bool
  /// Whether it takes colours: a terminal, unless `$NO_COLOR` (https://no-color.org) or a dumb one.
  let isColoured: Bool

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    isTerminal = isatty(descriptor) == 1
    isColoured =
      isTerminal && (environment("NO_COLOR") ?? "").isEmpty && environment("TERM") != "dumb"
  }

  /// Columns and rows; 80 by 24 where nobody says.
  var size: (columns: Int, rows: Int) {
    var window = winsize()
    let result = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &window)
    let columns = Int(environment("COLUMNS") ?? "") ?? 0
    guard result == 0, window.ws_col > 0, window.ws_row > 0 else {
      return (columns > 0 ? columns : 80, 24)
    }
    return (Int(window.ws_col), Int(window.ws_row))
  }

  /// Writes all bytes, waiting where need be. Returns whether that worked.
  func write(_ bytes: [UInt8]) -> Bool {
    unsafe bytes.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let count = unsafe Glibc.write(
          descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done)
        if count >= 0 {
          done += count
        } else if errno == EAGAIN {
          var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          _ = unsafe poll(&entry, 1, -1)
        } else if errno != EINTR {
          return false
        }
      }
      return true
    }
  }
}

/// A variable of the environment (environ(7)); nil if it is not set.
func environment(_ name: String) -> String? {
  unsafe getenv(name).map { unsafe String(cString: $0) }
}

/// A variable of the environment; nil also if it is empty.
func setting(_ name: String) -> String? {
  environment(name).flatMap { $0.isEmpty ? nil : $0 }
}
