import Glibc

/// The few file calls that the store makes beside SQLite's, each with its errno as an error.
enum Files {
  /// Makes a directory and those above it that are missing, for this user alone, and sees to it
  /// that their names survive a power cut.
  static func makeDirectory(_ path: String) throws(StoreError) {
    if exists(path) { return }
    let parent = self.parent(of: path)
    if parent != path { try makeDirectory(parent) }
    guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw failed(.cannotCreate, "cannot make the directory \(path)")
    }
    try sync(parent, O_RDONLY | O_DIRECTORY)
  }

  static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  static func exists(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  /// Bytes in a file; nil if there is none.
  static func size(_ path: String) -> Int64? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int64(status.st_size) : nil
  }

  /// Makes an empty file for this user alone; fails if it is there.
  static func create(_ path: String) throws(StoreError) {
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw failed(.cannotCreate, "cannot make \(path)") }
    close(file)
  }

  /// fsync(2) of a file or, with O_DIRECTORY, of the names in a directory.
  static func sync(_ path: String, _ flags: Int32 = O_RDONLY) throws(StoreError) {
    let file = unsafe open(path, flags | O_CLOEXEC)
    guard file >= 0 else { throw failed(.io, "cannot open \(path)") }
    defer { close(file) }
    guard fsync(file) == 0 else { throw failed(.io, "cannot sync \(path)") }
  }

  static func syncNames(in directory: String) throws(StoreError) {
    try sync(directory, O_RDONLY | O_DIRECTORY)
  }

  static func rename(_ old: String, to new: String) throws(StoreError) {
    guard unsafe Glibc.rename(old, new) == 0 else {
      throw failed(.io, "cannot rename \(old) to \(new)")
    }
  }

  /// Removes a file; whether it was there.
  @discardableResult
  static func remove(_ path: String) -> Bool { unsafe unlink(path) == 0 }

  /// Writes zeros up to `size` at the end of a file, which is made if it is missing; leaves it as
  /// it was if that fails.
  static func extend(_ path: String, to size: Int64) throws(StoreError) {
    let file = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw failed(.cannotCreate, "cannot open \(path)") }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else { throw failed(.io, "cannot read \(path)") }
    let before = Int64(status.st_size)
    let zeros = [UInt8](repeating: 0, count: 1 << 16)
    var at = before
    while at < size {
      let count = Int(min(Int64(zeros.count), size - at))
      let written = unsafe pwrite(file, zeros, count, off_t(at))
      if written < 0, errno == EINTR { continue }
      guard written > 0 else {
        let error = failed(.full, "cannot extend \(path)")
        ftruncate(file, off_t(before))
        throw error
      }
      at += Int64(written)
    }
    guard at == before || fsync(file) == 0 else { throw failed(.io, "cannot sync \(path)") }
  }

  /// All of a small file; nil if it cannot be read.
  static func read(_ path: String, limit: Int = 1 << 20) -> [UInt8]? {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    while bytes.count < limit {
      let count = unsafe Glibc.read(file, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count == 0 ? bytes : nil }
      bytes += buffer[..<count]
    }
    return bytes
  }

  static func failed(_ code: StoreError.Code, _ what: String) -> StoreError {
    let number = errno
    let refined: StoreError.Code =
      switch number {
      case ENOSPC, EDQUOT: .full
      case EROFS: .readOnly
      default: code
      }
    return StoreError(refined, errno: number, what)
  }
}
