/// What a person is told some time before the start; the interface's `Reminder`.
public struct Reminder: Hashable, Sendable {
  /// What has become of a reminder.
  public enum State: UInt8, CaseIterable, Sendable {
    /// It is still to come.
    case ahead
    /// The person was told.
    case told
    /// It was past already, or another one told the same.
    case skipped

    /// The name in the interface.
    public var name: String {
      switch self {
      case .ahead: "ahead"
      case .told: "told"
      case .skipped: "skipped"
      }
    }
  }

  /// How long before the start.
  public var before: TimeSpan
  /// The date that it comes to.
  public var date: WallTime
  /// What has become of it.
  public var state: State

  /// A reminder.
  public init(before: TimeSpan, date: WallTime, state: State) {
    self.before = before
    self.date = date
    self.state = state
  }

  /// The most that an activity may have.
  public static let most = 16
}

extension Alert {
  /// The start alert as it is told before the start: the distance first, then what it says.
  public func reminding(of distance: TimeSpan) -> Alert {
    let words = "in \(distance.inWords)"
    let longest = 2048 - words.utf8.count - 1
    var text = body[...]
    while text.utf8.count > longest { text = text.dropLast() }
    let told = text.isEmpty ? words : "\(words)\n\(text)"
    return (try? Alert(title: title, body: told, sound: sound, urgency: urgency)) ?? self
  }
}

extension TimeSpan {
  /// The span as people say it, its two largest units: `2d 4h`, `1h 30min`, `10min`, `45s`; rounded
  /// to the nearest second, or to the nearest minute from an hour on.
  public var inWords: String {
    var seconds = (max(0, microseconds).addingClamped(500_000)) / 1_000_000
    if seconds >= 3600 { seconds = (seconds + 30) / 60 * 60 }
    let units: [(Int64, String)] = [(86_400, "d"), (3600, "h"), (60, "min"), (1, "s")]
    guard let first = units.firstIndex(where: { seconds >= $0.0 }) else { return "0s" }
    var words: [String] = []
    for (size, name) in units[first...].prefix(2) {
      let count = seconds / size
      seconds %= size
      if count > 0 { words.append("\(count)\(name)") }
    }
    return words.joined(separator: " ")
  }
}
