import Glibc

/// Opens an address with the desktop's program for it (xdg-open(1)), or says where it leads.
enum Opener {
  /// Starts it, and returns what there is to say.
  static func open(_ address: String) -> String {
    let shown = harmless(address)
    guard isOpenable(address) else { return "not opened, only http and https are: \(shown)" }
    guard setting("DISPLAY") != nil || setting("WAYLAND_DISPLAY") != nil,
      start("xdg-open", [address])
    else { return shown }
    return "opening \(shown)"
  }

  /// Whether nothing but a page can come of it: a web address without anything odd in it.
  static func isOpenable(_ address: String) -> Bool {
    let lower = address.lowercased()
    guard lower.hasPrefix("https://") || lower.hasPrefix("http://") else { return false }
    return address.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value < 0x7F }
  }

  /// Takes note of those that have ended.
  static func reap() { while waitpid(-1, nil, WNOHANG) > 0 {} }

  /// Starts a program without a shell, and away from this terminal.
  static func start(_ program: String, _ arguments: [String]) -> Bool {
    guard let path = try? ProgramSearch.find(program) else { return false }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for stream in 0...2 as ClosedRange<Int32> {
      unsafe posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
    }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    // POSIX_SPAWN_SETSID: what ends the view does not end the browser.
    unsafe posix_spawnattr_setflags(&attributes, 0x80)
    let words = [program] + arguments
    let list = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { for place in unsafe list.indices { unsafe free(list[place]) } }
    var pid: pid_t = -1
    return unsafe posix_spawn(&pid, path, &actions, &attributes, list, environ) == 0
  }
}
