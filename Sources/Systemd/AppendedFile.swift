internal import Glibc

/// A file that only grows: what is appended and synced survives a power cut.
public final class AppendedFile {
  private let descriptor: FileDescriptor
  private let path: String

  /// Opens or makes a file for its owner alone; its directory must be there.
  public init(_ path: String) throws(SystemError) {
    self.path = path
    descriptor = try Files.open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600)
  }

  /// Appends bytes, and waits until they are on the disk if asked to; fdatasync(2).
  public func append(_ bytes: [UInt8], syncing: Bool) throws(SystemError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = try checked("write", path) {
        unsafe rest.withUnsafeBytes { bytes in
          unsafe Glibc.write(descriptor.number, bytes.baseAddress, bytes.count)
        }
      }
      rest = rest.dropFirst(count)
    }
    guard syncing else { return }
    _ = try checked("fdatasync", path) { fdatasync(descriptor.number) }
  }

  /// Puts a whole new content in the place of a file's, at once and durably; rename(2).
  public static func replace(_ path: String, with bytes: [UInt8]) throws(SystemError) {
    let next = path + ".new"
    _ = try Files.remove(next)
    let file = try AppendedFile(next)
    try file.append(bytes, syncing: true)
    try Files.rename(next, to: path)
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    try Files.syncDirectory(folder.isEmpty ? "/" : folder)
  }
}
