import Glibc
public import LiveActivity
import SQLite

extension ActivityStore {
  /// Takes the state directory and opens the database in it; both are made if they are missing.
  ///
  /// A file that is damaged is set aside under a name dated `now`, or refused, as `options` say.
  /// When it is checked: a file of up to `checkedBytes` as a whole, with `PRAGMA quick_check`
  /// (some 200 MB a second); of a larger one only what loading reads, which is what
  /// the daemon needs: damage elsewhere shows when history is read, and then `reopen` checks all.
  ///
  /// Throws `inUse`, `cannotCreate`, `unsuitable`, `damaged`, `newerSchema`, `readOnly`, `full`,
  /// `busy`, `io`.
  public static func open(
    directory path: String, now: WallTime, options: StoreOptions = StoreOptions()
  ) throws(StoreError) -> (store: ActivityStore, report: OpenReport) {
    let directory = try StateDirectory(path)
    var report = OpenReport()
    try check(directory.fileSystem, of: path, options, &report)
    let opening = Opening(
      directory: directory, options: options, now: now, migrations: Schema.migrations)
    let database = try opening.open(checkingAll: false, &report)
    let store = try ActivityStore(database, directory, options)
    do { report.hasReserve = try store.reserve.make() } catch {
      report.warnings.append("no reserve for a full disk: \(error)")
    }
    return (store, report)
  }

  private static func check(
    _ system: FileSystem, of path: String, _ options: StoreOptions, _ report: inout OpenReport
  ) throws(StoreError) {
    switch system {
    case .local: break
    case .volatile(let name):
      report.warnings.append("\(path) is on \(name), which a reboot empties")
    case .userSpace(let name):
      report.warnings.append(
        "\(path) is on \(name); if it synchronises files, keep state elsewhere")
    case .network(let name):
      let text = "\(path) is on \(name), a network file system, where no database is safe"
      guard options.allowsNetworkFileSystem else {
        throw StoreError(.unsuitable, "\(text); the state directory must be on a local disk")
      }
      report.warnings.append(text)
    }
  }
}

/// The way from a directory to an open, sound, current database.
struct Opening {
  let directory: StateDirectory
  let options: StoreOptions
  let now: WallTime
  let migrations: [Schema.Migration]

  private var path: String { directory.database }

  /// Opens what is there, or sets it aside and opens a new file; `damage` says why it must be.
  func open(
    checkingAll: Bool, damage: String? = nil, _ report: inout OpenReport
  ) throws(StoreError) -> Database {
    do throws(StoreError) {
      if let damage { throw StoreError(.damaged, damage) }
      return try openOnce(checkingAll: checkingAll, &report)
    } catch {
      guard error.code == .damaged else { throw error }
      guard options.onDamage == .setAside else {
        throw StoreError(
          .damaged, "\(path) is damaged (\(error)); move it away or set OnDamage=set-aside",
          sqliteCode: error.sqliteCode)
      }
      let aside = try setAside()
      report.setAside = OpenReport.SetAside(path: aside, why: error.description)
      do { return try openOnce(checkingAll: false, &report) } catch let next {
        // The next start finds no damaged file any more: this is the one chance to say so.
        throw StoreError(
          next.code, "\(next); a damaged file was set aside as \(aside) (\(error))",
          sqliteCode: next.sqliteCode, systemError: next.systemError, found: next.found)
      }
    }
  }

  private func openOnce(
    checkingAll: Bool, _ report: inout OpenReport
  ) throws(StoreError) -> Database {
    for name in ["", "-wal", "-shm", "-journal"] { Files.remove(newPath + name) }
    guard let size = Files.size(path) else {
      // A WAL without its file: whatever took the file away, the rest is not deleted either.
      guard (Files.size("\(path)-wal") ?? 0) == 0 else {
        throw StoreError(.damaged, "\(path) is missing, but its write-ahead log is not")
      }
      try create()
      report.isNew = true
      return try connect(&report)
    }
    // A new file gets its name only when it is complete.
    guard size > 0 else { throw StoreError(.damaged, "\(path) is empty") }
    try examine(checking: checkingAll || size <= options.checkedBytes, &report)
    return try connect(&report)
  }

  private var newPath: String { "\(path).new" }

