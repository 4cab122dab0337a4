import Glibc
import JSON
import LiveActivity
import SQLite
import SchedulerAPI
import Varlink

/// The daemon as its callers meet it, through its socket and with a store on disk: schedules a
/// second, lateness of starts, memory, wakeups, restart. Beside it, in the same run, what SQLite and
/// the disk alone can do.
func runDaemonBench(_ arguments: [String]) throws(UsageError) {
  let options = try numberOptions(
    arguments, names: ["--calls", "--pending", "--starts", "--idle-seconds"])
  let calls = options["--calls"]?.last ?? 2000
  let pending = options["--pending"]?.last ?? 1_000_000
  let bench = try DaemonBench()
  do throws(VarlinkError) {
    try bench.waitingClient(calls)
    try bench.lateness(options["--starts"]?.last ?? 500)
    try bench.idle(seconds: options["--idle-seconds"]?.last ?? 5)
    try bench.pipelined(pending)
  } catch {
    throw UsageError("\(error)")
  }
  try bench.restart()
}

private final class DaemonBench {
  private let daemon: PrivateDaemon
  private let connection: VarlinkConnection
  private var scheduled = 0

  init() throws(UsageError) {
    daemon = try PrivateDaemon()
    connection = try daemon.connect()
  }

  private func enqueue(start: WallTime) throws(VarlinkError) {
    scheduled += 1
    let number = scheduled
    try connection.enqueue(SchedulerMethod.request.name) { writer in
      writer.member("id", "order-\(number)-0f8fad5b-d9cb-469f")
      writer.object("attributes") { $0.member("orderNumber", Int64(number)) }
      writer.object("content") { writer in
        writer.object("state") { writer in
          writer.member("status", "preparing")
          writer.member("eta", Int64(12))
        }
      }
      writer.object("alert") { writer in
        writer.member("title", "Your order")
        writer.member("body", "It is on its way")
      }
      writer.object("start") { $0.member("at", start.rfc3339) }
    }
  }

  private func receive() throws(VarlinkError) {
    let reply = try connection.receive()
    if let error = reply.error { printError("lasched-bench: refused: \(error)") }
  }

