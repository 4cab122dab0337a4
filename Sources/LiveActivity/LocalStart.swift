/// A start as the clocks on a wall show it: what a request asks for.
public struct WallStart: Hashable, Sendable {
  /// The wall time, `2026-12-01T18:30:00`: RFC 3339 without an offset.
  public var local: String
  /// The zone, by its name in tzdata; nil is the machine's at that time, unless it floats.
  public var zone: String?
  /// Whether it follows the machine's zone, whichever that is when it comes.
  public var isFloating: Bool
  /// Whether, of a time that clocks show twice, the second is meant.
  public var isSecond: Bool

  /// A wall time.
  public init(
    local: String, zone: String? = nil, isFloating: Bool = false, isSecond: Bool = false
  ) {
    self.local = local
    self.zone = zone
    self.isFloating = isFloating
    self.isSecond = isSecond
  }
}

/// A wall time that became a start date: the intent beside the instant; the interface's `LocalStart`.
public struct LocalStart: Hashable, Sendable {
  /// What was asked for; its zone is the one that it was read in.
  public var wall: WallStart
  /// The version of the tzdata that it was read by, `2026b`; nil where that is not known.
  public var tzdata: String?
  /// By how much the time was moved since clocks skip it, in microseconds.
  public var movedMicroseconds: Int64?
  /// Whether clocks show that time twice.
  public var isTwice: Bool

  /// A wall time that was read in its zone.
  public init(
    _ wall: WallStart, tzdata: String? = nil, movedMicroseconds: Int64? = nil, isTwice: Bool = false
  ) {
    self.wall = wall
    self.tzdata = tzdata
    self.movedMicroseconds = movedMicroseconds
    self.isTwice = isTwice
  }
}

/// Why a start moved by itself.
public enum MoveCause: UInt8, CaseIterable, Sendable {
  /// The machine has another zone.
  case zone
  /// The zone has other rules.
  case tzdata
}
