internal import ActivityStore
internal import LiveActivity
internal import Scheduling
internal import Systemd

/// Tells the journal what has happened; the history in the store is the record.
///
/// At most a hundred entries a second: what is more is told by one entry that names its first and
/// last number.
struct JournalMirror {
  static let entriesPerSecond = 100

  private var journal: Journal
  private var second: Int64 = -1
  private var told = 0
  private var untold: (count: Int, first: Int64, last: Int64)?

  init(_ journal: Journal) { self.journal = journal }

  /// What is below is not told at all.
  var threshold: LogLevel {
    get { journal.threshold }
    set { journal.threshold = newValue }
  }

  /// Whether a summary waits for the second to end.
  var hasUntold: Bool { untold != nil }

  // MARK: Events

  /// Tells of a row that has become durable; `monotonic` is the real elapsed time in microseconds.
  mutating func tell(
    _ row: EventRow, monotonic: Int64, id: () -> String
  ) {
    let kind = EventKind(rawValue: row.kind) ?? .updated
    let level: LogLevel = kind == .updated ? .debug : .info
    guard journal.writes(level) else { return }
    turnSecond(monotonic)
    guard told < Self.entriesPerSecond else {
      untold = (
        (untold?.count ?? 0) + 1, untold?.first ?? row.sequence, row.sequence
      )
      return
    }
    told += 1
    let id = row.first == 0 ? nil : id()
    var fields = [
      JournalField("MESSAGE_ID", MessageID.of(kind)),
      JournalField("LASCHED_SEQUENCE", row.sequence),
    ]
    if let id { fields.append(JournalField("LASCHED_ACTIVITY_ID", id)) }
    if row.number != 0 { fields.append(JournalField("LASCHED_SESSION", row.number)) }
    if let owner = row.owner { fields.append(JournalField("LASCHED_OWNER_UID", owner)) }
    if let by = row.by { fields.append(JournalField("LASCHED_BY_UID", by)) }
    if row.first != row.sequence, let from = row.from.flatMap(ActivityState.init(rawValue:)) {
      fields.append(JournalField("LASCHED_STATE_FROM", from.name))
    }
    if let to = row.to.flatMap(ActivityState.init(rawValue:)) {
      fields.append(JournalField("LASCHED_STATE_TO", to.name))
    }
    if let reason = row.reason.flatMap(Reason.init(rawValue:)) {
      fields.append(JournalField("LASCHED_REASON", reason.name))
    }
    if let due = row.due { fields.append(JournalField("LASCHED_DUE_USEC", due)) }
    if let lateness = row.lateness {
      fields.append(JournalField("LASCHED_LATENESS_USEC", lateness))
    }
    if let step = row.step { fields.append(JournalField("LASCHED_STEP_USEC", step)) }
    journal.log(level, Self.message(kind, row, id: id), fields)
  }

  /// Ends a second that is over, with its summary if it needs one.
  mutating func turnSecond(_ monotonic: Int64) {
    let now = monotonic / 1_000_000
    guard now != second else { return }
    second = now
    told = 0
    tellUntold()
  }

  /// Tells what was held back.
  mutating func tellUntold() {
    guard let untold else { return }
    self.untold = nil
    journal.log(
      .info,
      "\(untold.count) more events, \(untold.first) to \(untold.last): see laschedctl history",
      [
        JournalField("MESSAGE_ID", MessageID.summary), JournalField("LASCHED_COUNT", untold.count),
        JournalField("LASCHED_FIRST_SEQUENCE", untold.first),
        JournalField("LASCHED_LAST_SEQUENCE", untold.last),
      ])
  }

