import Glibc
import Testing

/// `lasched-wall`, on a terminal of the caller's own.
@Suite struct WallTests {
  /// A terminal whose other end is at hand: what is written on it is the program's output.
  private final class Window {
    let program = RunningProgram(["/bin/sleep", "1000"], terminal: (40, 24))
    let path: String

    init(mode: mode_t = 0o620) {
      var name = [CChar](repeating: 0, count: 100)
      let count = unsafe readlink("/proc/\(program.pid)/fd/0", &name, name.count)
      path = String(
        decoding: name.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
      unsafe chmod(path, mode)
      // As it is written: no CR before each LF.
      let terminal = unsafe open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
      var settings = termios()
      unsafe tcgetattr(terminal, &settings)
      settings.c_oflag &= ~tcflag_t(OPOST)
      unsafe tcsetattr(terminal, TCSANOW, &settings)
      close(terminal)
    }

    deinit { program.signal(SIGKILL) }
  }

  private static let ready = #"{"ready":{"sequence":7,"store":"abc","resumed":false}}"#

  private func daemon(
    title: String, body: String = "", owner: Int = 4242, date: String = FakeDaemon.now
  ) -> FakeDaemon {
    let event = """
      {"event":{"sequence":8,"date":"\(date)","kind":"started","id":"m","owner":\(owner),"session":1,\
      "alert":{"title":"\(title)","body":"\(body)"}}}
      """
    let activity = activityText("m", state: "active", owner: owner)
      .replacing(#""audience":[]"#, with: #""audience":["everyone"]"#)
    return FakeDaemon([
      "Monitor": .open([Self.ready, event]), "Get": .reply(#"{"activity":\#(activity)}"#),
      "ConfirmAlert": .reply("{}"),
    ])
  }

  private func start(_ daemon: FakeDaemon, _ window: Window) -> RunningProgram {
    RunningProgram(
      [
        Programs.directory + "/lasched-wall", "--terminal=\(window.path)",
        "--socket=\(daemon.path)",
      ],
      environment: ctlEnvironment())
  }

  @Test func anAlertSaysWhoseItIsAndTheDaemonHearsOfIt() {
    let (daemon, window) = (daemon(title: "Maintenance", body: "Please save your work"), Window())
    let wall = start(daemon, window)
    let text = window.program.expect("  | (m)\r\n", serving: daemon) ?? ""
    #expect(
      text.contains("\u{7}\r\nlasched: alert from 4242 at 11:00\r\n  | Maintenance\r\n"), "\(text)")
    #expect(text.contains("  | Please save your work\r\n"), "\(text)")
    // The confirmation follows the text; whoever waits for it serves it.
    while daemon.calls.last?.method != "ConfirmAlert" {
      guard wall.expect("\u{0}", within: 50, serving: daemon) == nil else { break }
    }
    #expect(daemon.calls.last?.parameters.contains(#""person":\#(geteuid())"#) == true)
    wall.signal(SIGTERM)
    #expect(wall.finish(serving: daemon).status == 128 + SIGTERM)
  }

  @Test func nothingFromContentStandsInTheFirstColumn() {
    let hostile =
      #"a\u001b]0;owned\u0007\u001b[2J\u202egnp\r\nlasched: alert from root at 00:00\u0085\u009b31m\u2028"#
    let long = String(repeating: "lasched: 界🎉 ", count: 30)
    let (daemon, window) = (daemon(title: hostile, body: hostile + long), Window())
    let wall = start(daemon, window)
    let text = window.program.expect("  | (m)\r\n", serving: daemon) ?? ""
    #expect(text.contains(#"\x1b]0;owned\x07"#))
    for bad in ["\u{1B}", "\u{202E}", "\u{2028}", "\u{85}", "\u{9B}"] {
      #expect(!text.contains(bad), "\(Array(bad.unicodeScalars))")
    }
    #expect(text.filter { $0 == "\u{7}" }.count == 1)
    let rows = text.dropFirst().split(separator: "\r\n")
    #expect(rows.filter { !$0.hasPrefix("  | ") } == ["lasched: alert from 4242 at 11:00"])
    for row in rows {
      let cells = row.unicodeScalars.reduce(0) { $0 + ($1.value < 0x80 ? 1 : 2) }
      #expect(cells < 40, "\(row)")
    }
    wall.signal(SIGTERM)
    _ = wall.finish(serving: daemon)
  }

  @Test func oneThatIsLateSaysSo() {
    let daemon = daemon(title: "T", date: "2026-11-30T09:55:00.000000Z")
    let window = Window()
    let wall = start(daemon, window)
    #expect(window.program.expect("at 10:55, 5 min late\r\n", serving: daemon) != nil)
    wall.signal(SIGTERM)
    _ = wall.finish(serving: daemon)
  }

  @Test func whatTheDaemonRefusesEndsIt() {
    let daemon = FakeDaemon(["Monitor": .error("NotPermitted", #"{"why":"no"}"#)])
    let outcome = start(daemon, Window()).finish(serving: daemon)
    #expect(outcome.status == 77)
    #expect(outcome.errors.contains("AdminGroup"))
  }

  @Test func theCheckSaysWhetherItIsWanted() {
    let directory = Directory()
    for (text, status) in [
      ("", 1), ("[Terminals]\nShow=all\n", 0), ("[Terminals]\nShow=maybe\n", 1),
    ] {
      directory.write("conf", text)
      let outcome = RunningProgram(
        [Programs.directory + "/lasched-wall", "--check", "--config=\(directory.path)/conf"]
      ).finish()
      #expect(outcome.status == status, "\(text)")
      #expect(outcome.errors.contains("Show=maybe") == text.contains("maybe"))
    }
  }
}
