import Glibc

@testable import Systemd

/// A private directory that goes, with all below it, when the test does.
final class TemporaryDirectory {
  let path: String

  init() throws {
    var template = Array("/tmp/lasched-systemd-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw SystemError("mkdtemp", errno) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { Self.empty(path) }

  subscript(name: String) -> String { "\(path)/\(name)" }

  /// Writes a file, and the directories above it.
  @discardableResult
  func write(_ name: String, _ text: String) throws -> String {
    let path = self[name]
    let folder = path[..<(path.lastIndex(of: "/") ?? path.endIndex)]
    try Files.makeDirectories(String(folder), mode: 0o700)
    let file = try Files.open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    let bytes = Array(text.utf8)
    _ = try checked("write", path) { unsafe Glibc.write(file.number, bytes, bytes.count) }
    return path
  }

  func link(_ name: String, to target: String) throws {
    _ = try checked("symlink", name) { unsafe symlink(target, self[name]) }
  }

  func mode(_ name: String) throws -> UInt32 {
    var status = stat()
    _ = try checked("stat", name) { unsafe lstat(self[name], &status) }
    return status.st_mode & 0o7777
  }

  private static func empty(_ path: String) {
    for name in (try? Files.list(path)) ?? [] {
      let entry = "\(path)/\(name)"
      if (try? FileKind.of(entry, followingLinks: false)) == .directory {
        empty(entry)
      } else {
        _ = try? Files.remove(entry)
      }
    }
    unsafe rmdir(path)
  }
}

/// The errno that a call ends in; 0 if it succeeds.
func errorNumber(_ body: () throws -> Void) -> Int32 {
  do { try body() } catch let error as SystemError { return error.number } catch { return -1 }
  return 0
}

/// Runs the loop until `done`; a handler that never comes fails the test instead of hanging it.
func run(_ loop: EventLoop, until done: () -> Bool) throws {
  let end = SystemClock.monotonic + 20_000_000
  while !done() {
    if SystemClock.monotonic > end { throw SystemError("run", ETIME) }
    try loop.runOnce(timeout: 1_000_000)
  }
}

/// The next connection, which waits already.
func accept(_ listener: borrowing FileDescriptor) throws -> FileDescriptor {
  guard let connection = try UnixSocket.accept(from: listener.number) else {
    throw SystemError("accept", EAGAIN)
  }
  return connection
}

extension FileDescriptor {
  /// Writes all of a text; the socket has room for it.
  borrowing func send(_ text: String) throws -> SendOutcome {
    try send(Array(text.utf8).span)
  }

  /// Reads what is there as text; nil at the end of the stream or if nothing is there.
  borrowing func receiveText() throws -> String? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    var span = buffer.mutableSpan
    guard case .bytes(let count) = try receive(into: &span) else { return nil }
    return String(decoding: buffer[..<count], as: UTF8.self)
  }
}
