import Glibc

/// A message bus of a test's own, on which nothing starts by itself; gone with its last reference.
public final class PrivateBus {
  /// A directory that goes with it, for what else a test keeps.
  public let directory: String
  private var daemon: TestProcess?

  /// What to connect to.
  public var address: String { "unix:path=\(directory)/bus" }

  /// Starts dbus-daemon(1).
  public init() throws {
    var template = Array("/tmp/lasched-bus-XXXXXX".utf8CString)
    _ = unsafe mkdtemp(&template)
    directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let configuration = """
      <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
       "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
      <busconfig><type>session</type><listen>\(address)</listen><auth>EXTERNAL</auth>
      <policy context="default"><allow send_destination="*" eavesdrop="true"/>
      <allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
      """
    let file = unsafe open(directory + "/bus.conf", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    _ = unsafe write(file, configuration, configuration.utf8.count)
    close(file)
    try start()
  }

  /// Starts it again after `stop`.
  public func start() throws {
    daemon = try TestProcess([
      "dbus-daemon", "--nofork", "--nopidfile", "--config-file=\(directory)/bus.conf",
    ])
    // Real time passes here until the program listens, which is later than the socket is there.
    for _ in 0..<2000 where !isListening { poll(nil, 0, 5) }
  }

  private var isListening: Bool {
    let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = directory + "/bus"
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { bytes in
      unsafe bytes.copyBytes(from: path.utf8.prefix(bytes.count - 1))
    }
    return unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe connect(socket, address, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
  }

  /// Ends it, as at a logout.
  public func stop() {
    daemon = nil
    unsafe unlink(directory + "/bus")
  }

  deinit {
    stop()
    remove(directory)
  }
}

/// Removes a directory with all that is in it.
private func remove(_ path: String) {
  guard let directory = unsafe opendir(path) else { return }
  while let entry = unsafe readdir(directory) {
    let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
      unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
    }
    guard name != ".", name != ".." else { continue }
    if unsafe unlink("\(path)/\(name)") != 0 { remove("\(path)/\(name)") }
  }
  unsafe closedir(directory)
  unsafe rmdir(path)
}
