import Glibc
import LiveActivity
import SQLite
import Synchronization
import Testing

@testable import ActivityStore

/// A file system of its own in memory; nil unless this process may mount.
private final class SmallFileSystem {
  let path: String
  private let parent: TemporaryDirectory

  init?(bytes: Int, readOnly: Bool = false) throws {
    parent = try TemporaryDirectory()
    path = parent.file("mount")
    guard geteuid() == 0, unsafe mkdir(path, 0o700) == 0,
      run(["mount", "-t", "tmpfs", "-o", "size=\(bytes)", "tmpfs", path])
    else {
      unsafe rmdir(path)
      print("NOT TESTED: mounting a small tmpfs needs root")
      return nil
    }
  }

  func remount(_ options: String) -> Bool { run(["mount", "-o", "remount,\(options)", path]) }

  deinit {
    if !run(["umount", path]) { _ = run(["umount", "-l", path]) }
    unsafe rmdir(path)
  }
}

private func run(_ command: [String]) -> Bool {
  var arguments = unsafe command.map { unsafe strdup($0) } + [nil]
  defer {
    for index in unsafe arguments.indices { unsafe free(arguments[index]) }
  }
  var child: pid_t = 0
  let result = spawning.withLock { _ in
    unsafe posix_spawnp(&child, command[0], nil, nil, &arguments, environ)
  }
  guard result == 0 else { return false }
  var status: Int32 = 0
  while unsafe waitpid(child, &status, 0) < 0 { if errno != EINTR { return false } }
  return status == 0
}

@Suite(.serialized) struct FullDiskTests {
  @Test func withTheReserveTransitionsGoOnOnAFullDisk() throws {
    guard let disk = try SmallFileSystem(bytes: 12 << 20) else { return }
    var options = StoreOptions()
    options.reserveBytes = 2 << 20
    options.logFrames = 100
    let (store, report) = try ActivityStore.open(
      directory: disk.path, now: someDate, options: options)
    #expect(report.hasReserve && store.hasReserve)
    #expect(report.warnings.contains { $0.contains("tmpfs") })
    var model = Model()
    let body = String(repeating: "x", count: 3000)
    var refused: StoreError?
    while refused == nil {
      let before = model
      do throws(StoreError) {
        try store.append(
          (0..<10).map { "\(model.sequence)-\($0)" }.map { model.schedule($0, body: body) })
        _ = try store.checkpointStep()
      } catch {
        refused = error
        if store.highestSequence != model.sequence { model = before }
      }
    }
    #expect(refused?.code == .full)
    #expect(refused?.systemError == ENOSPC || refused?.sqliteCode == 13)
    #expect(store.giveUpReserve())
    #expect(!store.hasReserve)
    // All that is pending starts, a few at a time.
    var left = model.live
    while !left.isEmpty {
      let some = left.prefix(20)
      try store.append(some.map { model.event(.started, of: $0, to: 1) })
      left.removeFirst(some.count)
      _ = try? store.checkpointStep()
      if left.count % 5 == 0 { _ = try? store.foldStep(limit: 200) }
    }
    #expect(!store.restoreReserve())
    #expect(try store.check() == [])
    #expect(try store.loaded().sessions == model.sessions.values.sorted { $0.first < $1.first })
    // Room again.
    try #require(disk.remount("size=\(40 << 20)"))
    #expect(store.restoreReserve() && store.hasReserve)
    try store.append([model.schedule("more", body: body)])
    #expect(try store.check() == [])
  }

  @Test func aStoreOpensOnAFullDisk() throws {
    guard let disk = try SmallFileSystem(bytes: 4 << 20) else { return }
    var model = Model()
    do {
      let store = try ActivityStore.open(
        directory: disk.path, now: someDate, options: small()
      ).store
      try store.append([model.schedule("a")])
    }
    unsafe unlink("\(disk.path)/activities.sqlite-wal")
    try? Files.extend("\(disk.path)/filler", to: 3 << 20)
    while (try? Files.extend(
      "\(disk.path)/filler", to: (Files.size("\(disk.path)/filler") ?? 0) + 4096)) != nil
    {}
    var options = StoreOptions()
    options.reserveBytes = 1 << 20
    do throws(StoreError) {
      let (store, report) = try ActivityStore.open(
        directory: disk.path, now: someDate, options: options)
      #expect(!report.hasReserve)
      #expect(report.warnings.contains { $0.contains("write-ahead log") })
      #expect(try store.loaded().sessions.count == 1)
      #expect(code { try store.append([model.event(.started, of: 1, to: 1)]) } == .full)
    } catch {
      #expect(error.code == .full, "\(error)")
    }
  }

  @Test func aReadOnlyFileSystemIsToldApart() throws {
    guard let disk = try SmallFileSystem(bytes: 8 << 20) else { return }
    var model = Model()
    do {
      let store = try ActivityStore.open(
        directory: disk.path, now: someDate, options: small()
      ).store
      try store.append([model.schedule("a")])
    }
    try #require(disk.remount("ro"))
    #expect(
      code { _ = try ActivityStore.open(directory: disk.path, now: someDate, options: small()) }
        == .readOnly)
    #expect(
      code { _ = try ActivityStore.open(directory: "\(disk.path)/new", now: someDate) }
        == .readOnly)
  }

  @Test func aReadOnlyFileIsToldApart() throws {
    let directory = try TemporaryDirectory()
    do { _ = try directory.open() }
    unsafe chmod(directory.database, 0o400)
    unsafe chmod(directory.file("activities.sqlite-wal"), 0o400)
    guard geteuid() != 0 else {
      // Modes do not bind root; an immutable file does, where the file system knows of it.
      guard run(["chattr", "+i", directory.database]) else {
        print("NOT TESTED: no immutable files here")
        return
      }
      defer { _ = run(["chattr", "-i", directory.database]) }
      #expect(code { _ = try directory.open() } == .readOnly)
      #expect(!directory.names.contains { $0.contains("damaged") })
      return
    }
    #expect(code { _ = try directory.open() } == .readOnly)
  }
}
