import Glibc

/// The whole terminal, for a view that is drawn again and again; as it was when this is left. On a
/// dumb one, which has no cursor to move, each picture comes below the last.
final class Screen {
  /// A line: what stands at its left, and what at its right, each with styles and no wider than
  /// there is room for.
  struct Line: Equatable {
    var left = ""
    var right = ""
    /// The cells of each.
    var leftWidth = 0
    var rightWidth = 0
  }

  private let terminal: Terminal
  private let isDumb: Bool
  private var saved: termios?
  private var isEntered = false
  private var drawn: [Line] = []
  private var drawnSize = (columns: 0, rows: 0)
  /// What ends a wait for a terminal that takes no more.
  private let interruption: Int32

  init(_ terminal: Terminal, interruptedBy descriptor: Int32) {
    self.terminal = terminal
    interruption = descriptor
    isDumb = (environment("TERM") ?? "dumb") == "dumb"
  }

  deinit { leave() }

  var size: (columns: Int, rows: Int) { terminal.size }
  var isColoured: Bool { terminal.isColoured }
  /// Whether texts can be drawn over.
  var canTick: Bool { !isDumb }

  /// Takes the terminal: another page, no cursor, no wrapping; keys come at once and unseen.
  func enter() {
    guard !isEntered else { return }
    isEntered = true
    var settings = termios()
    if unsafe tcgetattr(STDIN_FILENO, &settings) == 0 {
      saved = settings
      settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
      unsafe tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
    }
    if !isDumb { write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l") }
    drawn = []
    drawnSize = (0, 0)
  }

  /// Gives it back; never waits long for a terminal that is stuck.
  func leave() {
    guard isEntered else { return }
    isEntered = false
    if var settings = saved { unsafe tcsetattr(STDIN_FILENO, TCSANOW, &settings) }
    if !isDumb { write("\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l", patience: 200) }
  }

  /// What is on it is not known any more.
  func forget() { drawnSize = (0, 0) }

  /// Draws lines from the top, as many as there is room for; only those that are new.
  func draw(_ lines: [Line]) {
    let size = size
    let lines = Array(lines.prefix(size.rows))
    guard lines != drawn || size != drawnSize else { return }
    if isDumb {
      drawn = lines
      drawnSize = size
      write(lines.map { Screen.plain($0, size.columns) + "\n" }.joined() + "\n")
      return
    }
    var text = ""
    if size != drawnSize {
      text = "\u{1B}[0m\u{1B}[H\u{1B}[2J"
      drawn = []
    }
    for row in 0..<max(lines.count, drawn.count) {
      let line = row < lines.count ? lines[row] : Line()
      guard row >= drawn.count || drawn[row] != line else { continue }
      text += "\u{1B}[\(row + 1);1H\(line.left)\u{1B}[K"
      if !line.right.isEmpty {
        text += "\u{1B}[\(max(1, size.columns - line.rightWidth + 1))G\(line.right)"
      }
    }
    drawn = lines
    drawnSize = size
    if !write(text) { forget() }
  }

  private static func plain(_ line: Line, _ columns: Int) -> String {
    guard !line.right.isEmpty else { return line.left }
    let gap = max(1, columns - line.leftWidth - line.rightWidth)
    return line.left + String(repeating: " ", count: gap) + line.right
  }

  /// Writes piece by piece as the terminal takes them (Ctrl-S stops it); false where it was given
  /// up, since a signal came meanwhile or so many milliseconds have passed.
  @discardableResult
  private func write(_ text: String, patience: Int32 = -1) -> Bool {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      var entries = [
        pollfd(fd: terminal.descriptor, events: Int16(POLLOUT), revents: 0),
        pollfd(fd: patience < 0 ? interruption : -1, events: Int16(POLLIN), revents: 0),
      ]
      let count = unsafe poll(&entries, 2, patience)
      if count < 0, errno == EINTR { continue }
      guard count > 0, entries[0].revents & Int16(POLLOUT) != 0 else { return false }
      guard terminal.write(Array(rest.prefix(256))) else { return false }
      rest = rest.dropFirst(256)
    }
    return true
  }

  /// The bytes of keys that were pressed, if stdin is a terminal; nil once that is gone.
  func keys() -> ArraySlice<UInt8>? {
    guard let descriptor = keysDescriptor else { return [] }
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&entry, 1, 0) == 1 else { return [] }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return [] }
    return count > 0 ? bytes[..<count] : nil
  }

  /// To poll(2) for keys; nil where there are none.
  var keysDescriptor: Int32? { saved == nil ? nil : STDIN_FILENO }
}
