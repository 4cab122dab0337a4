internal import CSystemd
internal import Glibc

/// Waits for a path to appear, also where its directory is not there yet; inotify(7). Wakes nobody
/// as long as nothing of that name is made.
public final class PathWatch {
  private let descriptor: FileDescriptor
  private let directory: String
  private let names: Set<String>
  private var source: EventSource?
  /// The watch of the directory above; -1 for none.
  private var above: Int32 = -1

  /// Calls `appeared` each time that the path, or the directory that it is in, may have been made.
  public init(
    _ loop: EventLoop, _ path: String, _ appeared: @escaping () -> Void
  ) throws(SystemError) {
    let number = try checked("inotify_init1") {
      inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    }
    descriptor = FileDescriptor(owning: number)
    let (folder, name) = PathWatch.split(path)
    directory = folder
    names = [name, PathWatch.split(folder).name]
    renew()
    source = try loop.addDescriptor(number, .readable) { [weak self] _ in
      guard let self, self.read() else { return }
      self.renew()
      appeared()
    }
  }

  deinit { source?.remove() }

  /// Watches the directory, or the one above it for as long as that is not there.
  private func renew() {
    let events = UInt32(IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)
    if unsafe inotify_add_watch(descriptor.number, directory, events) >= 0 {
      // What else happens above it wakes nobody.
      if above >= 0 { inotify_rm_watch(descriptor.number, above) }
      above = -1
    } else {
      above = unsafe inotify_add_watch(
        descriptor.number, PathWatch.split(directory).directory, events)
    }
  }

  /// Takes in what has happened; whether any of it is about one of the names.
  private func read() -> Bool {
    var isOurs = false
    let size = 4096
    unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { buffer in
      while true {
        let count = unsafe Glibc.read(descriptor.number, buffer.baseAddress, size)
        if count <= 0 {
          if count < 0, errno == EINTR { continue }
          return
        }
        var place = 0
        let head = MemoryLayout<inotify_event>.size
        while place + head <= count {
          let length = Int(
            unsafe buffer.loadUnaligned(fromByteOffset: place + 12, as: UInt32.self))
          let bytes = unsafe buffer[place + head..<min(count, place + head + length)]
          let name = unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
          // Without a name it is about the directory itself.
          if name.isEmpty || names.contains(name) { isOurs = true }
          place += head + length
        }
      }
    }
    return isOurs
  }

  private static func split(_ path: String) -> (directory: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let directory = String(path[..<slash])
    return (directory.isEmpty ? "/" : directory, String(path[path.index(after: slash)...]))
  }
}