  private static var now: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }

  /// A date within the next days, after an hour.
  private func farAhead() -> WallTime {
    let hour: Int64 = 3_600_000_000
    let spread = Int64(scheduled &* 7919 % 86_400_000) * 1000
    return WallTime(microseconds: Self.now + hour + spread)
  }

  // MARK: Schedules a second

  /// One client that waits for each reply.
  func waitingClient(_ calls: Int) throws(VarlinkError) {
    var failure: VarlinkError?
    let time = nanoseconds {
      do throws(VarlinkError) {
        for _ in 0..<calls {
          try enqueue(start: farAhead())
          try connection.flush()
          try receive()
        }
      } catch { failure = error }
    }
    if let failure { throw failure }
    let disk = diskRate(calls)
    let plain = (try? plainRate(calls, of: 1)) ?? 0
    let rate = Double(calls) / time * 1e9
    print("durable schedules a second, one client that waits for each reply")
    print("  lasched \(cell(rate))   SQLite alone \(cell(plain))   fdatasync alone \(cell(disk))")
    print("  ratio to SQLite \(ratio(rate, plain)), to fdatasync \(ratio(rate, disk))")
  }

  /// One client that sends many at a time.
  func pipelined(_ calls: Int) throws(VarlinkError) {
    let before = daemon.residentBytes
    let depth = 512
    var failure: VarlinkError?
    let time = nanoseconds {
      do throws(VarlinkError) {
        var sent = 0
        var received = 0
        while received < calls {
          while sent < calls, sent - received < 4 * depth {
            for _ in 0..<min(depth, calls - sent) { try enqueue(start: farAhead()) }
            sent += min(depth, calls - sent)
            try connection.flush()
          }
          for _ in 0..<min(depth, sent - received) { try receive() }
          received += min(depth, sent - received)
        }
      } catch { failure = error }
    }
    if let failure { throw failure }
    let plain = (try? plainRate(min(calls, 200_000), of: 100)) ?? 0
    let rate = Double(calls) / time * 1e9
    print("durable schedules a second, \(calls) pipelined")
    print("  lasched \(cell(rate))   SQLite alone, 100 rows a commit \(cell(plain))")
    print("  ratio to SQLite \(ratio(rate, plain))")
    let bytes = Double(daemon.residentBytes - before) / Double(calls)
    print("memory: \(cell(bytes, width: 0)) bytes a pending activity (resident, caches included)")
  }

  private func ratio(_ a: Double, _ b: Double) -> String {
    let hundredths = b == 0 ? 0 : Int((a / b * 100).rounded())
    return "\(hundredths / 100).\(hundredths / 10 % 10)\(hundredths % 10)"
  }

  /// Writes of one page into space that is there, each synced.
  private func diskRate(_ count: Int) -> Double {
    let path = "\(daemon.directory)/raw"
    let file = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer {
      close(file)
      unsafe unlink(path)
    }
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

  /// Rows of 300 bytes in SQLite, in transactions of so many.
  private func plainRate(_ count: Int, of size: Int) throws -> Double {
    let path = "\(daemon.directory)/plain"
    defer { for end in ["", "-wal", "-shm"] { unsafe unlink(path + end) } }
    let database = try Connection(path: path)
    try database.pragma("journal_mode", set: "wal")
    try database.pragma("synchronous", set: "full")
    try database.execute("CREATE TABLE t (k INTEGER PRIMARY KEY, v BLOB) STRICT")
    let insert = try database.prepare("INSERT INTO t (k, v) VALUES (?1, ?2)")
    let payload = [UInt8](repeating: 5, count: 300)
    var key: Int64 = 0
    var failure: SQLiteError?
    let time = nanoseconds {
      do throws(SQLiteError) {
        for _ in 0..<max(1, count / size) {
          try database.transaction { () throws(SQLiteError) in
            for _ in 0..<size {
              key += 1
              try insert.bind(key, at: 1)
              try insert.bind(blob: payload, at: 2)
              try insert.run()
            }
          }
        }
      } catch { failure = error }
    }
    if let failure { throw failure }
    return Double(key) / time * 1e9
  }

  // MARK: Starts

  /// Starts at their own milliseconds within two seconds: how late each one was, by its event.
  func lateness(_ starts: Int) throws(VarlinkError) {
    let watcher = try VarlinkConnection(connectingTo: daemon.socket)
    try watcher.send(SchedulerMethod.monitor.name, more: true)
    while try watcher.receive().parameters["ready"] == nil {}
    let first = Self.now + 1_500_000
    for number in 0..<starts {
      let date = WallTime(microseconds: first + Int64(number) * 2_000_000 / Int64(starts))
      try enqueue(start: date)
    }
    try connection.flush()
    for _ in 0..<starts { try receive() }
    var late: [Int64] = []
    while late.count < starts, let reply = try watcher.receive(milliseconds: 10_000) {
      let event = reply.parameters["event"]
      guard event?["kind"]?.equals("started") == true else { continue }
      if let span = event?["latenessUSec"]?.int64 { late.append(span) }
    }
    late.sort()
    guard !late.isEmpty else { return }
    func at(_ share: Double) -> Int64 { late[min(late.count - 1, Int(Double(late.count) * share))] }
    print("lateness of \(late.count) starts, microseconds")
    print("  median \(at(0.5))   99th percentile \(at(0.99))   worst \(at(1))")
  }

  // MARK: Idle, restart

  /// Nothing is due and nobody calls.
  func idle(seconds: Int) throws(VarlinkError) {
    poll(nil, 0, 2000)
    let before = daemon.wakeups
    poll(nil, 0, Int32(clamping: seconds * 1000))
    print("wakeups in \(seconds) idle seconds: \(daemon.wakeups - before)")
  }

  /// Ended and started again with all that is pending.
  func restart() throws(UsageError) {
    daemon.stop(SIGTERM)
    var failure: UsageError?
    let time = nanoseconds {
      do throws(UsageError) {
        try daemon.start()
        let connection = try daemon.connect()
        do throws(VarlinkError) {
          let reply = try connection.call(SchedulerMethod.getStatus.name)
          let pending = reply.parameters["pending"]?.int64 ?? 0
          print("restart with \(pending) pending", terminator: "")
        } catch { throw UsageError("\(error)") }
      } catch { failure = error }
    }
    if let failure { throw failure }
    print(": \(cell(time / 1e6, width: 0)) ms from start to answer")
    print("memory after it: \(cell(Double(daemon.residentBytes) / 1e6, width: 0)) MB")
  }
}
