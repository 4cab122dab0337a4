internal import CSystemd
internal import Glibc

/// Tells when entries of directories come, go or are written anew; inotify(7).
///
/// The directory is watched, not the file, so that a symbolic link that is put in the place of another
/// is seen.
public final class DirectoryWatch {
  private let descriptor: FileDescriptor
  /// The names that matter in a directory, by its watch; nil are all.
  private var names: [Int32: Set<String>?] = [:]

  /// Watches nothing yet.
  public init() throws(SystemError) {
    let number = try checked("inotify_init1") {
      inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    }
    descriptor = FileDescriptor(owning: number)
  }

  /// The descriptor, to be polled for `readable`.
  public var number: Int32 { descriptor.number }

  /// Watches a directory for entries of these names, or for all. Once more for the same directory is
  /// no harm, and needed where another was put in its place.
  public func add(_ directory: String, names only: Set<String>? = nil) throws(SystemError) {
    let changes = IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CLOSE_WRITE
    let own = IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
    let watch = try checked("inotify_add_watch") {
      unsafe inotify_add_watch(
        number, directory, UInt32(truncatingIfNeeded: Int(changes) | Int(own)))
    }
    names[watch] = .some(only)
  }

  /// Takes in what has happened; returns whether any of it matters.
  public func read() -> Bool {
    var matters = false
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes {
        unsafe Glibc.read(number, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return matters }
      var place = 0
      // struct inotify_event: watch, mask, cookie, length, then the name, padded with NULs.
      while place + 16 <= count {
        func word(_ offset: Int) -> UInt32 {
          (0..<4).reduce(0) { $0 | UInt32(buffer[place + offset + $1]) << UInt32(8 * $1) }
        }
        let watch = Int32(bitPattern: word(0))
        let length = Int(word(12))
        let end = min(count, place + 16 + length)
        let name = String(decoding: buffer[(place + 16)..<end].prefix { $0 != 0 }, as: UTF8.self)
        place += 16 + length
        // Of lost events, and of a watch that is over, one cannot tell what they were about.
        if let only = names[watch] ?? nil, !name.isEmpty, !only.contains(name) { continue }
        matters = true
      }
    }
  }
}
