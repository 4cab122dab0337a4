import Glibc

/// A datagram socket in the place of the service manager's; gone with its last reference.
final class NotifySocket {
  let path: String
  private let descriptor: Int32

  init() throws {
    var template = Array("/tmp/lasched-notify-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw Failure("no directory") }
    let directory = String(
      decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    path = directory + "/notify"
    let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    descriptor = socket(AF_UNIX, kind, 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    let bound = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe bind(
        descriptor, UnsafeRawPointer(pointer).assumingMemoryBound(to: sockaddr.self),
        socklen_t(MemoryLayout<sockaddr_un>.size))
    }
    guard bound == 0 else { throw Failure("no socket at \(path)") }
  }

  deinit {
    close(descriptor)
    unsafe unlink(path)
    unsafe rmdir(String(path.dropLast("/notify".count)))
  }

  /// How many signs of life have come.
  private(set) var signsOfLife = 0

  /// Takes what has come. A daemon waits while nobody does: few messages fit.
  func take() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { return }
      if String(decoding: buffer[..<count], as: UTF8.self) == "WATCHDOG=1" { signsOfLife += 1 }
    }
  }
}
