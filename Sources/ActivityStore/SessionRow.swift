/// What the store knows of one session after its last event: a row of `sessions`, brought up to
/// date by what is not folded yet.
public struct SessionRow: Hashable, Sendable {
  /// The number of its `scheduled` row, which names the session.
  public var first: Int64
  /// The Activity ID in UTF-8.
  public var id: [UInt8]
  /// The user it belongs to.
  public var owner: UInt32
  /// Its number among the sessions of its ID.
  public var number: Int64
  /// Its state: the raw value of an activity state.
  public var state: UInt8
  /// Its last row.
  public var last: Int64
  /// The date of that row, in microseconds since 1970.
  public var date: Int64
  /// The fixed fields, as the core packed them last.
  public var fields: [UInt8]

  /// A session's row.
  public init(
    first: Int64, id: [UInt8], owner: UInt32, number: Int64, state: UInt8, last: Int64,
    date: Int64, fields: [UInt8]
  ) {
    self.first = first
    self.id = id
    self.owner = owner
    self.number = number
    self.state = state
    self.last = last
    self.date = date
    self.fields = fields
  }
}
