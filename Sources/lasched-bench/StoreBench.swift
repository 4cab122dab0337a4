import ActivityStore
import Glibc
import LiveActivity
import SQLite

private let commitSizes = [1, 16, 100, 1000]
private let fieldBytes = 160
private let bodyBytes = 100

/// The store's appending beside SQLite alone and the disk alone, in the same directory and run;
/// then folding and loading.
func runStoreBench(_ arguments: [String]) throws(UsageError) {
  let options = try numberOptions(arguments, names: ["--rows", "--sessions"])
  let rows = options["--rows"]?.last ?? 200_000
  let sessions = options["--sessions"]?.last ?? 1_000_000
  let base = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/var/tmp"
  let directory = BenchDirectory(in: base)
  guard let directory else { throw UsageError("cannot make a directory in \(base)") }
  do {
    try append(rows, in: directory)
    try load(sessions, in: directory)
  } catch { printError("lasched-bench: \(error)") }
}

/// A directory that goes with the bench.
private final class BenchDirectory {
  let path: String

  init?(in base: String) {
    var template = Array("\(base)/lasched-bench-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { return nil }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    clear()
    unsafe rmdir(path)
  }

  func clear() {
    for name in [
      "activities.sqlite", "activities.sqlite-wal", "activities.sqlite-shm", "lock", "reserve",
      "plain", "plain-wal", "plain-shm", "raw",
    ] { unsafe unlink("\(path)/\(name)") }
  }

  func store() throws -> ActivityStore {
    clear()
    return try ActivityStore.open(directory: path, now: WallTime(microseconds: 0)).store
  }

  /// How long it takes to open what is there, all of it checked.
  func checkingMilliseconds() throws -> (megabytes: Double, time: Double) {
    var status = stat()
    unsafe stat("\(path)/activities.sqlite", &status)
    var options = StoreOptions()
    options.checkedBytes = .max
    let clock = ContinuousClock()
    let start = clock.now
    _ = try ActivityStore.open(
      directory: path, now: WallTime(microseconds: 0), options: options)
    return (Double(status.st_size) / 1e6, milliseconds(clock.now - start))
  }
}

/// The best of several rounds; the worst single calls of all.
private struct Rate {
  var perSecond = 0.0
  /// Microseconds of CPU a row, the kernel's included: what others on the machine change least.
  var cpu = Double.infinity
  /// The slowest commit, and the slowest checkpoint, in milliseconds.
  var commit = 0.0
  var checkpoint = 0.0

