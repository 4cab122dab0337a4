internal import CSQLite

/// A VFS over the default one that fails when told: a full disk, a failing one, a power cut.
///
/// For tests (`package`, not public), by one thread at a time. Open a connection with
/// `vfs: faulty.name`; the connection must be gone before this object is.
@safe package final class FaultyVFS {
  /// The operations that change a file, which count and can fail.
  package enum Operation: Hashable, Sendable { case write, sync, truncate }

  /// What fails, and when.
  package struct Plan: Sendable {
    /// Which operations count and fail.
    package var operations: Set<Operation> = [.write, .sync, .truncate]
    /// How many of them succeed first.
    package var succeeding = 0
    /// How many fail after that.
    package var failing = Int.max
    /// What a failure answers: `SQLITE_FULL` (13), `SQLITE_IOERR` (10) or an extended code.
    package var code: Int32 = SQLITE_FULL
    /// Whether only writes that make their file longer count, as on a full disk.
    package var onlyGrowth = false
    /// Whether the first half of a failing write reaches the file.
    package var tears = false

    /// A plan to be filled in.
    package init() {}
  }

  /// The name to open connections with.
  package let name: String
  private let state = FaultState()
  private let registered: UnsafeMutablePointer<sqlite3_vfs>

  /// Registers the VFS under a name of its own; nil if the default one is missing.
  package init?() {
    guard let original = unsafe sqlite3_vfs_find(nil) else { return nil }
    name = "faulty-\(UInt(bitPattern: ObjectIdentifier(state)))"
    unsafe state.original = original
    unsafe registered = .allocate(capacity: 1)
    unsafe registered.initialize(to: original.pointee)
    let text = UnsafeMutableBufferPointer<CChar>.allocate(capacity: name.utf8.count + 1)
    _ = unsafe text.initialize(from: name.utf8.map { CChar(bitPattern: $0) } + [0])
    unsafe registered.pointee.zName = UnsafePointer(text.baseAddress)
    unsafe registered.pointee.pNext = nil
    unsafe registered.pointee.pAppData = Unmanaged.passUnretained(state).toOpaque()
    unsafe registered.pointee.xOpen = { vfs, path, file, flags, flagsOut in
      unsafe FaultState.open(vfs, path, file, flags, flagsOut)
    }
    unsafe sqlite3_vfs_register(registered, 0)
  }

  deinit {
    unsafe sqlite3_vfs_unregister(registered)
    unsafe registered.pointee.zName?.deallocate()
    unsafe registered.deallocate()
  }

  /// What is to fail from now on; counting starts anew. Nil: nothing.
  package func set(_ plan: Plan?) {
    state.plan = plan
    state.counted = 0
  }

  /// How many operations have counted since `set`; without a plan all do.
  package var counted: Int { state.counted }

  /// The power is cut: of what was not synced all but the first `kept` operations of each open
  /// file is undone, and every change from now on fails. `restorePower` ends it.
  package func cutPower(keeping kept: Int = 0) {
    for file in state.files { file.undo(keeping: kept) }
    state.isDark = true
  }

  /// Connections opened from now on find what the power cut left.
  package func restorePower() { state.isDark = false }
}

/// What one VFS shares among its files.
@safe final class FaultState {
  var original: UnsafeMutablePointer<sqlite3_vfs>?
  var plan: FaultyVFS.Plan?
  var counted = 0
  var isDark = false
  var files: [FaultyFile] = []

  /// The code to fail with, or nil to go on.
  func verdict(_ operation: FaultyVFS.Operation, grows: Bool) -> Int32? {
    if isDark { return SQLITE_IOERR }
    if let plan, !plan.operations.contains(operation) || (plan.onlyGrowth && !grows) {
      return nil
    }
    defer { counted += 1 }
    guard let plan, counted >= plan.succeeding, counted - plan.succeeding < plan.failing else {
      return nil
    }
    return plan.code
  }

  static func open(
    _ vfs: UnsafeMutablePointer<sqlite3_vfs>?, _ path: UnsafePointer<CChar>?,
    _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
    _ flagsOut: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    guard let file = unsafe file, let data = unsafe vfs?.pointee.pAppData else {
      return SQLITE_MISUSE
    }
    let state = unsafe Unmanaged<FaultState>.fromOpaque(data).takeUnretainedValue()
    guard let original = unsafe state.original, let open = unsafe original.pointee.xOpen else {
      return SQLITE_MISUSE
    }
    let code = unsafe open(original, path, file, flags, flagsOut)
    guard code == SQLITE_OK, let methods = unsafe file.pointee.pMethods else { return code }
    unsafe FaultyFile.wrap(file, methods, state)
    return SQLITE_OK
  }
}
