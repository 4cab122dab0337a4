import Glibc
import Testing

@testable import Systemd

/// A datagram socket in the place of the manager's.
private final class Manager {
  let directory: TemporaryDirectory
  let socket: FileDescriptor

  init() throws {
    directory = try TemporaryDirectory()
    let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
    socket = FileDescriptor(
      owning: try checked("socket") { Glibc.socket(AF_UNIX, kind, 0) })
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = Array(directory["notify"].utf8)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
    let number = socket.number
    _ = try unsafe withUnsafePointer(to: &address) { pointer in
      try checked("bind") {
        unsafe bind(
          number, UnsafeRawPointer(pointer).assumingMemoryBound(to: sockaddr.self),
          socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    unsafe setenv("NOTIFY_SOCKET", directory["notify"], 1)
  }
}

// Each body is a process of its own: these calls read the environment, which tests that run side by
// side must not change.
@Suite struct ServiceManagerTests {
  @Test func eachMessageIsOneDatagram() async {
    await #expect(processExitsWith: .success) {
      let manager = try Manager()
      #expect(try ServiceManager.ready())
      #expect(try manager.socket.receiveText() == "READY=1")
      #expect(try ServiceManager.status("3 active\n12 pending"))
      #expect(try manager.socket.receiveText() == "STATUS=3 active 12 pending")
      #expect(try ServiceManager.watchdog())
      #expect(try manager.socket.receiveText() == "WATCHDOG=1")
      #expect(try ServiceManager.extendTimeout(microseconds: 30_000_000))
      #expect(try manager.socket.receiveText() == "EXTEND_TIMEOUT_USEC=30000000")
      #expect(try ServiceManager.stopping())
      #expect(try manager.socket.receiveText() == "STOPPING=1")
      #expect(try manager.socket.receiveText() == nil)
    }
  }

  @Test func reloadingCarriesTheMonotonicClockInTheSameDatagram() async {
    await #expect(processExitsWith: .success) {
      let manager = try Manager()
      let before = SystemClock.monotonic
      #expect(try ServiceManager.reloading())
      let after = SystemClock.monotonic
      let text = try #require(try manager.socket.receiveText())
      #expect(text.hasPrefix("RELOADING=1\nMONOTONIC_USEC="))
      let stamp = try #require(Int64(text.split(separator: "=").last ?? ""))
      #expect(before <= stamp && stamp <= after)
      #expect(try manager.socket.receiveText() == nil)
    }
  }

  @Test func withoutAManagerNothingIsSent() async {
    await #expect(processExitsWith: .success) {
      unsafe unsetenv("NOTIFY_SOCKET")
      let told = try ServiceManager.ready()
      #expect(!told)
      unsafe setenv("NOTIFY_SOCKET", "/nowhere/at/all", 1)
      #expect(errorNumber { _ = try ServiceManager.ready() } == ENOENT)
    }
  }

  @Test func theWatchdogIsForThisProcessOnly() async {
    await #expect(processExitsWith: .success) {
      unsafe unsetenv("WATCHDOG_USEC")
      #expect(ServiceManager.watchdogInterval == nil)
      unsafe setenv("WATCHDOG_USEC", "30000000", 1)
      unsafe unsetenv("WATCHDOG_PID")
      #expect(ServiceManager.watchdogInterval == 30_000_000)
      unsafe setenv("WATCHDOG_PID", "1", 1)
      #expect(ServiceManager.watchdogInterval == nil)
      unsafe setenv("WATCHDOG_PID", "\(getpid())", 1)
      #expect(ServiceManager.watchdogInterval == 30_000_000)
    }
  }

  @Test func passedDescriptorsHaveNamesAndComeOnce() async {
    await #expect(processExitsWith: .success) {
      unsafe unsetenv("LISTEN_FDS")
      #expect(try PassedDescriptor.takeAll() == [])
      let directory = try TemporaryDirectory()
      let listener = try UnixSocket.listen(at: directory["s"], mode: 0o600)
      // Descriptor 3 may be the test library's own; then only its name is looked at.
      let isFree = fcntl(3, F_GETFD) == -1 || listener.number == 3
      if isFree, listener.number != 3 { dup2(listener.number, 3) }
      unsafe setenv("LISTEN_PID", "\(getpid())", 1)
      unsafe setenv("LISTEN_FDS", "1", 1)
      unsafe setenv("LISTEN_FDNAMES", "varlink", 1)
      let passed = try PassedDescriptor.takeAll()
      #expect(passed.map(\.name) == ["varlink"])
      #expect(passed.map(\.number) == [3])
      #expect(fcntl(3, F_GETFD) & FD_CLOEXEC != 0)
      if isFree {
        #expect(passed.first?.isUnixListener == true)
        try passed.first?.setNonBlocking()
        #expect(errorNumber { _ = try accept(listener) } == EAGAIN)
      }
      #expect(!PassedDescriptor(number: 0, name: "x").isUnixListener)
      #expect(try PassedDescriptor.takeAll() == [])
    }
  }
}
