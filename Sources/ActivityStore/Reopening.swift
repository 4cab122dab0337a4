public import LiveActivity

extension ActivityStore {
  /// Closes the file and opens it anew, checked as a whole: after `damaged`, to learn whether the
  /// file or only this process's view of it is broken; after `io`, to learn what reached the disk.
  ///
  /// If the report tells of nothing set aside, all that was committed is there; otherwise the store
  /// is new and empty. In both cases memory must be rebuilt with `load`. If it throws, the store
  /// stays closed, and every call throws until a `reopen` succeeds; the directory stays locked.
  ///
  /// `damage` is what the caller found wrong with what it read: then the file is taken for damaged
  /// even if SQLite finds it sound, and set aside or refused as the options say.
  public func reopen(
    now: WallTime, damage: String? = nil
  ) throws(StoreError) -> OpenReport {
    rollback()
    database = nil
    var report = OpenReport()
    let opening = Opening(
      directory: directory, options: options, now: now, migrations: Schema.migrations)
    try adopt(try opening.open(checkingAll: true, damage: damage, &report))
    report.hasReserve = hasReserve
    return report
  }
}
