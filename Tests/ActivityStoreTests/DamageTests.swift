import Glibc
import LiveActivity
import SQLite
import Testing

@testable import ActivityStore

@Suite struct DamageTests {
  private func filled(_ directory: TemporaryDirectory, _ count: Int = 400) throws -> Model {
    var model = Model()
    var generator = SeededGenerator(8)
    let store = try directory.open()
    try store.append((0..<count).map { _ in model.random(&generator) })
    _ = try store.foldStep(limit: count / 2)
    return model
  }

  @Test(arguments: [[], [UInt8](repeating: 0, count: 8192), Array("not a database at all".utf8)])
  func whatIsNoDatabaseIsSetAside(content: [UInt8]) throws {
    let directory = try TemporaryDirectory()
    directory.write(content, to: "activities.sqlite")
    directory.write([7], to: "activities.sqlite-wal")
    let (store, report) = try directory.openReporting()
    let aside = try #require(report.setAside)
    #expect(report.isNew)
    #expect(aside.path.hasSuffix("activities-damaged-20261201T183000Z.sqlite"))
    #expect(Files.read(aside.path) == content)
    #expect(Files.read("\(aside.path)-wal") == [7])
    var model = Model()
    try store.append([model.schedule("a")])
    #expect(try store.check() == [])
  }

