internal import CSQLite

/// What SQLite refused: result codes, text and, where the system was the cause, its errno.
///
/// Codes and their meaning: <https://sqlite.org/rescode.html>.
public struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A primary result code (the low eight bits of an extended one).
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// SQLite's number.
    public let rawValue: Int32

    /// Takes SQLite's number.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// `SQLITE_ERROR`: SQL that does not parse, a missing table.
    public static let error = Code(rawValue: SQLITE_ERROR)
    /// `SQLITE_BUSY`: another connection holds the lock.
    public static let busy = Code(rawValue: SQLITE_BUSY)
    /// `SQLITE_LOCKED`: a conflict within this connection.
    public static let locked = Code(rawValue: SQLITE_LOCKED)
    /// `SQLITE_NOMEM`.
    public static let outOfMemory = Code(rawValue: SQLITE_NOMEM)
    /// `SQLITE_READONLY`: the file or its directory cannot be written.
    public static let readOnly = Code(rawValue: SQLITE_READONLY)
    /// `SQLITE_INTERRUPT`: `Interrupter.interrupt()` was called.
    public static let interrupted = Code(rawValue: SQLITE_INTERRUPT)
    /// `SQLITE_IOERR`: see `systemError`.
    public static let io = Code(rawValue: SQLITE_IOERR)
    /// `SQLITE_CORRUPT`: the file is damaged.
    public static let corrupt = Code(rawValue: SQLITE_CORRUPT)
    /// `SQLITE_FULL`: the disk, the quota or `max_page_count`.
    public static let full = Code(rawValue: SQLITE_FULL)
    /// `SQLITE_CANTOPEN`.
    public static let cannotOpen = Code(rawValue: SQLITE_CANTOPEN)
    /// `SQLITE_TOOBIG`: a value or statement above its limit.
    public static let tooBig = Code(rawValue: SQLITE_TOOBIG)
    /// `SQLITE_CONSTRAINT`: the extended code says which.
    public static let constraint = Code(rawValue: SQLITE_CONSTRAINT)
    /// `SQLITE_MISUSE`: the caller broke the order of calls.
    public static let misuse = Code(rawValue: SQLITE_MISUSE)
    /// `SQLITE_RANGE`: no parameter has that number.
    public static let range = Code(rawValue: SQLITE_RANGE)
    /// `SQLITE_NOTADB`: the file is not a database.
    public static let notADatabase = Code(rawValue: SQLITE_NOTADB)
  }

  /// The primary code: what to branch on.
  public let code: Code
  /// The extended code, `SQLITE_IOERR_FSYNC` for one.
  public let extendedCode: Int32
  /// The errno behind it; 0 if the system was not the cause.
  public let systemError: Int32
  /// SQLite's own words.
  public let message: String
  /// What was being done: a call's name, the SQL or the file.
  public let context: String

  /// Puts an error together; for callers that refuse on SQLite's behalf, and for tests.
  public init(
    extendedCode: Int32, systemError: Int32 = 0, message: String, context: String = ""
  ) {
    self.code = Code(rawValue: extendedCode & 0xff)
    self.extendedCode = extendedCode
    self.systemError = systemError
    self.message = message
    self.context = context
  }

  /// Whether the file itself is damaged or no database at all.
  public var isDamage: Bool { code == .corrupt || code == .notADatabase }

  /// One line: message, code, errno, context.
  public var description: String {
    var line = "\(message) (SQLite code \(extendedCode)"
    if systemError != 0 { line += ", errno \(systemError)" }
    line += ")"
    if !context.isEmpty { line += ": \(context)" }
    return line
  }
}
