/// One event as it is kept: a row of the table `events`, the only durable fact there is.
///
/// What happened stands in columns that a person can read; what the session then looked like is
/// `fields`, packed by the core and opaque here; what changed is `body`, JSON text.
public struct EventRow: Hashable, Sendable {
  /// The event's number: one more than the one before it, never used twice within a store.
  public var sequence: Int64
  /// The row of the same session before this one; of a `scheduled` row the last row of the ID's
  /// previous session; 0 if there is none.
  public var previous: Int64
  /// The number of the session's `scheduled` row, which names the session; 0 if the event is about
  /// no session.
  public var first: Int64
  /// The Activity ID in UTF-8: of a `scheduled` row only.
  public var id: [UInt8]
  /// The user that the session or the event belongs to.
  public var owner: UInt32?
  /// The session's number among those of its ID; 0 if the event is about none.
  public var number: Int64
  /// What happened: the raw value of an event kind.
  public var kind: UInt8
  /// When, in microseconds since 1970.
  public var date: Int64
  /// When it was due, in microseconds since 1970.
  public var due: Int64?
  /// The user whose request caused it.
  public var by: UInt32?
  /// The state it found; nil unless it is a transition.
  public var from: UInt8?
  /// The state that the session is in after it; nil: as before.
  public var to: UInt8?
  /// Why the session left the stage.
  public var reason: UInt8?
  /// How late it came, in microseconds.
  public var lateness: Int64?
  /// The row that holds the text of the alert which this event carries.
  public var alertRow: Int64?
  /// Which of that row's texts it is.
  public var alertField: UInt8?
  /// The number of the event whose alert this one is about.
  public var alertSequence: Int64?
  /// What became of that alert.
  public var outcome: UInt8?
  /// By how many microseconds the wall clock was set.
  public var step: Int64?
  /// The row that holds the content state which this event set; its own number, or that of an
  /// earlier row (also another session's) where many share one text.
  public var contentRow: Int64?
  /// The session's fixed fields after the event; empty if it left them as they were.
  public var fields: [UInt8]
  /// What changed, as JSON text; empty if nothing but the state did.
  public var body: [UInt8]

  /// An event of which nothing is known but number, kind and date (microseconds since 1970).
  public init(sequence: Int64, kind: UInt8, date: Int64) {
    self.sequence = sequence
    self.kind = kind
    self.date = date
    previous = 0
    first = 0
    id = []
    number = 0
    fields = []
    body = []
  }

  /// Whether it is the first of its session, the `scheduled` one.
  public var opensSession: Bool { first == sequence }
}
