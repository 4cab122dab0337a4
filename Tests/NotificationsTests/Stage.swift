import JSON
import LiveActivity
import Notifications
import Presentations
import TimeExpressions

/// An agent in mocked time, with what it wanted done.
struct Stage {
  var agent: NotifyAgent
  var now: ClockReading
  /// All that it wanted done since this was last emptied.
  var done: [AgentEffect] = []
  private var sequence: Int64 = 100

  static let reader = UserID(1000)
  static let store = "store-a"
  /// 2026-12-01T12:00:00Z.
  static let noon: Int64 = 1_796_126_400_000_000

  init(
    _ change: (inout NotifySettings) -> Void = { _ in },
    presentations: [String: String] = [:], notes: [AlertKey: AlertNote] = [:]
  ) {
    now = ClockReading(
      wall: WallTime(microseconds: Stage.noon), boottime: BootTime(microseconds: 1_000_000_000))
    var settings = NotifySettings()
    change(&settings)
    var library = PresentationLibrary()
    for (type, text) in presentations { library.add(path: "/x/\(type).conf", text: text) }
    let context = NotifyContext(
      reader: Stage.reader, library: library, look: LookSettings(zone: .utc), settings: settings,
      userName: { $0 == .root ? "root" : "mallory" })
    agent = NotifyAgent(context, notes: notes, at: now)
  }

  /// One that follows the system's daemon and has a server.
  static func ready(
    _ server: NotificationServer = .full, _ change: (inout NotifySettings) -> Void = { _ in },
    presentations: [String: String] = [:]
  ) -> Stage {
    var stage = Stage(change, presentations: presentations)
    stage.hear(.ready(.system, store: store, resumed: false))
    stage.hear(.server(server))
    stage.pass(seconds: 5)
    stage.done = []
    return stage
  }

  @discardableResult
  mutating func hear(_ input: AgentInput) -> [AgentEffect] {
    let effects = agent.take(input, at: now)
    done += effects
    return effects
  }

  /// Lets time pass, deadline by deadline.
  mutating func pass(seconds: Double) {
    let end = now.boottime.microseconds + Int64(seconds * 1_000_000)
    var steps = 0
    while let due = agent.nextDeadline, due <= end, steps < 100_000 {
      steps += 1
      move(to: max(due, now.boottime.microseconds))
      hear(.time)
    }
    move(to: end)
  }

  private mutating func move(to boottime: Int64) {
    let passed = boottime - now.boottime.microseconds
    now.boottime.microseconds += passed
    now.wall.microseconds += passed
  }

  // MARK: What happens

  /// An activity that is active since now.
  func activity(
    _ id: String, owner: UserID = Stage.reader, title: String = "", content: String = "{}",
    type: String = Activity.defaultAttributesType
  ) -> Activity {
    var activity = Activity(
      id: id, owner: owner, session: 1, sequence: 1, state: .active, attributesType: type,
      attributes: json(title.isEmpty ? "{}" : #"{"title":"\#(title)"}"#),
      content: Content(state: json(content)), createdDate: now.wall)
    activity.startDate = now.wall
    activity.startedDate = now.wall
    return activity
  }

  func json(_ text: String) -> JSONText { (try? JSONText(validating: text)) ?? .emptyObject }

  func event(_ kind: EventKind, _ activity: Activity, alert: Alert? = nil) -> ActivityEvent {
    var event = ActivityEvent(sequence: 0, date: now.wall, kind: kind)
    event.id = activity.id
    event.owner = activity.owner
    event.session = activity.session
    event.to = activity.state
    event.alert = alert
    return event
  }

  /// Tells an event under the next number, which is returned.
  @discardableResult
  mutating func tell(_ event: ActivityEvent, _ source: Source = .system) -> Int64 {
    sequence += 1
    var event = event
    event.sequence = sequence
    hear(.event(source, event))
    return sequence
  }

  /// An activity is scheduled and starts with an alert.
  @discardableResult
  mutating func start(_ activity: Activity, _ alert: Alert?) -> Int64 {
    var pending = activity
    pending.state = .pending
    pending.startedDate = nil
    var scheduled = event(.scheduled, pending)
    scheduled.activity = pending
    tell(scheduled)
    var started = event(.started, activity, alert: alert)
    started.from = .pending
    started.dueDate = now.wall
    return tell(started)
  }

  mutating func update(_ activity: Activity, _ content: String, alert: Alert? = nil) {
    var update = event(.updated, activity, alert: alert)
    update.content = Content(state: json(content))
    tell(update)
  }

  // MARK: What it wanted

  /// The calls of Notify since `done` was last emptied.
  var notices: [Notice] {
    done.compactMap { if case .notify(let notice) = $0 { notice } else { nil } }
  }

  var closed: [UInt32] { done.compactMap { if case .close(let id) = $0 { id } else { nil } } }
}

extension NotificationServer {
  static let full = NotificationServer(
    owner: ":1.5", name: "dunst", vendor: "knopwob",
    capabilities: ["actions", "body", "body-markup", "icon-static"])
  static func with(_ capabilities: Set<String>, name: String = "x", vendor: String = "y")
    -> NotificationServer
  {
    NotificationServer(owner: ":1.6", name: name, vendor: vendor, capabilities: capabilities)
  }
}

func alert(
  _ title: String, _ body: String = "", sound: String? = nil, _ urgency: Alert.Urgency? = nil
) throws -> Alert {
  try Alert(title: title, body: body, sound: sound, urgency: urgency)
}