  @Test func anAuditBesideTheStoreFindsWhatMustNotBe() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    var model = Model()
    try store.append([model.schedule("a"), model.schedule("b")])
    #expect(try store.audit.run() == [])
    let other = try Connection(path: directory.database, mode: .readWrite)
    try other.execute("INSERT INTO outbox (sequence, fields) VALUES (77, x'')")
    #expect(try store.audit.run() == ["an alert in the outbox without its event: 77"])
    try other.execute("DELETE FROM outbox")
    // Neither does a batch that is not through yet disturb it, nor it the batch.
    let more = model.schedule("c")
    try store.begin()
    try store.append(more)
    #expect(try store.audit.run() == [])
    _ = try store.commit()
    #expect(try store.audit.run() == [])
  }

  @Test func theNameOfWhatIsSetAsideIsNeverTaken() throws {
    let directory = try TemporaryDirectory()
    for count in 1...3 {
      directory.write([UInt8(count)], to: "activities.sqlite")
      let path = try #require(try directory.openReporting().report.setAside?.path)
      #expect(Files.read(path) == [UInt8(count)])
      for name in ["", "-wal", "-shm"] { unsafe unlink(directory.database + name) }
    }
    #expect(directory.names.count { $0.hasPrefix("activities-damaged") } == 3)
  }

  @Test func damageIsRefusedIfSoAsked() throws {
    let directory = try TemporaryDirectory()
    directory.write(Array("no".utf8), to: "activities.sqlite")
    var options = small()
    options.onDamage = .refuse
    #expect(code { _ = try directory.open(options) } == .damaged)
    #expect(directory.bytes("activities.sqlite") == Array("no".utf8))
    #expect(directory.names == ["activities.sqlite", "lock"])
  }

  @Test func anotherProgramsDatabaseIsSetAside() throws {
    let directory = try TemporaryDirectory()
    do {
      let connection = try Connection(path: directory.database)
      try connection.execute("CREATE TABLE precious (x)")
    }
    let (_, report) = try directory.openReporting()
    let aside = try #require(report.setAside)
    #expect(aside.why.contains("not a store of this program"))
    #expect(try Connection(path: aside.path).integer("SELECT count(*) FROM precious") == 0)
  }

  @Test func aWALWithoutItsFileIsSetAside() throws {
    let directory = try TemporaryDirectory()
    _ = try filled(directory)
    unsafe unlink(directory.database)
    let (store, report) = try directory.openReporting()
    #expect(report.isNew && report.setAside != nil)
    #expect(try store.loaded() == Loaded())
    #expect(directory.names.contains { $0.hasSuffix(".sqlite-wal") && $0.contains("damaged") })
  }

  @Test func flippedBytesEndInAnErrorOrASoundStore() throws {
    let seed = UInt64.random(in: 0..<1_000_000)
    print("flippedBytesEndInAnErrorOrASoundStore: seed \(seed)")
    var generator = SeededGenerator(seed)
    let original = try TemporaryDirectory()
    _ = try filled(original)
    let files = ["activities.sqlite", "activities.sqlite-wal"].map { ($0, original.bytes($0)) }
    // Closed, the file is complete; where the WAL stands beside it, it is read instead.
    var outcomes: [String: Int] = [:]
    for _ in 0..<150 {
      let directory = try TemporaryDirectory()
      for (name, bytes) in Bool.random(using: &generator) ? files : [files[0]] {
        var bytes = bytes
        if !bytes.isEmpty, Bool.random(using: &generator) {
          for _ in 0..<Int.random(in: 1...40, using: &generator) {
            let at = Int.random(in: 0..<bytes.count, using: &generator)
            bytes[at] ^= UInt8.random(in: 1...255, using: &generator)
          }
        }
        directory.write(bytes, to: name)
      }
      outcomes[try use(directory), default: 0] += 1
    }
    print("outcomes: \(outcomes)")
    #expect(outcomes["set aside", default: 0] > 0)
  }

  /// Opens, loads, reads, writes; whatever is damaged must show as an error.
  private func use(_ directory: TemporaryDirectory) throws -> String {
    let (store, report): (ActivityStore, OpenReport)
    do throws(StoreError) { (store, report) = try directory.openReporting() } catch {
      // The version is but a number on the first page.
      #expect(error.code == .newerSchema, "\(error)")
      return "refused"
    }
    do throws(StoreError) {
      _ = try store.loaded()
      _ = try store.events(after: 0, limit: 1000)
      _ = try store.chain(from: store.highestSequence, limit: 1000)
      _ = try store.check()
      var event = EventRow(sequence: store.highestSequence &+ 1, kind: 13, date: 0)
      event.owner = 3
      try store.append([event])
      while try store.foldStep() {}
      while try store.retentionStep(RetentionRules(cutoff: .max, eventsPerOwner: 0)).hasMore {}
      return report.setAside == nil ? "fine" : "set aside"
    } catch {
      #expect(error.code == .damaged || error.code == .misuse, "\(error)")
      let again = try store.reopen(now: someDate)
      return again.setAside == nil ? "found later, kept" : "found later, set aside"
    }
  }

  @Test func aTruncatedWALLosesItsEndAndNoMore() throws {
    let original = try TemporaryDirectory()
    var model = Model()
    let store = try original.open()
    for _ in 0..<10 { try store.append([model.schedule("id-\(model.sequence)")]) }
    let database = original.bytes("activities.sqlite")
    let log = original.bytes("activities.sqlite-wal")
    for length in stride(from: 0, through: 32 + 4120 * 14, by: 1373) {
      let directory = try TemporaryDirectory()
      directory.write(database, to: "activities.sqlite")
      directory.write(Array(log.prefix(length)), to: "activities.sqlite-wal")
      let (cut, report) = try directory.openReporting()
      #expect(report.setAside == nil)
      #expect(try cut.check() == [])
      let count = Int(cut.highestSequence)
      #expect(try cut.loaded().sessions.map(\.first) == Array(1...10).prefix(count).map(Int64.init))
    }
  }

  @Test func whatOnlyThisProcessSeesBrokenIsKept() throws {
    let directory = try TemporaryDirectory()
    var model = Model()
    let store = try directory.open()
    try store.append([model.schedule("a")])
    let report = try store.reopen(now: someDate)
    #expect(report.setAside == nil && report.wasChecked && !report.isNew)
    #expect(try store.loaded().sessions == [try #require(model.sessions[1])])
    try store.append([model.event(.started, of: 1, to: 1)])
    #expect(try store.check() == [])
  }

  @Test func damageMetAtRunTimeIsSetAsideOnReopening() throws {
    let directory = try TemporaryDirectory()
    _ = try filled(directory, 3000)
    let size = directory.bytes("activities.sqlite").count
    // All of it is in the file; the WAL would hide what happens there.
    unsafe unlink(directory.file("activities.sqlite-wal"))
    var options = small()
    options.checkedBytes = 0
    let (store, report) = try directory.openReporting(options)
    #expect(!report.wasChecked && report.setAside == nil)
    let descriptor = unsafe open(directory.database, O_WRONLY)
    let junk = [UInt8](repeating: 0xa5, count: 4096)
    for page in 4..<(size / 4096) { unsafe pwrite(descriptor, junk, 4096, off_t(page * 4096)) }
    close(descriptor)
    #expect(code { _ = try store.events(after: 0, limit: 5000) } == .damaged)
    let again = try store.reopen(now: someDate)
    #expect(again.setAside != nil && again.isNew)
    var model = Model()
    try store.append([model.schedule("a")])
    #expect(try store.loaded().sessions.count == 1)
  }

  @Test func whatTheCallerFindsWrongIsBelieved() throws {
    let directory = try TemporaryDirectory()
    var model = Model()
    let store = try directory.open()
    try store.append([model.schedule("a")])
    let report = try store.reopen(now: someDate, damage: "session 1 makes no sense")
    let aside = try #require(report.setAside)
    #expect(aside.why.contains("session 1 makes no sense"))
    #expect(try store.loaded() == Loaded())
    #expect(try Connection(path: aside.path).integer("SELECT count(*) FROM events") == 1)
  }

  @Test func aStoreThatCouldNotBeReopenedStaysClosed() throws {
    let directory = try TemporaryDirectory()
    var options = small()
    options.onDamage = .refuse
    let store = try directory.open(options)
    let sound = directory.bytes("activities.sqlite")
    directory.write(Array("no".utf8), to: "activities.sqlite")
    #expect(code { _ = try store.reopen(now: someDate) } == .damaged)
    #expect(code { try store.begin() } == .damaged)
    #expect(code { _ = try store.event(1) } == .damaged)
    store.rollback()
    directory.write(sound, to: "activities.sqlite")
    #expect(try store.reopen(now: someDate).setAside == nil)
    try store.begin()
  }
}
