import Glibc

/// A socket that takes what a daemon tells its service manager (sd_notify(3)).
final class ReadySocket {
  let descriptor: Int32

  init(path: String) throws(Failure) {
    descriptor = socket(
      AF_UNIX,
      Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        | Int32(SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { throw .system("no socket: \(systemError(errno))") }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8.prefix(MemoryLayout.size(ofValue: address.sun_path) - 1))
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(descriptor, $0, size)
      }
    }
    guard result == 0 else {
      let number = errno
      close(descriptor)
      throw .system("\(path) cannot be bound: \(systemError(number))")
    }
  }

  deinit { close(descriptor) }

  /// Whether `READY=1` is among what has come.
  func isReady() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      guard count > 0 else { return false }
      let lines = String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n")
      if lines.contains("READY=1") { return true }
    }
  }
}
