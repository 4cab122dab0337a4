import Glibc

/// What a short-lived helper program printed, stdout and stderr together, and how it ended.
struct ProgramOutput: Sendable {
  let text: String
  /// Nil where it was ended here, since it took too long.
  let end: ProcessEnd?

  var firstLine: String {
    if end == nil { return "it takes too long" }
    return text.split(separator: "\n").first.map(String.init) ?? "it says nothing"
  }

  /// Runs a program of `$PATH` for at most `milliseconds`; nil where it cannot be run.
  static func of(
    _ name: String, _ arguments: [String], milliseconds: Int64 = 3000
  ) -> ProgramOutput? {
    guard let path = try? ProgramSearch.find(name) else { return nil }
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    let changes: [String: String?] = ["LC_ALL": "C", "SYSTEMD_PAGER": "cat"]
    let child = try? ChildProcess(
      path: path, arguments: [name] + arguments, changes: changes, output: ends[1])
    close(ends[1])
    guard let child else { return nil }
    let deadline = machineMicroseconds() + milliseconds * 1000
    let bytes = everything(from: ends[0], until: deadline)
    // It has closed its output, so it is about to end; one that does not is made to.
    if bytes == nil { child.send(SIGKILL) }
    let end = child.waitForEnd()
    return ProgramOutput(
      text: String(decoding: bytes ?? [], as: UTF8.self), end: bytes == nil ? nil : end)
  }

  private static func everything(from descriptor: Int32, until deadline: Int64) -> [UInt8]? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let left = deadline - machineMicroseconds()
      guard left > 0, bytes.count < 1 << 20 else { return nil }
      waitForInput([descriptor], milliseconds: Int(left / 1000) + 1)
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&entry, 1, 0) == 1 else { continue }
      let count = unsafe read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
    }
  }
}
