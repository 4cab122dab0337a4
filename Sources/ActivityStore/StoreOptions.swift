/// How a store is opened.
public struct StoreOptions: Sendable {
  /// What to do with a file that is damaged.
  public enum OnDamage: Sendable {
    /// Rename it and start afresh.
    case setAside
    /// Leave it and refuse to open.
    case refuse
  }

  /// Bytes kept back for the day when the disk is full; 0 keeps none.
  public var reserveBytes: Int64 = 16 << 20
  /// What to do with a damaged file.
  public var onDamage = OnDamage.setAside
  /// Whether a network file system is warned about instead of refused.
  public var allowsNetworkFileSystem = false
  /// Files up to this many bytes are checked as they are opened (`PRAGMA quick_check`).
  public var checkedBytes: Int64 = 64 << 20
  /// WAL frames (pages of 4 KiB) at which a checkpoint is due, and for which the WAL file is made
  /// long enough at once.
  public var logFrames = 1000
  /// Another VFS than the default one.
  package var vfs: String?

  /// The defaults: 16 MiB reserve, set damage aside, refuse network file systems.
  public init() {}
}

/// What was found and done as a store was opened.
public struct OpenReport: Hashable, Sendable {
  /// Whether the file is new.
  public var isNew = false
  /// Where a damaged file was set aside, which then is lost to the store, and what was wrong.
  public var setAside: SetAside?
  /// The schema version that the file had before it was migrated; nil if it was not.
  public var migratedFrom: Int64?
  /// Whether all of the file was checked.
  public var wasChecked = false
  /// Whether the reserve for a full disk is there.
  public var hasReserve = false
  /// One line each on what an administrator should know: a volatile file system, a failed reserve.
  public var warnings: [String] = []

  /// A damaged file that was renamed.
  public struct SetAside: Hashable, Sendable {
    /// Its new path; the WAL file stands beside it.
    public var path: String
    /// What was wrong with it.
    public var why: String
  }
}
