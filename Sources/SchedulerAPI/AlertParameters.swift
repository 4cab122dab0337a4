public import JSON
public import LiveActivity

/// `ConfirmAlert`: what an agent did with an alert, for the person it runs for.
public struct ConfirmAlertParameters: SchedulerCall {
  /// The alert: the event that carries it.
  public var sequence: Int64
  /// Whether it was shown; otherwise that failed.
  public var wasShown: Bool
  /// On whose terminal it was shown, by somebody who may act for others: then nothing is settled.
  public var person: UserID?

  /// Confirms that alert.
  public init(sequence: Int64, wasShown: Bool) {
    self.sequence = sequence
    self.wasShown = wasShown
  }

  /// What became of the alert.
  public var outcome: AlertOutcome { wasShown ? .shown : .failed }

  /// What `ConfirmAlert` replies.
  public typealias Reply = EmptyReply
  /// The method's full name.
  public static let method = SchedulerMethod.confirmAlert.name

  private enum Key: Int, FieldKey {
    case sequence, outcome, person
    static let names = fieldNames()
  }

  /// Reads the parameters.
  public init(decoding parameters: JSONNode) throws(SchedulerError) {
    let fields = try FieldReader<Key>(call: parameters)
    sequence = try fields.required(.sequence, fields.int(.sequence))
    let outcome: ConfirmedOutcome = try fields.required(.outcome, fields.choice(.outcome))
    wasShown = outcome == .shown
    person = try fields.user(.person)
  }

  /// Writes the members.
  public func encode(_ writer: inout JSONWriter) {
    writer.member("sequence", sequence)
    writer.member("outcome", wasShown ? ConfirmedOutcome.shown : .failed)
    writer.member("person", person)
  }
}

/// `SnoozeAlert`: puts an alert off.
public struct SnoozeAlertParameters: SchedulerCall {
  /// The alert: the event that carries it.
  public var sequence: Int64
  /// For how long.
  public var span: TimeSpan

  /// Puts that alert off.
  public init(sequence: Int64, span: TimeSpan) {
    self.sequence = sequence
    self.span = span
  }

  /// The method's full name.
  public static let method = SchedulerMethod.snoozeAlert.name

  private enum Key: Int, FieldKey {
    case sequence, forUSec
    static let names = fieldNames()
  }

  /// Reads the parameters.
  public init(decoding parameters: JSONNode) throws(SchedulerError) {
    let fields = try FieldReader<Key>(call: parameters)
    sequence = try fields.required(.sequence, fields.int(.sequence))
    span = try fields.required(.forUSec, fields.span(.forUSec))
  }

  /// Writes the members.
  public func encode(_ writer: inout JSONWriter) {
    writer.member("sequence", sequence)
    writer.member("forUSec", span)
  }

  /// What `SnoozeAlert` replies.
  public struct Reply: SchedulerReply {
    /// When it comes again.
    public var date: WallTime

    /// A reply.
    public init(date: WallTime) { self.date = date }

    private enum Key: Int, FieldKey {
      case date
      static let names = fieldNames()
    }

    /// Reads the parameters.
    public init(decoding parameters: JSONNode) throws(SchedulerError) {
      let fields = try FieldReader<Key>(reply: parameters)
      date = try fields.required(.date, fields.date(.date))
    }

    /// Writes the members.
    public func encode(_ writer: inout JSONWriter) { writer.member("date", date) }
  }
}
