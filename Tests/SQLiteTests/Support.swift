import Glibc

@testable import SQLite

/// A private directory that goes when the test does, whatever happened in it.
final class TemporaryDirectory {
  let path: String

  init() throws {
    let base = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    var template = Array("\(base)/lasched-sqlite-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw SQLiteError(extendedCode: 14, systemError: errno, message: "mkdtemp failed")
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    if let directory = unsafe opendir(path) {
      while let entry = unsafe readdir(directory) {
        let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
          unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { text in
            unsafe String(cString: text)
          }
        }
        if name != ".", name != ".." { unsafe unlink(file(name)) }
      }
      unsafe closedir(directory)
    }
    unsafe rmdir(path)
  }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  func has(_ name: String) -> Bool { unsafe access(file(name), F_OK) == 0 }

  /// Puts `count` times `byte` into a file, which is made if it is missing.
  func write(_ count: Int, of byte: UInt8, to name: String, at offset: Int) {
    let descriptor = unsafe open(file(name), O_WRONLY | O_CREAT, 0o600)
    let bytes = [UInt8](repeating: byte, count: count)
    unsafe pwrite(descriptor, bytes, count, offset)
    close(descriptor)
  }
}

/// A connection in WAL mode with one table, `t (id INTEGER PRIMARY KEY, n, body BLOB)`.
func openWAL(_ path: String, vfs: String? = nil) throws -> Connection {
  let connection = try Connection(path: path, vfs: vfs)
  try connection.pragma("journal_mode", set: "wal")
  try connection.pragma("synchronous", set: "full")
  try connection.execute(
    "CREATE TABLE IF NOT EXISTS t (id INTEGER PRIMARY KEY, n INTEGER, body BLOB) STRICT")
  return connection
}

func code(_ body: () throws -> Void) -> SQLiteError.Code? {
  do { try body() } catch let error as SQLiteError { return error.code } catch {}
  return nil
}
