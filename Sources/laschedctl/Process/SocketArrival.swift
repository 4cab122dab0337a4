import Glibc

/// Tells that a path may have come to be, or a new one in its place; inotify(7). Wakes nobody else.
final class SocketArrival {
  let descriptor: Int32
  private let paths: [String]

  /// nil where the system has no more of them: then there is nothing to wait for but time.
  init?(_ paths: [String]) {
    descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    self.paths = paths
    guard descriptor >= 0 else { return nil }
    look()
  }

  deinit { close(descriptor) }

  /// Watches the folder of each path, or the nearest one that is there, for what is made in it.
  private func look() {
    for path in paths {
      var folder = path
      while let slash = folder.lastIndex(of: "/") {
        folder = String(folder[..<slash])
        let name = folder.isEmpty ? "/" : folder
        let events = UInt32(IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_ONLYDIR)
        if unsafe inotify_add_watch(descriptor, name, events) >= 0 { break }
      }
    }
  }

  /// Whether something was made since it was last asked.
  func hasCome() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4096)
    var any = false
    while unsafe bytes.withUnsafeMutableBytes({
      unsafe read(descriptor, $0.baseAddress, $0.count)
    }) > 0 {
      any = true
    }
    // Folders may be there by now that were not.
    if any { look() }
    return any
  }
}