  /// Makes the file under another name and renames it when it is complete and synced.
  private func create() throws(StoreError) {
    try Files.create(newPath)
    try translating { () throws(SQLiteError) in
      let connection = try Connection(path: newPath, mode: .readWrite, vfs: options.vfs)
      try connection.pragma("page_size", set: "4096")
      try connection.pragma("journal_mode", set: "wal")
      try connection.pragma("synchronous", set: "full")
      try connection.pragma("application_id", set: "\(Schema.application)")
      _ = try Schema.migrate(connection, by: migrations)
      let meta = try connection.prepare("INSERT INTO meta (key, value) VALUES ('store', ?1)")
      try meta.bind(text: Self.randomName(), at: 1)
      try meta.run()
      try connection.checkpoint(.truncate)
    }
    try Files.sync(newPath)
    Files.remove("\(newPath)-wal")
    Files.remove("\(newPath)-shm")
    try Files.rename(newPath, to: path)
    try Files.syncNames(in: directory.path)
  }

  /// 128 random bits in hexadecimal.
  static func randomName() -> String {
    var generator = SystemRandomNumberGenerator()
    let digits = Array("0123456789abcdef".utf8)
    let name = (0..<32).map { _ in digits[Int(generator.next(upperBound: UInt(16)))] }
    return String(decoding: name, as: UTF8.self)
  }

  /// Looks at the file without writing to it: whose it is, its version, whether it is sound.
  private func examine(checking: Bool, _ report: inout OpenReport) throws(StoreError) {
    let known = Schema.version(after: migrations)
    let found = try sound { () throws(SQLiteError) in
      let connection = try Connection(path: path, mode: .readOnly, vfs: options.vfs)
      connection.setBusyTimeout(milliseconds: 1000)
      try connection.pragma("cell_size_check", set: "on")
      let application = try connection.integer("PRAGMA application_id") ?? 0
      guard application == Schema.application else {
        throw damage("not a store of this program (application_id \(application))")
      }
      let found = try Schema.version(of: connection)
      guard checking, found <= known else { return found }
      if let line = try connection.quickCheck(limit: 1).first { throw damage(line) }
      report.wasChecked = true
      return found
    }
    if found > known {
      throw StoreError(
        .newerSchema,
        "\(path) has schema version \(found), newer than this program's \(known); "
          + "it is left untouched: install the program that wrote it",
        found: found)
    }
  }

  private func damage(_ text: String) -> SQLiteError {
    SQLiteError(extendedCode: 11, message: text, context: path)
  }

  /// Opens for writing. Before that the WAL file is made as long as it will ever be: commits into
  /// space that is there cost a third, and need none when the disk is full. SQLite takes a WAL
  /// of zeros for an empty one.
  private func connect(_ report: inout OpenReport) throws(StoreError) -> Database {
    let frame: Int64 = 4096 + 24
    do {
      if options.logFrames > 0 {
        try Files.extend("\(path)-wal", to: 32 + frame * Int64(options.logFrames))
      }
    } catch {
      report.warnings.append("the write-ahead log is not laid out in advance: \(error)")
    }
    return try sound { () throws(SQLiteError) in
      let (database, found) = try Database.open(path, vfs: options.vfs, migrations: migrations)
      guard !database.connection.isReadOnly else {
        throw SQLiteError(extendedCode: 8, message: "the file can only be read", context: path)
      }
      if found != Schema.version(after: migrations) { report.migratedFrom = found }
      return database
    }
  }

  /// What SQL finds wrong with a file that is being opened is the file's fault: a table is
  /// missing, say, or the format is unknown.
  private func sound<Result>(
    _ body: () throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    do { return try body() } catch {
      guard error.code == .error || error.code == .constraint else { throw StoreError(error) }
      throw StoreError(.damaged, "store: \(error)", sqliteCode: error.extendedCode)
    }
  }

  /// Renames the file and what belongs to it; returns the new path. The file goes first: without
  /// it, what is left is recognised at the next start.
  private func setAside() throws(StoreError) -> String {
    let date = now.rfc3339.prefix { $0 != "." }.filter { $0 != ":" && $0 != "-" }
    var target = "\(directory.path)/activities-damaged-\(date)Z.sqlite"
    var count = 1
    while ["", "-wal", "-shm"].contains(where: { Files.exists(target + $0) }) {
      count += 1
      target = "\(directory.path)/activities-damaged-\(date)Z-\(count).sqlite"
    }
    for suffix in ["", "-wal", "-shm"] where Files.exists(path + suffix) {
      try Files.rename(path + suffix, to: target + suffix)
    }
    try Files.syncNames(in: directory.path)
    return target
  }
}
