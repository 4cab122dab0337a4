internal import Glibc

/// What a path names; inode(7).
public enum FileKind: Hashable, Sendable {
  /// A file of bytes.
  case regular
  /// A directory.
  case directory
  /// A symbolic link, told only when links are not followed.
  case symbolicLink
  /// A bound AF_UNIX socket.
  case socket
  /// A character device, /dev/null for one.
  case characterDevice
  /// Anything else.
  case other

  /// Looks; nil if nothing is there.
  public static func of(
    _ path: String, followingLinks: Bool = true
  ) throws(SystemError) -> FileKind? {
    var status = stat()
    do throws(SystemError) {
      _ = try checked("stat", path) {
        unsafe followingLinks ? stat(path, &status) : lstat(path, &status)
      }
    } catch {
      if error.number == ENOENT || error.number == ENOTDIR { return nil }
      throw error
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .regular
    case S_IFDIR: return .directory
    case S_IFLNK: return .symbolicLink
    case S_IFSOCK: return .socket
    case S_IFCHR: return .characterDevice
    default: return .other
    }
  }
}

/// Small blocking operations on files, for start-up and helper threads.
public enum Files {
  /// Makes a directory and those above it that are missing, each with `mode` less the umask.
  ///
  /// A directory that exists stays as it is. `ENOTDIR`: something else is in the way.
  public static func makeDirectories(_ path: String, mode: UInt32) throws(SystemError) {
    var prefix = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      prefix += part
      do throws(SystemError) {
        _ = try checked("mkdir", prefix) { unsafe mkdir(prefix, mode) }
      } catch {
        // A read-only file system answers EROFS for a directory that exists, too.
        guard error.number == EEXIST || error.number == EROFS || error.number == EACCES,
          let kind = try FileKind.of(prefix)
        else { throw error }
        if kind != .directory { throw SystemError("mkdir", ENOTDIR, prefix) }
      }
      prefix += "/"
    }
  }

  /// Makes the entries of a directory durable; fsync(2).
  public static func syncDirectory(_ path: String) throws(SystemError) {
    let directory = try open(path, O_RDONLY | O_DIRECTORY)
    _ = try checked("fsync", path) { fsync(directory.number) }
  }

  /// Removes a file; false if there was none.
  @discardableResult
  public static func remove(_ path: String) throws(SystemError) -> Bool {
    do throws(SystemError) {
      _ = try checked("unlink", path) { unsafe unlink(path) }
      return true
    } catch {
      if error.number == ENOENT { return false }
      throw error
    }
  }

  /// Renames a file over whatever bears the new name.
  public static func rename(_ path: String, to newPath: String) throws(SystemError) {
    _ = try checked("rename", path) { unsafe Glibc.rename(path, newPath) }
  }

  /// The whole of a file; `EFBIG` if it has more than `limit` bytes.
  public static func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
    let file = try open(path, O_RDONLY)
    var contents: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = try checked("read", path) {
        unsafe Glibc.read(file.number, &chunk, chunk.count)
      }
      if count == 0 { return contents }
      contents += chunk[..<count]
      if contents.count > limit { throw SystemError("read", EFBIG, path) }
    }
  }

  /// The names in a directory but `.` and `..`, in no order.
  public static func list(_ path: String) throws(SystemError) -> [String] {
    guard let directory = unsafe opendir(path) else { throw SystemError("opendir", errno, path) }
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

  static func open(
    _ path: String, _ flags: Int32, _ mode: UInt32 = 0
  ) throws(SystemError) -> FileDescriptor {
    let number = try checked("open", path) { unsafe Glibc.open(path, flags | O_CLOEXEC, mode) }
    return FileDescriptor(owning: number)
  }
}
