import Glibc

/// A directory for one test, gone with its last reference.
final class Directory {
  let path: String

  init() {
    var template = Array("/tmp/laschedctl-test-XXXXXX".utf8CString)
    unsafe template.withUnsafeMutableBufferPointer { name in
      if let start = name.baseAddress { _ = unsafe mkdtemp(start) }
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { Directory.remove(path) }

  var names: [String] { Directory.names(path) }

  func write(_ name: String, _ text: String, mode: mode_t = 0o600) {
    let descriptor = unsafe open(path + "/" + name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    let bytes = Array(text.utf8)
    _ = unsafe Glibc.write(descriptor, bytes, bytes.count)
    close(descriptor)
  }

  private static func names(_ path: String) -> [String] {
    guard let directory = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  private static func remove(_ path: String) {
    if unsafe unlink(path) == 0 { return }
    for name in names(path) { remove(path + "/" + name) }
    unsafe rmdir(path)
  }
}
