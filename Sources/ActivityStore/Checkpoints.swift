import SQLite

/// What one step of checkpointing did.
public struct CheckpointStep: Hashable, Sendable {
  /// Frames in the WAL before the step.
  public let frames: Int
  /// Whether all of them are in the database file now, so that the WAL starts over.
  public let isComplete: Bool
}

extension ActivityStore {
  /// Frames in the WAL after the last commit.
  public var logFrames: Int { database?.connection.walFrameCount ?? 0 }

  /// Copies the WAL into the database file once it has `logFrames` frames; nil before that.
  ///
  /// Called after each commit this bounds a checkpoint by those 1 000 pages and the last
  /// transaction's; the file itself is kept and reused. Only another program that reads for long
  /// keeps it from starting over: then it grows until the reader is gone, and is tried again each
  /// quarter of that length.
  @discardableResult
  public func checkpointStep() throws(StoreError) -> CheckpointStep? {
    let connection = try opened().connection
    let due = max(1, options.logFrames)
    let frames = connection.walFrameCount
    if frames < due { nextCheckpoint = due }
    guard frames >= max(due, nextCheckpoint), !isInTransaction else { return nil }
    nextCheckpoint = frames + max(1, due / 4)
    let result = try translating { () throws(SQLiteError) in try connection.checkpoint(.passive) }
    return CheckpointStep(
      frames: result.logFrames,
      isComplete: !result.wasBlocked && result.checkpointedFrames == result.logFrames)
  }
}
