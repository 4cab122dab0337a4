import Glibc

/// A directory of this process's own, which goes with it.
final class TemporaryDirectory {
  let path: String

  /// Below `$TMPDIR`, or /tmp where that is too long for a socket's path (unix(7)).
  init() throws(Failure) {
    let parent = setting("TMPDIR").flatMap { $0.utf8.count < 60 ? $0 : nil } ?? "/tmp"
    var template = Array("\(parent)/lasched-XXXXXX".utf8CString)
    let made = unsafe template.withUnsafeMutableBufferPointer { buffer in
      unsafe buffer.baseAddress.map { unsafe mkdtemp($0) != nil } ?? false
    }
    guard made else {
      throw .system("no directory can be made in \(parent): \(systemError(errno))")
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { remove() }

  /// Removes it and all that is in it; once is enough.
  func remove() { TemporaryDirectory.remove(path, depth: 0) }

  /// The names in a directory.
  static func entries(of path: String) -> [String] {
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

  private static func remove(_ path: String, depth: Int) {
    guard depth < 16 else { return }
    if unsafe unlink(path) == 0 { return }
    for name in entries(of: path) { remove(path + "/" + name, depth: depth + 1) }
    unsafe rmdir(path)
  }
}