  mutating func measure(
    _ count: Int, of size: Int, _ work: () throws -> Void, _ tidy: () throws -> Void
  ) throws {
    let clock = ContinuousClock()
    let begin = clock.now
    let worked = processSeconds()
    for _ in 0..<max(1, count) {
      let start = clock.now
      try work()
      let middle = clock.now
      try tidy()
      commit = max(commit, milliseconds(middle - start))
      checkpoint = max(checkpoint, milliseconds(clock.now - middle))
    }
    let rows = Double(max(1, count) * size)
    cpu = min(cpu, (processSeconds() - worked) / rows * 1e6)
    perSecond = max(perSecond, rows / milliseconds(clock.now - begin) * 1000)
  }
}

private func append(_ rows: Int, in directory: BenchDirectory) throws {
  print("events of \(fieldBytes + bodyBytes) bytes and their columns, in \(directory.path)")
  print("rows a    fdatasync/s          rows/s           ratio     CPU us a row")
  print("commit                  SQLite      store               SQLite      store")
  for size in commitSizes {
    // One row a commit is bound by the disk: fewer tell as much.
    let count = max(1, min(rows, size * 20_000) / size)
    directory.clear()
    let disk = try diskRate(min(count, 2000), in: directory)
    // In turns, so that whatever else the machine does meets both.
    let (plainly, kept) = (try plain(size, in: directory), try stored(size, in: directory))
    var (plain, store) = (Rate(), Rate())
    for _ in 0..<3 {
      try plain.measure(count / 3, of: size, plainly.commit, plainly.checkpoint)
      try store.measure(count / 3, of: size, kept.commit, kept.checkpoint)
    }
    print(
      cell(Double(size), width: 6), cell(disk), cell(plain.perSecond), cell(store.perSecond),
      cell(store.perSecond / plain.perSecond), cell(plain.cpu), cell(store.cpu),
      "  worst commit \(cell(store.commit, width: 0)) ms, "
        + "checkpoint \(cell(store.checkpoint, width: 0)) ms")
  }
}

/// Writes of one page into space that is there, each synced.
private func diskRate(_ count: Int, in directory: BenchDirectory) throws -> Double {
  let file = unsafe open("\(directory.path)/raw", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
  defer { close(file) }
  let page = [UInt8](repeating: 7, count: 4096)
  for at in 0..<1000 { unsafe _ = pwrite(file, page, 4096, off_t(at * 4096)) }
  fsync(file)
  let time = nanoseconds {
    for at in 0..<count {
      unsafe _ = pwrite(file, page, 4096, off_t(at % 1000 * 4096))
      fdatasync(file)
    }
  }
  return Double(count) / time * 1e9
}

private typealias Work = (commit: () throws -> Void, checkpoint: () throws -> Void)

/// The least that a durable row can cost with SQLite: an integer key and one blob.
private func plain(_ size: Int, in directory: BenchDirectory) throws -> Work {
  let connection = try Connection(path: "\(directory.path)/plain")
  try connection.pragma("journal_mode", set: "wal")
  try connection.pragma("synchronous", set: "full")
  connection.takeOverCheckpoints()
  try connection.execute("CREATE TABLE t (k INTEGER PRIMARY KEY, v BLOB) STRICT")
  let insert = try connection.prepare("INSERT INTO t (k, v) VALUES (?1, ?2)")
  let payload = [UInt8](repeating: 5, count: fieldBytes + bodyBytes + 40)
  var key: Int64 = 0
  return (
    commit: {
      try connection.transaction { () throws(SQLiteError) in
        for _ in 0..<size {
          key += 1
          try insert.bind(key, at: 1)
          try insert.bind(blob: payload, at: 2)
          try insert.run()
        }
      }
    },
    checkpoint: {
      if connection.walFrameCount >= 1000 { try connection.checkpoint(.passive) }
    }
  )
}

private func stored(_ size: Int, in directory: BenchDirectory) throws -> Work {
  let store = try directory.store()
  var row = event(1)
  return (
    commit: {
      try store.begin()
      for _ in 0..<size {
        row.sequence = store.highestSequence + 1
        row.first = row.sequence
        try store.append(row)
      }
      try store.commit()
    },
    checkpoint: { try store.checkpointStep() }
  )
}

private func event(_ sequence: Int64) -> EventRow {
  var row = EventRow(sequence: sequence, kind: 0, date: 1_796_149_800_000_000)
  row.first = sequence
  row.id = Array("0f8fad5b-d9cb-469f-a165-70867728950e".utf8)
  row.owner = 1000
  row.number = 1
  row.by = 1000
  row.to = 0
  row.contentRow = sequence
  row.fields = [UInt8](repeating: 9, count: fieldBytes)
  row.body = [UInt8](repeating: UInt8(ascii: "x"), count: bodyBytes)
  return row
}

private func processSeconds() -> Double {
  var time = timespec()
  unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

private func milliseconds(_ duration: Duration) -> Double {
  let (seconds, attoseconds) = duration.components
  return Double(seconds) * 1e3 + Double(attoseconds) / 1e15
}

private func load(_ count: Int, in directory: BenchDirectory) throws {
  do { try loadOnce(count, try directory.store()) }
  let check = try directory.checkingMilliseconds()
  print(
    "opening it checked, \(cell(check.megabytes, width: 0)) MB: \(cell(check.time, width: 0)) ms")
}

private func loadOnce(_ count: Int, _ store: ActivityStore) throws {
  let clock = ContinuousClock()
  var row = event(1)
  var left = count
  while left > 0 {
    try store.begin()
    for _ in 0..<min(left, 1000) {
      row.sequence = store.highestSequence + 1
      row.first = row.sequence
      try store.append(row)
    }
    try store.commit()
    try store.checkpointStep()
    left -= min(left, 1000)
  }
  var worst = 0.0
  let begin = clock.now
  let worked = processSeconds()
  var more = true
  while more {
    let start = clock.now
    more = try store.foldStep()
    worst = max(worst, milliseconds(clock.now - start))
    try store.checkpointStep()
  }
  let folding = milliseconds(clock.now - begin)
  let cpu = (processSeconds() - worked) / Double(count) * 1e6
  print(
    "folding \(count) sessions: \(cell(Double(count) / folding * 1000, width: 0)) events/s,"
      + " CPU \(cell(cpu, width: 0)) us each, worst step of 1000 \(cell(worst, width: 0)) ms")
  let start = clock.now
  let before = processSeconds()
  var found = 0
  try store.load(
    session: { found += Int(min(1, $0.first)) }, outbox: { _, _ in }, entry: { _, _ in })
  print(
    "loading \(found) sessions: \(cell(milliseconds(clock.now - start), width: 0)) ms,"
      + " CPU \(cell((processSeconds() - before) * 1000, width: 0)) ms")
}
