import Glibc

/// What kind of file system a directory lies on, as far as a database must know.
enum FileSystem: Equatable {
  /// A disk's.
  case local
  /// Kept in memory: gone after a reboot.
  case volatile(String)
  /// Another machine's: neither its locks nor its shared memory can be relied on
  /// (<https://sqlite.org/wal.html>).
  case network(String)
  /// A program's; often one that synchronises folders behind SQLite's back.
  case userSpace(String)

  init(named name: String) {
    switch name {
    case "tmpfs", "ramfs", "devtmpfs": self = .volatile(name)
    case "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "ceph", "afs", "coda", "ncpfs", "lustre",
      "gfs2", "ocfs2", "orangefs", "pvfs2", "virtiofs", "fuse.sshfs", "fuse.glusterfs",
      "fuse.s3fs", "fuse.rclone", "fuse.davfs", "fuse.cephfs":
      self = .network(name)
    default:
      self = name == "fuse" || name.hasPrefix("fuse.") ? .userSpace(name) : .local
    }
  }

  /// The file system of an open file or directory, by its mount (proc_pid_fdinfo(5),
  /// proc_pid_mountinfo(5)); local where /proc tells nothing.
  init(of descriptor: Int32) {
    let info = Files.read("/proc/self/fdinfo/\(descriptor)")
    let table = Files.read("/proc/self/mountinfo", limit: 16 << 20)
    let name = info.flatMap(Self.mount).flatMap { mount in
      table.flatMap { Self.type(ofMount: mount, in: $0) }
    }
    self = name.map(FileSystem.init(named:)) ?? .local
  }

  static func mount(in info: [UInt8]) -> Int? {
    for line in info.split(separator: UInt8(ascii: "\n")) {
      let words = line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      if words.count == 2, words[0].elementsEqual("mnt_id:".utf8) {
        return Int(String(decoding: words[1], as: UTF8.self))
      }
    }
    return nil
  }

  static func type(ofMount mount: Int, in table: [UInt8]) -> String? {
    for line in table.split(separator: UInt8(ascii: "\n")) {
      let words = line.split(separator: UInt8(ascii: " "))
      guard let first = words.first, Int(String(decoding: first, as: UTF8.self)) == mount,
        // The optional fields end at a lone hyphen; the type follows.
        let hyphen = words.dropFirst(6).firstIndex(where: { $0.elementsEqual("-".utf8) }),
        hyphen + 1 < words.endIndex
      else { continue }
      return String(decoding: words[hyphen + 1], as: UTF8.self)
    }
    return nil
  }
}
