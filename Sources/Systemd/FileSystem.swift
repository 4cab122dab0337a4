internal import CSystemd
internal import Glibc

/// The file system below a path; statfs(2).
public struct FileSystem: Hashable, Sendable {
  /// Bytes that an ordinary user may still fill.
  public let freeBytes: Int64
  /// Bytes in all.
  public let totalBytes: Int64
  /// The kernel's number of its type.
  public let type: UInt32
  /// Whether it is mounted read-only.
  public let isReadOnly: Bool

  /// Looks at the file system of `path`, which exists.
  public static func of(_ path: String) throws(SystemError) -> FileSystem {
    var status = statfs()
    _ = try checked("statfs", path) { unsafe statfs(path, &status) }
    func bytes(_ blocks: UInt) -> Int64 {
      let (product, overflow) = blocks.multipliedReportingOverflow(by: UInt(max(0, status.f_bsize)))
      return overflow ? .max : Int64(clamping: product)
    }
    return FileSystem(
      freeBytes: bytes(status.f_bavail), totalBytes: bytes(status.f_blocks),
      type: UInt32(truncatingIfNeeded: status.f_type), isReadOnly: status.f_flags & 1 != 0)
  }

  /// The name of its type, where it is one that matters here.
  public var name: String? { Self.names[type] }

  /// Whether it vanishes at a reboot.
  public var isVolatile: Bool { name == "tmpfs" || name == "ramfs" }

  /// Whether other machines or programs can change files behind the kernel's back, so that locks
  /// and shared memory cannot be relied on.
  public var isRemote: Bool { name.map { Self.remote.contains($0) } ?? false }

  private static let names: [UInt32: String] = [
    0x0102_1994: "tmpfs", 0x8584_58f6: "ramfs", 0x794c_7630: "overlay", 0xef53: "ext4",
    0x5846_5342: "xfs", 0x9123_683e: "btrfs", 0x2fc1_2fc1: "zfs", 0xf2f5_2010: "f2fs",
    0x6969: "nfs", 0x517b: "smb", 0xff53_4d42: "cifs", 0xfe53_4d42: "smb2", 0x6573_5546: "fuse",
    0x0102_1997: "9p", 0x00c3_6400: "ceph", 0x5346_414f: "afs", 0x7375_7245: "coda",
  ]
  private static let remote: Set<String> = [
    "nfs", "smb", "cifs", "smb2", "fuse", "9p", "ceph", "afs", "coda",
  ]
}
