internal import Glibc

/// A lock that a process holds on a file; flock(2). Freed when this value or the process goes.
public struct FileLock: ~Copyable, Sendable {
  private let descriptor: FileDescriptor

  /// Opens the file, made with `mode` if it is missing, and locks it for this process alone.
  ///
  /// Nil: somebody else has it. The file stays, or two could hold locks on two files of one name.
  public static func acquire(_ path: String, mode: UInt32) throws(SystemError) -> FileLock? {
    let file = try Files.open(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode)
    do throws(SystemError) {
      _ = try checked("flock", path) { flock(file.number, LOCK_EX | LOCK_NB) }
    } catch {
      if error.number == EWOULDBLOCK { return nil }
      throw error
    }
    return FileLock(descriptor: file)
  }
}

extension Files {
  /// Makes a file whose `bytes` bytes of disk are really set aside; posix_fallocate(3).
  ///
  /// One that is there is brought to that size. `ENOSPC`: no room, and a new file is gone again.
  public static func reserve(_ path: String, bytes: Int64) throws(SystemError) {
    let isNew = try FileKind.of(path, followingLinks: false) == nil
    let file = try open(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600)
    do throws(SystemError) {
      _ = try checked("ftruncate", path) { ftruncate(file.number, Int(max(0, bytes))) }
      // It answers the errno itself.
      var result: Int32 = 0
      repeat {
        result = bytes > 0 ? posix_fallocate(file.number, 0, Int(bytes)) : 0
      } while result == EINTR
      if result != 0 { throw SystemError("posix_fallocate", result, path) }
      _ = try checked("fsync", path) { fsync(file.number) }
    } catch {
      if isNew { _ = try? remove(path) }
      throw error
    }
  }
}
