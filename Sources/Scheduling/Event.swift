public import LiveActivity

/// Where the text of an alert stands.
public struct AlertSource: Hashable, Sendable {
  /// A field of an event's payload.
  public enum Field: UInt8, Sendable {
    /// What is told at the start.
    case startAlert
    /// What is told at an end that comes by itself.
    case endAlert
    /// What an update or an end brings.
    case alert
    /// What is told at the start, some time before it.
    case reminder
  }

  /// The event that holds it.
  public var row: Int64
  /// The field of its payload.
  public var field: Field

  /// A place.
  public init(row: Int64, field: Field) {
    self.row = row
    self.field = field
  }
}

/// One change that the core decided on: the fixed fields. The payloads go beside it.
public struct Event: Hashable, Sendable {
  /// Its number.
  public var sequence: Int64
  /// What happened.
  public var kind: EventKind
  /// When.
  public var at: ClockReading
  /// The event before it of the same session; of a `scheduled`, the last of the ID's session
  /// before.
  public var previous: Int64 = 0
  /// When it was due, where time caused it.
  public var due: WallTime?
  /// Whose request caused it.
  public var by: UserID?
  /// The session as it is now, where the event is about one.
  public var session: Session?
  /// The state before.
  public var from: ActivityState?
  /// Why the session left the stage.
  public var reason: Reason?
  /// How late, in microseconds.
  public var lateness: Int64?
  /// Whether content is part of what an end changed.
  public var hasContent = false
  /// Whether the dates of start and end are part of what changed.
  public var hasDates = false
  /// What is to be shown, where it stands.
  public var alert: AlertSource?
  /// The alert that it is about.
  public var alertSequence: Int64?
  /// What became of that alert.
  public var outcome: AlertOutcome?
  /// Whether requests are taken from here on.
  public var enabled: EnabledChange?
  /// By how much the wall clock was set, in microseconds.
  public var step: Int64?
  /// The event that holds the request which an occurrence of a series is made of.
  public var template: Int64?
  /// The date that was left out of a series.
  public var skipped: WallTime?
  /// The planned update that it applies.
  public var planned: PlannedSource?

  init(sequence: Int64, kind: EventKind, at: ClockReading) {
    self.sequence = sequence
    self.kind = kind
    self.at = at
  }
}

/// A planned update that is applied.
public struct PlannedSource: Hashable, Sendable {
  /// The event that holds it.
  public var row: Int64
  /// The event that held the content before.
  public var contentBefore: Int64
  /// Whether content is merged: then what it leads to has yet to be written.
  public var isMerged: Bool
}

/// What `setEnabled` is about.
public struct EnabledKey: Hashable, Sendable {
  /// Whose requests.
  public var owner: UserID
  /// Those of this attributes type; nil with no application is all.
  public var attributesType: String?
  /// Those of this application.
  public var application: String?

  /// A key.
  public init(owner: UserID, attributesType: String? = nil, application: String? = nil) {
    self.owner = owner
    self.attributesType = attributesType
    self.application = application
  }
}

/// Requests of a kind are taken, or refused, from here on.
public struct EnabledChange: Hashable, Sendable {
  /// Which requests.
  public var key: EnabledKey
  /// Whether they are taken.
  public var isEnabled: Bool

  /// A change.
  public init(key: EnabledKey, isEnabled: Bool) {
    self.key = key
    self.isEnabled = isEnabled
  }
}
