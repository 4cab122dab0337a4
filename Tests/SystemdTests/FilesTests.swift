import Glibc
import Testing

@testable import Systemd

@Suite struct FilesTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test func directoriesAreMadeWithThoseAboveThem() throws {
    try Files.makeDirectories(directory["a/b//c/"], mode: 0o700)
    try Files.makeDirectories(directory["a/b/c"], mode: 0o755)
    #expect(try directory.mode("a/b/c") == 0o700)
    try directory.write("f", "")
    #expect(errorNumber { try Files.makeDirectories(directory["f/x"], mode: 0o700) } == ENOTDIR)
    try Files.makeDirectories("/", mode: 0o700)
    try Files.makeDirectories("/proc/self", mode: 0o700)
    try Files.syncDirectory(directory["a"])
    #expect(errorNumber { try Files.syncDirectory(directory["f"]) } == ENOTDIR)
  }

  @Test func aLockIsHeldOnceAndFreedWithItsHolder() throws {
    let path = directory["lock"]
    do {
      let lock = try FileLock.acquire(path, mode: 0o600)
      #expect(try !isFree(path))
      _ = consume lock
    }
    #expect(try isFree(path))
    try directory.link("link", to: path)
    #expect(errorNumber { _ = try FileLock.acquire(directory["link"], mode: 0o600) } == ELOOP)
  }

  private func isFree(_ path: String) throws -> Bool {
    if let lock = try FileLock.acquire(path, mode: 0o600) {
      _ = consume lock
      return true
    }
    return false
  }

  @Test func reservedSpaceIsReal() throws {
    let path = directory["reserve"]
    try Files.reserve(path, bytes: 1 << 20)
    var status = stat()
    #expect(unsafe stat(path, &status) == 0)
    #expect(status.st_size == 1 << 20)
    #expect(Int64(status.st_blocks) * 512 >= 1 << 20)
    try Files.reserve(path, bytes: 4096)
    #expect(unsafe stat(path, &status) == 0)
    #expect(status.st_size == 4096)
    try Files.reserve(path, bytes: 0)
    #expect(try Files.remove(path))
    #expect(try !Files.remove(path))
  }

  @Test func aReserveThatDoesNotFitLeavesNothing() throws {
    let path = directory["reserve"]
    #expect(errorNumber { try Files.reserve(path, bytes: .max) } == EFBIG)
    #expect(try FileKind.of(path) == nil)
  }

  @Test func readingKeepsToItsLimit() throws {
    let path = try directory.write("f", String(repeating: "x", count: 10_000))
    #expect(try Files.read(path, limit: 10_000).count == 10_000)
    #expect(errorNumber { _ = try Files.read(path, limit: 9_999) } == EFBIG)
    #expect(errorNumber { _ = try Files.read(directory["missing"], limit: 1) } == ENOENT)
    #expect(errorNumber { _ = try Files.read(directory.path, limit: 1) } == EISDIR)
  }

  @Test func namesAndKindsAreTold() throws {
    try directory.write("f", "")
    try directory.link("l", to: "nowhere")
    try Files.makeDirectories(directory["d"], mode: 0o700)
    #expect(try Files.list(directory.path).sorted() == ["d", "f", "l"])
    #expect(try FileKind.of(directory["l"]) == nil)
    #expect(try FileKind.of(directory["f/x"]) == nil)
    #expect(try FileKind.of(directory["d"]) == .directory)
    #expect(try FileKind.of("/dev/null") == .characterDevice)
    try Files.rename(directory["f"], to: directory["g"])
    #expect(try FileKind.of(directory["g"]) == .regular)
    #expect(errorNumber { _ = try Files.list(directory["g"]) } == ENOTDIR)
  }

  @Test func fileSystemsTellTheirRoom() throws {
    let system = try FileSystem.of(directory.path)
    #expect(system.freeBytes > 0 && system.totalBytes >= system.freeBytes)
    #expect(!system.isReadOnly && !system.isRemote)
    #expect(errorNumber { _ = try FileSystem.of(directory["missing"]) } == ENOENT)
    #expect(
      FileSystem(freeBytes: 0, totalBytes: 0, type: 0x6969, isReadOnly: false).isRemote)
    #expect(
      FileSystem(freeBytes: 0, totalBytes: 0, type: 0x0102_1994, isReadOnly: false).isVolatile)
  }

  @Test func accountsAreFoundByNameAndNumber() throws {
    let root = try #require(try Accounts.user(named: "root"))
    #expect(root.userID == 0 && root.home.hasPrefix("/"))
    #expect(try Accounts.user(0)?.name == "root")
    #expect(try Accounts.group(named: "root") == 0)
    #expect(try Accounts.user(named: "no such user") == nil)
    #expect(try Accounts.user(4_000_000_001) == nil)
    #expect(try Accounts.group(named: "") == nil)
  }

  @Test func errorsAreOneLine() {
    #expect(
      SystemError("bind", EADDRINUSE, "/run/x").description == "bind /run/x: Address already in use"
    )
    #expect(SystemError("socket", EMFILE).description == "socket: Too many open files")
  }
}
