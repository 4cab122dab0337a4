import JSON
import LiveActivity
import SchedulerAPI
import TimeExpressions

extension Verb {
  static let list = Verb(
    "list", "[--state STATE[,STATE]] [--all] [--line]", "the live activities, next deadline first",
    options: [.state, .all, .line, .application, .channel] + ownerOptions,
    notes: [
      "In a pipe: ID, state, what comes next, its date in UTC, owner, title; tabs between them. "
        + "Root sees every owner's.",
      "--line is for a shell at login: one line, without waiting for a daemon that is slow.",
    ]
  ) { context throws(Failure) in
    let invocation = context.invocation
    try invocation.exclude(.state, .all)
    try invocation.exclude(.line, .all)
    if invocation.has(.line) { return try LoginLine.show(context) }
    var list = ListParameters()
    list.states = try listedStates(invocation)
    list.application = invocation.value(.application)
    list.channel = invocation.value(.channel)
    (list.owner, list.everyOwner) = try invocation.listedOwner()
    let daemon = try context.connect()
    let console = context.console
    guard console.isForPeople else {
      try daemon.stream(list) { node throws(Failure) in
        for activity in node["activities"]?.elements ?? node.elements {
          if console.form == .text {
            console.line(line(ActivityView(node: activity)))
          } else {
            console.value(activity)
          }
        }
      }
      return .done
    }
    var table = ActivityTable(
      zone: TimeReader.zoneToShow(), hasOwner: list.everyOwner,
      room: console.output.size.columns)
    let now = try daemon.now().microseconds
    try daemon.stream(list) { node throws(Failure) in
      for activity in node["activities"]?.elements ?? node.elements {
        table.add(ActivityView(node: activity), now: now)
      }
    }
    if table.isEmpty {
      console.note("no activities")
    } else {
      for line in table.lines(
        room: console.output.size.columns, isColoured: console.output.isColoured)
      {
        console.line(line)
      }
    }
    return .done
  }

  static func listedStates(_ invocation: Invocation) throws(Failure) -> [ActivityState]? {
    if invocation.has(.all) { return ActivityState.allCases }
    guard let names = invocation.list(.state) else { return nil }
    return try names.map { name throws(Failure) in
      if let state = ActivityState.allCases.first(where: { $0.name == name }) { return state }
      let all = ActivityState.allCases.map(\.name).joined(separator: ", ")
      throw .usage("--state '\(name)' is none of \(all)")
    }
  }

  private static func line(_ activity: ActivityView) -> String {
    let next = activity.next
    return [
      activity.id, activity.state, next?.what ?? "-", next.map { TimeText.utc($0.date) } ?? "-",
      activity.owner.map(Users.name) ?? "-", activity.summary.isEmpty ? "-" : activity.summary,
    ].joined(separator: "\t")
  }
}

/// Activities as rows for people.
struct ActivityTable {
  private let zone: TimeZoneRules
  private let hasOwner: Bool
  /// Whether there is room for dates beside distances.
  private let hasDate: Bool
  private var table: Table

  init(zone: TimeZoneRules, hasOwner: Bool, room: Int) {
    self.zone = zone
    self.hasOwner = hasOwner
    hasDate = room >= 90
    let headings =
      ["ID", "STATE"] + (hasOwner ? ["OWNER"] : []) + ["NEXT", ""]
      + (hasDate ? ["DATE"] : [])
      + ["TITLE"]
    table = Table(headings, flexible: headings.count - 1)
  }

  var isEmpty: Bool { table.rows.isEmpty }

  mutating func add(_ activity: ActivityView, now: Int64) {
    var row = [Table.Cell(activity.id, .bold), Table.Cell(activity.state, activity.style)]
    if hasOwner { row.append(Table.Cell(activity.owner.map(Users.name) ?? "", .dim)) }
    if let next = activity.next {
      row.append(Table.Cell(next.what))
      row.append(Table.Cell(TimeText.away(now, next.date)))
      if hasDate { row.append(Table.Cell(TimeText.brief(next.date, zone), .dim)) }
    } else {
      row += Array(repeating: Table.Cell(""), count: hasDate ? 3 : 2)
    }
    row.append(Table.Cell(activity.summary))
    table.rows.append(row)
  }

  func lines(room: Int, isColoured: Bool) -> [String] {
    table.lines(room: room, isColoured: isColoured)
  }
}