  private static func message(_ kind: EventKind, _ row: EventRow, id: String?) -> String {
    let name = id.map { "'\(Printable.line($0))'" } ?? ""
    let late = row.lateness.map { $0 >= 1000 ? ", \($0 / 1000) ms late" : "" } ?? ""
    let reason = row.reason.flatMap(Reason.init(rawValue:)).map { " (\($0.name))" } ?? ""
    switch kind {
    case .scheduled: return "Activity \(name) scheduled"
    case .rescheduled: return "Activity \(name) rescheduled"
    case .started: return "Activity \(name) is active\(late)"
    case .updated: return "Activity \(name) updated"
    case .stale: return "Activity \(name) is stale\(late)"
    case .fresh: return "Activity \(name) is current again"
    case .ended: return "Activity \(name) ended\(reason)\(late)"
    case .dismissed: return "Activity \(name) dismissed\(reason)\(late)"
    case .action: return "Activity \(name): a person used an action"
    case .remoteUpdatesStopped: return "Activity \(name) takes no more remote updates"
    case .alertSettled:
      let outcome = row.outcome.flatMap(AlertOutcome.init(rawValue:))?.name ?? ""
      return "Alert \(row.alertSequence ?? 0) of activity \(name) \(outcome)"
    case .alertSnoozed:
      return "Alert \(row.alertSequence ?? 0) of activity \(name) "
        + (row.alertRow == nil ? "put off" : "comes again")
    case .enabledChanged: return "Requests of user \(row.owner ?? 0) enabled or disabled"
    case .alertShown:
      return "Alert \(row.alertSequence ?? 0) of activity \(name) shown on a terminal of user "
        + "\(row.by ?? 0)"
    case .clockStepped: return "The wall clock was set by \(row.step ?? 0) us"
    case .reminded: return "Activity \(name): a person is reminded of its start\(late)"
    case .skipped: return "Activity \(name): an occurrence is left out"
    case .updatePlanned: return "Activity \(name): what is to change by itself was planned"
    }
  }

  // MARK: The daemon itself

  /// Tells something of the daemon itself.
  func log(
    _ level: LogLevel, _ message: String, id: String? = nil, _ fields: [JournalField] = []
  ) {
    let marked = id.map { [JournalField("MESSAGE_ID", $0)] } ?? []
    journal.log(level, message, marked + fields)
  }
}

/// The journal's message ids, one a kind; listed in the catalog.
enum MessageID {
  static let refused = "8a4433594c0a45e7ab22e9c8b914ae7c"
  static let summary = "83d01ec6d9ca4594a6f4adcb2d3a95fe"
  static let commitFailed = "ba841f1f87ab43898ce31b837bd06821"
  static let storeSetAside = "7b56cd8b915c4b6190a270e355c37d99"
  static let configurationWarning = "697379731429437c9eeb7bb6fbf553c5"
  static let cannotWake = "fb49655aba19442f8e1700eaec2a75a7"
  static let daemonStarted = "8423ce9249d34d13a856f094b5d0da78"
  static let daemonStopping = "65eee130d04443deaf8c6151620b5fc8"

  static func of(_ kind: EventKind) -> String {
    switch kind {
    case .scheduled: "e25ab3989f0b4aaf9223292a24edddf4"
    case .rescheduled: "49f1156f431548fdbf774d440b2b047b"
    case .started: "f12ccdba7e7e43f08635889e9acebf28"
    case .updated: "d9b7d50008a241299c29daf3795fe882"
    case .stale: "122a2d2773044d0499de1e42c91421cf"
    case .fresh: "d4bcf0a95643455685801b297bdef17e"
    case .ended: "49cd8c2d449a4b41830a964ac92d3876"
    case .dismissed: "d94e803ef15f469f8f11ebddbee88771"
    case .action: "7fb9d0a76dec42148be07a3c7b5695a4"
    case .remoteUpdatesStopped: "4e8eb30bc8db4f9d92b4a45923a9197f"
    case .alertSettled: "0e276abdcf10492384048a365cefe8c9"
    case .alertSnoozed: "21ee33e566b444d28a7017b7e6bde27e"
    case .enabledChanged: "eb812308e3fa4ed8a2dc3d25845edc0a"
    case .alertShown: "5cfb0e1b2cf64d6f9b1c7a30e6f3f0a2"
    case .clockStepped: "9267b19f9b0b4f48997d0b4a11cb00b7"
    case .reminded: "3d8f6a0c6b5e4c1f9a7d2e8b41c05f93"
    case .skipped: "5f0a9d3e7c2b4186a4de1b90c83f76d2"
    case .updatePlanned: "c1b74e2f0d984a35b6e1f7a8093d52ce"
    }
  }
}

/// Foreign text in the daemon's own lines.
enum Printable {
  /// The text with control, bidi and separator characters written as `\u{…}`.
  static func line(_ text: String) -> String {
    var out = ""
    for scalar in text.unicodeScalars {
      if TextRules.flaw(of: scalar, plain: true) != nil {
        out += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        out.unicodeScalars.append(scalar)
      }
    }
    return out
  }
}
