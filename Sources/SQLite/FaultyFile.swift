internal import CSQLite

/// One open file of a `FaultyVFS`. Its method table replaces the original's in the `sqlite3_file`;
/// behind the table lies the way back here.
@safe final class FaultyFile {
  @unsafe private struct Table {
    var methods: sqlite3_io_methods
    var owner: Unmanaged<FaultyFile>
  }

  /// How to take one unsynced change back.
  private struct Change {
    var size: Int64
    var offset: Int64
    var bytes: [UInt8]
  }

  private let file: UnsafeMutablePointer<sqlite3_file>
  private let original: sqlite3_io_methods
  private let state: FaultState
  private let table: UnsafeMutablePointer<Table>
  private var unsynced: [Change] = []

  private init(
    _ file: UnsafeMutablePointer<sqlite3_file>, _ methods: sqlite3_io_methods, _ state: FaultState
  ) {
    unsafe self.file = file
    original = methods
    self.state = state
    unsafe table = .allocate(capacity: 1)
  }

  deinit { unsafe table.deallocate() }

  static func wrap(
    _ file: UnsafeMutablePointer<sqlite3_file>, _ methods: UnsafePointer<sqlite3_io_methods>,
    _ state: FaultState
  ) {
    let wrapped = unsafe FaultyFile(file, methods.pointee, state)
    var changed = unsafe methods.pointee
    unsafe changed.xWrite = { file, bytes, count, offset in
      unsafe FaultyFile.of(file)?.write(bytes, count, offset) ?? SQLITE_MISUSE
    }
    unsafe changed.xTruncate = { file, size in
      unsafe FaultyFile.of(file)?.truncate(size) ?? SQLITE_MISUSE
    }
    unsafe changed.xSync = { file, flags in
      unsafe FaultyFile.of(file)?.sync(flags) ?? SQLITE_MISUSE
    }
    unsafe changed.xClose = { file in unsafe FaultyFile.of(file)?.close() ?? SQLITE_MISUSE }
    unsafe wrapped.table.initialize(
      to: Table(methods: changed, owner: Unmanaged.passUnretained(wrapped)))
    unsafe file.pointee.pMethods = UnsafeRawPointer(wrapped.table)
      .assumingMemoryBound(to: sqlite3_io_methods.self)
    state.files.append(wrapped)
  }

  private static func of(_ file: UnsafeMutablePointer<sqlite3_file>?) -> FaultyFile? {
    guard let methods = unsafe file?.pointee.pMethods else { return nil }
    let table = unsafe UnsafeRawPointer(methods).assumingMemoryBound(to: Table.self)
    return unsafe table.pointee.owner.takeUnretainedValue()
  }

  private var size: Int64 {
    var size: Int64 = 0
    _ = unsafe original.xFileSize?(file, &size)
    return size
  }

  private func write(_ bytes: UnsafeRawPointer?, _ count: Int32, _ offset: Int64) -> Int32 {
    let before = size
    let refusal = state.verdict(.write, grows: offset + Int64(count) > before)
    let length = refusal == nil ? count : state.plan?.tears == true ? count / 2 : 0
    if length > 0 {
      remember(from: offset, to: min(before, offset + Int64(length)), size: before)
      let code = unsafe original.xWrite?(file, bytes, length, offset) ?? SQLITE_MISUSE
      if code != SQLITE_OK { return code }
    }
    return refusal ?? SQLITE_OK
  }

  private func truncate(_ newSize: Int64) -> Int32 {
    if let refusal = state.verdict(.truncate, grows: false) { return refusal }
    let before = size
    remember(from: newSize, to: before, size: before)
    return unsafe original.xTruncate?(file, newSize) ?? SQLITE_MISUSE
  }

  private func sync(_ flags: Int32) -> Int32 {
    if let refusal = state.verdict(.sync, grows: false) { return refusal }
    let code = unsafe original.xSync?(file, flags) ?? SQLITE_MISUSE
    if code == SQLITE_OK { unsynced = [] }
    return code
  }

  private func close() -> Int32 {
    let code = unsafe original.xClose?(file) ?? SQLITE_MISUSE
    state.files.removeAll { $0 === self }
    return code
  }

  private func remember(from start: Int64, to end: Int64, size: Int64) {
    var old = [UInt8](repeating: 0, count: Int(max(0, end - start)))
    if !old.isEmpty {
      _ = unsafe original.xRead?(file, &old, Int32(old.count), start)
    }
    unsynced.append(Change(size: size, offset: start, bytes: old))
  }

  /// Takes unsynced changes back, the latest first, but for the first `kept`.
  func undo(keeping kept: Int) {
    while unsynced.count > kept, let change = unsynced.popLast() {
      if !change.bytes.isEmpty {
        _ = unsafe original.xWrite?(file, change.bytes, Int32(change.bytes.count), change.offset)
      }
      _ = unsafe original.xTruncate?(file, change.size)
    }
    unsynced = []
  }
}
