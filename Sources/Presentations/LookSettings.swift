public import TimeExpressions

/// How texts are written for one reader.
public struct LookSettings: Sendable {
  /// What becomes of texts that change with time.
  public enum Ticking: Sendable {
    /// `04:59`, which changes by itself.
    case texts
    /// `18:30`, the date that a countdown leads to or a stopwatch counts from: for a reader that
    /// cannot be updated in silence.
    case clockTimes
  }

  /// The zone of dates.
  public var zone: TimeZoneRules
  /// What becomes of texts that change with time.
  public var ticking: Ticking
  /// The data directories (`$XDG_DATA_HOME`, `$XDG_DATA_DIRS`), below which pictures and sounds may
  /// be named by their path.
  public var dataDirectories: [String]

  /// Settings for one reader.
  public init(
    zone: TimeZoneRules, ticking: Ticking = .texts,
    dataDirectories: [String] = ["/usr/local/share", "/usr/share"]
  ) {
    self.zone = zone
    self.ticking = ticking
    self.dataDirectories = dataDirectories
  }
}
