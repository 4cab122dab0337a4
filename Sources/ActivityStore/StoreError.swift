/// Why the store could not do what it was asked.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is: what to branch on.
  public struct Code: Hashable, Sendable {
    private enum Kind: UInt8 {
      case inUse, cannotCreate, unsuitable, damaged, newerSchema, full, readOnly, busy, io, misuse
    }
    private let kind: Kind
    private init(_ kind: Kind) { self.kind = kind }

    /// Another process holds the state directory (exit status 75).
    public static let inUse = Code(.inUse)
    /// The directory or a file in it could not be made or opened (73).
    public static let cannotCreate = Code(.cannotCreate)
    /// The file system cannot keep a database safe (73).
    public static let unsuitable = Code(.unsuitable)
    /// The file is damaged or not the store's (74).
    public static let damaged = Code(.damaged)
    /// The file was written by a newer program and stays untouched (78).
    public static let newerSchema = Code(.newerSchema)
    /// The disk or the quota is full: give up the reserve and try again.
    public static let full = Code(.full)
    /// The file or its file system can only be read.
    public static let readOnly = Code(.readOnly)
    /// Another program writes to the file just now: try again.
    public static let busy = Code(.busy)
    /// The system failed to read or write: try again after a pause.
    public static let io = Code(.io)
    /// The caller broke the order of calls; nothing was stored.
    public static let misuse = Code(.misuse)
  }

  /// What to branch on.
  public let code: Code
  /// SQLite's extended result code (<https://sqlite.org/rescode.html>); 0 if SQLite had no part.
  public let sqliteCode: Int32
  /// The errno behind it; 0 if there is none.
  public let systemError: Int32
  /// The schema version found, with `newerSchema`.
  public let found: Int64?
  /// One line: what was wrong, with which value, what would be right.
  public let description: String

  /// An error of the store, or of what a caller read from it; `description` is the one line.
  public init(
    _ code: Code, _ description: String, sqliteCode: Int32 = 0, systemError: Int32 = 0,
    found: Int64? = nil
  ) {
    self.code = code
    self.sqliteCode = sqliteCode
    self.systemError = systemError
    self.found = found
    self.description = description
  }
}
