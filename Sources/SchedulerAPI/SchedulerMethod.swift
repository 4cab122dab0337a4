import JSON
public import Varlink

/// The methods of `io.lasched.LiveActivities`.
public enum SchedulerMethod: Int, CaseIterable, Sendable {
  /// Creates a session.
  case request
  /// Changes when a live session starts or ends.
  case reschedule
  /// Changes content.
  case update
  /// Ends a session.
  case end
  /// Takes it away, whatever its state.
  case cancel
  /// Cuts off remote updates.
  case stop
  /// A person took it off their screen.
  case dismiss
  /// A person used an action.
  case act
  /// Reads one session.
  case get
  /// Reads many.
  case list
  /// Reads past events.
  case history
  /// Watches.
  case monitor
  /// Tells what became of an alert.
  case confirmAlert
  /// Puts an alert off.
  case snoozeAlert
  /// Takes or refuses later requests.
  case setEnabled
  /// Reads counts.
  case getStatus
  /// Leaves the next occurrence of a series out.
  case skip

  /// The full name.
  public var name: String { SchedulerMethod.names.names[rawValue] }

  private static let names = methodNames(
    SchedulerMethod.allCases.map { "\($0)" }, of: LiveActivitiesInterface.name)

  /// The method that a call names; nil for one of another interface, and for an unknown one.
  public init?(_ call: VarlinkCall) {
    guard let place = SchedulerMethod.names.place(of: call.methodNode) else { return nil }
    self.init(rawValue: place)
  }
}

/// The methods of `io.lasched.TestClock`.
public enum TestClockMethod: Int, CaseIterable, Sendable {
  /// Reads the clocks.
  case now
  /// Moves both by a span.
  case advance
  /// Moves both up to a date.
  case advanceTo
  /// Moves both up to the next deadline.
  case advanceToNext
  /// Sets the wall clock.
  case step
  /// Sleeps.
  case suspend
  /// Changes the zone.
  case setZone
  /// Lets nothing wake the machine, or lets it be woken.
  case setWakeProblem
  /// Lets commits fail.
  case failNextCommits

  /// The full name.
  public var name: String { TestClockMethod.names.names[rawValue] }

  private static let names = methodNames(
    TestClockMethod.allCases.map { "\($0)" }, of: TestClockInterface.name)

  /// The method that a call names; nil for one of another interface, and for an unknown one.
  public init?(_ call: VarlinkCall) {
    guard let place = TestClockMethod.names.place(of: call.methodNode) else { return nil }
    self.init(rawValue: place)
  }
}

/// The cases' names as the interface writes them: with a capital.
func methodNames(_ cases: [String], of interface: String) -> JSONFieldNames {
  JSONFieldNames(cases.map { interface + "." + $0.prefix(1).uppercased() + $0.dropFirst() })
}
