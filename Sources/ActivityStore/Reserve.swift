import Glibc

/// Disk space kept back for the day when there is none.
///
/// Committing a transition writes a few WAL frames; the WAL file is as long as it will be from the
/// start and is reused, so these cost no space. Its checkpoint, however, makes the database
/// longer, and while it fails the WAL cannot start over and grows as well. The space of this file,
/// once given up, is what both then grow into: 16 MiB are some 4 000 pages, tens of thousands of
/// transitions. Until there is room again, creating and updating are refused by the caller, so
/// that nothing but starts, ends and cancels uses it up; retention frees pages in the meantime.
struct Reserve {
  let directory: StateDirectory
  let bytes: Int64

  private var path: String { directory.file("reserve") }

  /// Whether it is there in full.
  var exists: Bool { bytes > 0 && (Files.size(path) ?? 0) >= bytes }

  /// Makes it, if there is room for it and as much again; whether it is there.
  func make() throws(StoreError) -> Bool {
    if bytes <= 0 {
      Files.remove(path)
      return false
    }
    if exists { return true }
    guard let free = directory.freeBytes, free / 2 >= bytes else { return false }
    Files.remove(path)
    try Files.create(path)
    let file = unsafe open(path, O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { throw Files.failed(.io, "cannot open \(path)") }
    defer { close(file) }
    // The error is the return value, not errno (posix_fallocate(3)).
    var result = posix_fallocate(file, 0, off_t(bytes))
    while result == EINTR { result = posix_fallocate(file, 0, off_t(bytes)) }
    guard result == 0 else {
      Files.remove(path)
      if result == ENOSPC || result == EDQUOT { return false }
      throw StoreError(.io, errno: result, "cannot reserve \(bytes) bytes in \(path)")
    }
    try Files.syncNames(in: directory.path)
    return true
  }

  /// Gives the space up; whether there was any.
  func giveUp() -> Bool {
    guard Files.remove(path) else { return false }
    // Freed blocks may be used only once the file system has committed that they are free.
    try? Files.syncNames(in: directory.path)
    return true
  }
}
