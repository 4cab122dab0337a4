public import LiveActivity

/// How an activity looks at one time: plain text for every place in which it can be shown, to be
/// escaped for its reader by whoever writes it there.
public struct Look: Hashable, Sendable {
  /// How much it may interrupt.
  public enum Urgency: String, CaseIterable, Hashable, Sendable {
    /// It may wait.
    case low
    /// As anything else.
    case normal
    /// At once, whatever the person does.
    case critical
  }

  /// Something the person can do with it.
  public struct Action: Hashable, Sendable {
    /// The name, as the interface's `Act` takes it.
    public var name: String
    /// What the button says.
    public var label: String
    /// A program and its arguments, to be run as the person, without a shell. Only ever from a
    /// presentation file; of a payload at most single words, never the program.
    public var command: [String]?
    /// Whether the activity itself has this action, so that the daemon takes `Act` with its name.
    public var isDeclared: Bool
  }

  /// The first line. Never empty. The event's alert says it if there is one, else `Title=`.
  public var title: String
  /// What stands below; may be empty or several lines. Of an alert its body, and below it what
  /// `Body=` says of content, if that is something else.
  public var body: String
  /// Left in a bar, beside the icon; may be empty.
  public var compactLeading: String
  /// Right of it; may be empty.
  public var compactTrailing: String
  /// The least of it, for one activity of several.
  public var minimal: String
  /// The lines of a card, below its title; the progress is not among them.
  public var expanded: [String]
  /// How far it is, 0 to 1.
  public var progress: Double?
  /// A picture.
  public var icon: MediaName?
  /// `#rrggbb`.
  public var tint: String?
  /// What is opened when it is clicked: any scheme; which ones are opened is the opener's choice.
  public var url: String?
  /// A sound; nil for none.
  public var sound: MediaName?
  /// How much it may interrupt.
  public var urgency: Urgency
  /// What the person can do.
  public var actions: [Action]
  /// When what stands in a place becomes another text by itself; without those that never do so.
  /// Other changes come from the daemon only.
  public var ticks: [Place: WallTime]

  /// The places of a look, by where they are shown.
  public enum Place: CaseIterable, Hashable, Sendable {
    /// `title`.
    case title
    /// `body`.
    case body
    /// `compactLeading` and `compactTrailing`.
    case compact
    /// `minimal`.
    case minimal
    /// `expanded`.
    case expanded
    /// `progress`.
    case progress
    /// All else: icon, tint, address, urgency, actions.
    case others
  }

  /// When one of these places becomes another by itself; nil while nothing in them ticks. Ask for
  /// the places that are shown: in most looks the compact ones tick, and title and body do not.
  public func nextTick(_ places: Place...) -> WallTime? { places.compactMap { ticks[$0] }.min() }

  /// When anything of it becomes another by itself.
  public var nextTick: WallTime? { ticks.values.min() }
}
