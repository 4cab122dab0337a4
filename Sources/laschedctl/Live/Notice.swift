import Following

/// What the live view has to say to whom presses its keys.
struct Notice {
  /// Something that a second press of a key will do.
  struct Armed {
    let key: Character
    let card: Deck.Key
    let session: Int64
    let question: String
  }

  private(set) var text = ""
  private(set) var armed: Armed?
  /// When it has been there long enough, in milliseconds of CLOCK_MONOTONIC; nil for never.
  private(set) var until: Int?

  /// Nothing.
  init() {}

  /// A word on what came of a key.
  init(_ text: String) {
    self.text = text
    until = monotonicMilliseconds() + 8000
  }

  /// A key was pressed that wants pressing again, within some seconds.
  init(_ armed: Armed) {
    self.armed = armed
    text = armed.question
    until = monotonicMilliseconds() + 5000
  }

  /// The keys, for a line of that many cells.
  static func keys(_ columns: Int) -> String {
    let all = [
      "↑↓ select", "1-9 act", "c cancel", "e end", "d dismiss", "o open", "? help", "q quit",
    ]
    let text = all.joined(separator: "  ")
    return Cells.width(of: text) <= columns ? text : "↑↓ 1-9 act c:cancel e:end o:open q:quit"
  }

  /// The keys at length.
  static let help = """
    up down j k g G: select  1-9 or a: use an action  c c: cancel  e e: end  d: off this screen  \
    o: open its address  Ctrl-L: draw again  q: quit
    """
}
