import Glibc

/// A private directory that goes when the world does.
final class Directory {
  let path: String

  init() throws(SimulationFailure) {
    let base = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    var template = Array("\(base)/lasched-simulation-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw SimulationFailure("mkdtemp: \(errno)") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for name in names { unsafe unlink("\(path)/\(name)") }
    unsafe rmdir(path)
  }

  private var names: [String] {
    guard let directory = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { text in
          unsafe String(cString: text)
        }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// What `kill -9` would leave: database and WAL as they are now.
  func copy() throws(SimulationFailure) -> Directory {
    let other = try Directory()
    for name in ["activities.sqlite", "activities.sqlite-wal"] {
      try Self.copy("\(path)/\(name)", to: "\(other.path)/\(name)")
    }
    return other
  }

  private static func copy(_ source: String, to target: String) throws(SimulationFailure) {
    let input = unsafe open(source, O_RDONLY | O_CLOEXEC)
    guard input >= 0 else { return }
    defer { close(input) }
    let output = unsafe open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard output >= 0 else { throw SimulationFailure("open \(target): \(errno)") }
    defer { close(output) }
    while true {
      let count = sendfile(output, input, nil, 1 << 20)
      guard count > 0 else {
        if count < 0 { throw SimulationFailure("sendfile: \(errno)") }
        return
      }
    }
  }
}
