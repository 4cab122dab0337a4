import JSON
public import LiveActivity

/// An enumeration of the interface: its raw values count its names.
protocol Choice: RawRepresentable<UInt8>, CaseIterable, Sendable {
  static var names: JSONFieldNames { get }
}

extension Choice {
  static func choiceNames() -> JSONFieldNames { JSONFieldNames(allCases.map { "\($0)" }) }

  /// The case that a string names; nil for any other value.
  init?(_ node: JSONNode) {
    guard let place = Self.names.place(of: node) else { return nil }
    self.init(rawValue: UInt8(truncatingIfNeeded: place))
  }
}

/// What `Request` does when a session of the ID is live.
public enum IfExists: UInt8, CaseIterable, Sendable, Choice {
  /// Refuses.
  case fail
  /// Leaves it, and succeeds.
  case keep
  /// Dismisses it and begins a new one.
  case replace
  /// Changes it to what is asked.
  case update
  static let names = choiceNames()
}

/// Which of two times is meant.
enum OfTwo: UInt8, Choice {
  case first, second
  static let names = choiceNames()
}

enum DismissalChoice: UInt8, Choice {
  case immediate, `default`, after
  static let names = choiceNames()
}

/// The outcomes that an agent may tell of an alert.
enum ConfirmedOutcome: UInt8, Choice {
  case shown, failed
  static let names = choiceNames()
}

extension ActivityState: Choice { static let names = choiceNames() }
extension MoveCause: Choice { static let names = choiceNames() }
extension Reason: Choice { static let names = choiceNames() }
extension EventKind: Choice { static let names = choiceNames() }
extension AlertOutcome: Choice { static let names = choiceNames() }
extension Reminder.State: Choice { static let names = choiceNames() }
extension PushKind: Choice { static let names = choiceNames() }
extension Alert.Urgency: Choice { static let names = choiceNames() }

extension JSONWriter {
  mutating func member<Value: Choice>(_ name: StaticString, _ value: Value?) {
    guard let value else { return }
    key(name)
    string(Value.names.names[Int(value.rawValue)])
  }

  mutating func member(_ name: StaticString, _ date: WallTime?) {
    guard let date else { return }
    key(name)
    date.withRFC3339 { string(plain: $0) }
  }

  mutating func member(_ name: StaticString, _ span: TimeSpan?) {
    member(name, span?.microseconds)
  }

  mutating func member(_ name: StaticString, _ user: UserID?) {
    member(name, user.map { Int64($0.rawValue) })
  }

  /// A flag that is only written where it is set.
  mutating func flag(_ name: StaticString, _ value: Bool) {
    if value { member(name, true) }
  }
}
