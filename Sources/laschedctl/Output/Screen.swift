import Glibc

/// The whole terminal, for a view that is drawn again and again; as it was when this is left.
final class Screen {
  private let terminal: Terminal
  private var saved: termios?
  private var isEntered = false

  init(_ terminal: Terminal) { self.terminal = terminal }

  deinit { leave() }

  var size: (columns: Int, rows: Int) { terminal.size }
  var isColoured: Bool { terminal.isColoured }

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
    _ = terminal.write(Array("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l".utf8))
  }

  /// Gives it back.
  func leave() {
    guard isEntered else { return }
    isEntered = false
    if var settings = saved { unsafe tcsetattr(STDIN_FILENO, TCSADRAIN, &settings) }
    _ = terminal.write(Array("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l".utf8))
  }

  /// Draws lines from the top, as many as there is room for.
  func draw(_ lines: [String]) {
    var text = "\u{1B}[H"
    for (row, line) in lines.prefix(size.rows).enumerated() {
      text += (row == 0 ? "" : "\r\n") + line + "\u{1B}[K"
    }
    _ = terminal.write(Array((text + "\u{1B}[J").utf8))
  }

  /// A key that was pressed, if stdin is the terminal's.
  func key() -> UInt8? {
    guard saved != nil else { return nil }
    var byte: UInt8 = 0
    return unsafe read(STDIN_FILENO, &byte, 1) == 1 ? byte : nil
  }

  /// To poll(2) for keys; nil where there are none.
  var keys: Int32? { saved == nil ? nil : STDIN_FILENO }
}
