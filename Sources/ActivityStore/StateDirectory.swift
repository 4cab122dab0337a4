import Glibc

/// The state directory, held by this process for as long as this object lives.
final class StateDirectory {
  let path: String
  private let lock: Int32

  /// Makes the directory if it is missing and takes its lock file (flock(2)); `inUse` names the
  /// process that holds it.
  init(_ path: String) throws(StoreError) {
    self.path = path
    try Files.makeDirectory(path)
    let name = "\(path)/lock"
    let lock = unsafe open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else { throw Files.failed(.cannotCreate, "cannot open \(name)") }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      let number = errno
      close(lock)
      if number == EWOULDBLOCK {
        let holder = Files.read(name, limit: 64).flatMap {
          Int(String(decoding: $0, as: UTF8.self))
        }
        let who = holder.map { "process \($0)" } ?? "another process"
        throw StoreError(
          .inUse, "the state directory \(path) is in use by \(who)", systemError: number)
      }
      throw StoreError(.cannotCreate, errno: number, "cannot lock \(name)")
    }
    self.lock = lock
    // For the message above only; the lock itself is what counts.
    let text = Array("\(getpid())".utf8)
    if ftruncate(lock, 0) == 0 { unsafe _ = pwrite(lock, text, text.count, 0) }
  }

  deinit { close(lock) }

  /// The database's path.
  var database: String { file("activities.sqlite") }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  var fileSystem: FileSystem { FileSystem(of: lock) }

  /// Bytes free for this user.
  var freeBytes: Int64? {
    var status = statvfs()
    guard unsafe fstatvfs(lock, &status) == 0 else { return nil }
    let (bytes, overflow) = Int64(clamping: status.f_bavail)
      .multipliedReportingOverflow(by: Int64(clamping: status.f_frsize))
    return overflow ? .max : bytes
  }
}
