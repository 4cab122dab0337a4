import Glibc

/// What kind of file system a path is on (proc_pid_mountinfo(5)).
struct MountPoint {
  let type: String

  var isNetwork: Bool {
    ["nfs", "nfs4", "cifs", "smb3", "ceph", "9p", "afs", "glusterfs"].contains(type)
      || type.hasPrefix("fuse.")
  }

  /// The one that holds a path; nil where the kernel does not say.
  static func of(_ path: String) -> MountPoint? {
    guard let real = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(real) }
    let path = unsafe String(cString: real)
    let descriptor = unsafe open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe read(descriptor, &chunk, chunk.count)
      guard count > 0 else { break }
      text += chunk[..<count]
    }
    var best: (length: Int, type: String)?
    for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count > 6, let dash = words.firstIndex(of: "-"), words.count > dash + 1 else {
        continue
      }
      let point = String(words[4])
      let isAbove = path == point || point == "/" || path.hasPrefix(point + "/")
      // The last of several on one place is the one on top.
      if isAbove, point.utf8.count >= best?.length ?? 0 {
        best = (point.utf8.count, String(words[dash + 1]))
      }
    }
    return best.map { MountPoint(type: $0.type) }
  }
}
