public import JSON
public import LiveActivity

/// `Now`: reads the clocks of a daemon with `--test-clock`.
public struct TestClockNow: SchedulerCall {
  /// No parameters.
  public init() {}

  /// The method's full name.
  public static let method = TestClockMethod.now.name

  private enum Key: Int, FieldKey {
    case wall, boottimeUSec
    static let names = fieldNames()
  }

  /// Reads no parameters.
  public init(decoding parameters: JSONNode) throws(SchedulerError) {
    guard parameters.kind == .object else { throw .invalidParameter("parameters") }
    for member in parameters.members { throw .invalidParameter(member.key.string ?? "") }
  }

  /// Writes nothing.
  public func encode(_ writer: inout JSONWriter) {}

  /// What `Now` replies.
  public struct Reply: SchedulerReply {
    /// Both clocks.
    public var clocks: ClockReading

    /// A reply.
    public init(clocks: ClockReading) { self.clocks = clocks }

    /// Reads the parameters.
    public init(decoding parameters: JSONNode) throws(SchedulerError) {
      let fields = try FieldReader<Key>(reply: parameters)
      let boottime = try fields.required(.boottimeUSec, fields.int(.boottimeUSec))
      clocks = ClockReading(
        wall: try fields.required(.wall, fields.date(.wall)),
        boottime: BootTime(microseconds: boottime))
    }

    /// Writes the members.
    public func encode(_ writer: inout JSONWriter) {
      writer.member("wall", clocks.wall)
      writer.member("boottimeUSec", clocks.boottime.microseconds)
    }
  }
}

/// How the clocks of a daemon with `--test-clock` move.
public enum TestClockMove: Hashable, Sendable {
  /// `Advance`: both by a span, deadline by deadline.
  case advance(by: TimeSpan)
  /// `AdvanceTo`: both up to a date, kept to the microsecond.
  case advanceTo(WallTime)
  /// `AdvanceToNext`: both up to the next deadline.
  case advanceToNext
  /// `Step`: the wall clock is set, forward or back.
  case step(by: TimeSpan)
  /// `Suspend`: both, noticed only at the end.
  case suspend(for: TimeSpan)
  /// `SetZone`: the system's zone becomes another.
  case setZone(String)
  /// `SetWakeProblem`: why nothing can wake the machine; nil where it can be woken.
  case setWakeProblem(String?)
  /// `FailNextCommits`: so many commits fail.
  case failNextCommits(Int64)

  /// The method that asks for it.
  public var method: TestClockMethod {
    switch self {
    case .advance: .advance
    case .advanceTo: .advanceTo
    case .advanceToNext: .advanceToNext
    case .step: .step
    case .suspend: .suspend
    case .setZone: .setZone
    case .setWakeProblem: .setWakeProblem
    case .failNextCommits: .failNextCommits
    }
  }

  private enum Key: Int, FieldKey {
    case byUSec, date, forUSec, zone, count, problem
    static let names = fieldNames()
  }

  /// Reads the parameters of a method that moves the clocks; nil for `Now`. Throws
  /// `InvalidParameter` with the path, or `InvalidDate`.
  public init?(_ method: TestClockMethod, decoding parameters: JSONNode) throws(SchedulerError) {
    let fields = try FieldReader<Key>(call: parameters)
    let allowed: Key?
    switch method {
    case .now: return nil
    case .advanceToNext:
      allowed = nil
      self = .advanceToNext
    case .advance:
      allowed = .byUSec
      self = .advance(by: try fields.required(.byUSec, fields.span(.byUSec)))
    case .advanceTo:
      allowed = .date
      self = .advanceTo(try fields.required(.date, fields.exactDate(.date)))
    case .step:
      allowed = .byUSec
      let span = try fields.required(.byUSec, fields.int(.byUSec))
      self = .step(by: TimeSpan(microseconds: span))
    case .suspend:
      allowed = .forUSec
      self = .suspend(for: try fields.required(.forUSec, fields.span(.forUSec)))
    case .setZone:
      allowed = .zone
      self = .setZone(try fields.required(.zone, fields.name(.zone)))
    case .setWakeProblem:
      allowed = .problem
      self = .setWakeProblem(try fields.string(.problem))
    case .failNextCommits:
      allowed = .count
      self = .failNextCommits(try fields.required(.count, fields.span(.count)).microseconds)
    }
    for key in Key.allCases where key != allowed { try fields.exclude(true, key) }
  }

  /// Writes the members of the method's parameters.
  public func encode(_ writer: inout JSONWriter) {
    switch self {
    case .advance(let span), .step(let span): writer.member("byUSec", span)
    case .advanceTo(let date): writer.member("date", date)
    case .advanceToNext: break
    case .suspend(let span): writer.member("forUSec", span)
    case .setZone(let zone): writer.member("zone", zone)
    case .setWakeProblem(let problem): writer.member("problem", problem)
    case .failNextCommits(let count): writer.member("count", count)
    }
  }
}

/// What each move replies, once all that became due has happened, is durable and was told.
public struct TestClockReply: SchedulerReply {
  /// The wall clock.
  public var wall: WallTime
  /// How many events there were.
  public var events: Int64
  /// The last event's number.
  public var sequence: Int64

  /// A reply.
  public init(wall: WallTime, events: Int64, sequence: Int64) {
    self.wall = wall
    self.events = events
    self.sequence = sequence
  }

  private enum Key: Int, FieldKey {
    case wall, events, sequence
    static let names = fieldNames()
  }

  /// Reads the parameters.
  public init(decoding parameters: JSONNode) throws(SchedulerError) {
    let fields = try FieldReader<Key>(reply: parameters)
    wall = try fields.required(.wall, fields.date(.wall))
    events = try fields.required(.events, fields.int(.events))
    sequence = try fields.required(.sequence, fields.int(.sequence))
  }

  /// Writes the members.
  public func encode(_ writer: inout JSONWriter) {
    writer.member("wall", wall)
    writer.member("events", events)
    writer.member("sequence", sequence)
  }
}
