import Glibc
import LiveActivity
import Synchronization
import Testing

@testable import ActivityStore

/// A private directory that goes when the test does, whatever happened in it.
final class TemporaryDirectory {
  let path: String

  init() throws {
    let base = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    var template = Array("\(base)/lasched-store-XXXXXX".utf8CString)
    try #require(unsafe mkdtemp(&template) != nil)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for name in names { unsafe unlink(file(name)) }
    unsafe rmdir(path)
  }

  func file(_ name: String) -> String { "\(path)/\(name)" }
  var database: String { file("activities.sqlite") }
  func has(_ name: String) -> Bool { Files.exists(file(name)) }

  var names: [String] {
    guard let directory = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { text in
          unsafe String(cString: text)
        }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  func bytes(_ name: String) -> [UInt8] { Files.read(file(name), limit: 1 << 30) ?? [] }

  /// Replaces a file's content.
  func write(_ bytes: [UInt8], to name: String) {
    let descriptor = unsafe Glibc.open(file(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    var at = 0
    while at < bytes.count {
      let slice = bytes[at...]
      let count = unsafe slice.withUnsafeBytes {
        unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      guard count > 0 else { return }
      at += count
    }
  }

  /// What a crash would leave: database and WAL as they are now.
  func copy(to other: TemporaryDirectory) {
    for name in names where name.hasPrefix("activities.sqlite") && !name.hasSuffix("-shm") {
      other.write(bytes(name), to: name)
    }
  }
}

/// Options without the 16 MiB and the 4 MiB that each store would begin with.
func small() -> StoreOptions {
  var options = StoreOptions()
  options.reserveBytes = 0
  options.logFrames = 16
  return options
}

let someDate = WallTime(microseconds: 1_796_149_800_000_000)

/// Held while a child process is started: between fork and exec it has a copy of every lock file
/// that is open, and a store closed meanwhile would seem to be in use.
let spawning = Mutex(())

extension TemporaryDirectory {
  func open(_ options: StoreOptions = small()) throws(StoreError) -> ActivityStore {
    try openReporting(options).store
  }

  func openReporting(
    _ options: StoreOptions = small()
  ) throws(StoreError) -> (store: ActivityStore, report: OpenReport) {
    spawning.withLock { _ in }
    return try ActivityStore.open(directory: path, now: someDate, options: options)
  }
}

func code(_ body: () throws -> Void) -> StoreError.Code? {
  do { try body() } catch let error as StoreError { return error.code } catch {}
  return nil
}

/// SplitMix64: the same numbers for the same seed.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64
  init(_ seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}

/// Everything that `load` tells.
struct Loaded: Equatable {
  var sessions: [SessionRow] = []
  var outbox: [Int64: [UInt8]] = [:]
  var entries: [String: [UInt8]] = [:]
}

extension ActivityStore {
  func loaded(past: Bool = true) throws(StoreError) -> Loaded {
    var all = Loaded()
    try load(
      past: past, session: { all.sessions.append($0) }, outbox: { all.outbox[$0] = $1 },
      entry: { all.entries[$0] = $1 })
    return all
  }

  func transaction(_ body: () throws(StoreError) -> Void) throws(StoreError) {
    try begin()
    do { try body() } catch {
      rollback()
      throw error
    }
    try commit()
  }
}
