import JSON
import LiveActivity
import Presentations
import TimeExpressions

/// One activity of the live view: how it looks, in rows of cells.
///
/// Only the row that says whose it is begins in the first column; all that comes from an activity is
/// set in by two, so that no content can pass for it.
struct Card {
  /// A piece of a row.
  struct Piece {
    let text: String
    let style: Style

    init(_ text: String, _ style: Style = .plain) {
      self.text = text
      self.style = style
    }
  }

  /// A row: what stands at its left, and what at its right.
  struct Row {
    var left: [Piece] = []
    var right: Piece?

    var isBlank: Bool { left.isEmpty && right == nil }
  }

  let activity: ActivityView
  let now: Int64
  let zone: TimeZoneRules
  /// Whom the view is for.
  let reader: UserID
  /// Which daemon it is of, where there are two.
  let daemon: String?
  /// What it shows of itself; not harmless yet.
  let look: Look

  init(
    _ activity: ActivityView, now: Int64, zone: TimeZoneRules, reader: UserID, daemon: String?,
    presentations: PresentationLibrary
  ) {
    (self.activity, self.now, self.zone) = (activity, now, zone)
    (self.reader, self.daemon) = (reader, daemon)
    look = presentations.look(
      of: PresentationSubject(activity.node), at: WallTime(microseconds: now),
      LookSettings(zone: zone))
  }

  /// How far an ended one has faded: 0 not at all, 1 dim, 2 its first rows only, 3 its title.
  var fading: Int {
    guard activity.state == "ended" else { return 0 }
    guard let ended = activity.date("endedDate"), let goes = activity.date("dismissalDate"),
      goes > ended
    else { return 1 }
    let third = max(1, (goes - ended) / 3)
    return min(3, Int(clamping: 1 + max(0, now.subtractingClamped(ended)) / third))
  }

  /// When the fading goes on.
  private var nextFading: Int64? {
    guard (1...2).contains(fading), let ended = activity.date("endedDate"),
      let goes = activity.date("dismissalDate")
    else { return nil }
    return ended + Int64(fading) * max(1, (goes - ended) / 3)
  }

  /// What stands at the right of the title: the state, and the time that it is about.
  var status: (text: Ticking, style: Style) {
    let state = activity.state
    func counted(_ before: String, _ date: Int64) -> Ticking {
      Ticking.countdown(from: now, to: date).after(before)
    }
    switch state {
    case "pending":
      guard let start = activity.date("startDate") else { return (Ticking(state), .cyan) }
      return (counted("in ", start), .cyan)
    case "active", "stale":
      let mark = state == "stale" ? "! stale " : ""
      let style: Style = state == "stale" ? .yellow : .green
      if let end = activity.date("endDate"), end > now {
        return (counted(mark + "ends in ", end), style)
      }
      guard let started = activity.date("startedDate") else { return (Ticking(state), style) }
      return (Ticking.elapsed(from: started, to: now).after(mark.isEmpty ? "for " : mark), style)
    default: return (Ticking(activity.text("reason").map(harmless) ?? state), .dim)
    }
  }

  /// When something on it reads otherwise, if nothing happens before.
  var next: Int64? {
    [
      status.text.next, nextFading, look.nextTick?.microseconds,
      TimeText.midnight(after: now, zone),
    ]
    .compactMap { $0 }.min()
  }

  /// Its rows, for that many columns.
  func rows(columns: Int, isSelected: Bool) -> [Row] {
    var rows: [Row] = []
    if let origin { rows.append(Row(left: [Piece(origin, .origin)])) }
    let status = status
    let dim: Style? = fading > 0 ? (fading > 1 ? .faint : .dim) : nil
    let right = Cells.fit(status.text.text, max(4, columns / 2))
    let room = max(1, columns - 2 - Cells.width(of: right) - 1)
    rows.append(
      Row(
        left: [
          Piece(isSelected ? "> " : "  ", .bold),
          Piece(Cells.fit(harmless(look.title), room), dim ?? .bold),
        ], right: Piece(right, dim ?? status.style)))
    guard fading < 3 || isSelected else { return rows }
    func add(_ text: String, _ style: Style = .plain) {
      rows.append(Row(left: [Piece("  "), Piece(text, dim ?? style)]))
    }
    for line in look.expanded.prefix(fading < 2 || isSelected ? 6 : 1) {
      for row in Paragraph.rows(harmless(line), room: columns - 2, most: 3) { add(row) }
    }
    if fading < 2, let progress = look.progress {
      add(bar(progress, room: columns - 2), status.style)
    }
    for row in Paragraph.rows(meta, room: columns - 2, most: 2) { add(row, .dim) }
    if isSelected {
      for row in Paragraph.rows(actions, room: columns - 2, most: 3) { add(row, .cyan) }
    }
    return rows
  }

  /// Whose it is, where it is not the reader's own.
  var origin: String? {
    guard let owner = activity.owner, owner != reader else { return nil }
    return "from \(Users.name(owner))"
  }

  /// ID, program, times.
  private var meta: String {
    var words = [activity.id]
    if let application = activity.text("application") { words.append(harmless(application)) }
    if let daemon { words.append(daemon) }
    let dates: [(String, Int64?)] =
      switch activity.state {
      case "pending":
        [("starts ", activity.date("startDate")), ("until ", activity.date("endDate"))]
      case "ended":
        [("ended ", activity.date("endedDate")), ("goes ", activity.date("dismissalDate"))]
      default:
        [
          ("since ", activity.date("startedDate")),
          (activity.state == "stale" ? "stale since " : "fresh until ", activity.staleDate),
          ("until ", activity.date("endDate")),
        ]
      }
    for (what, date) in dates {
      if let date { words.append(what + TimeText.near(date, now, zone)) }
    }
    return words.joined(separator: " · ")
  }

  /// What a person can do with it: `1 Stop  2 Later`.
  private var actions: String {
    let labels = look.actions.prefix(9).enumerated().map { number, action in
      "[\(number + 1)] " + harmless(action.label)
    }
    return labels.joined(separator: "  ")
  }

  private func bar(_ progress: Double, room: Int) -> String {
    let cells = max(1, min(40, room - 5))
    let full = max(0, min(cells, Int((progress * Double(cells)).rounded(.down))))
    return String(repeating: "█", count: full) + String(repeating: "░", count: cells - full)
      + " \(Int((progress * 100).rounded(.down)))%"
  }
}
