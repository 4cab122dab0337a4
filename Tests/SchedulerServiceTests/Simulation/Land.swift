import Glibc
import LiveActivity
import SchedulerAPI

@testable import SchedulerService

/// The machine's zone, and another by the name of Land: whole hours east, so that the model can count
/// in them. All copies of the model share it, since no crash and no undoing changes what zones are.
final class Land {
  let directory: Directory
  private(set) var home = 0
  private(set) var away = 0
  let zones: Zones
  /// How far east series go by that these zones are, in hours, until all change together; floating
  /// ones under no name.
  private(set) var known: [String: Int] = [:]

  init() throws(SimulationFailure) {
    directory = try Directory()
    zones = Zones(directory: directory.path, tz: "<-00>0")
    try set(home: 1, away: -3)
  }

  /// As TZ of tzset(3) has it: hours west.
  private static func rule(_ hours: Int) -> String {
    "<\(hours < 0 ? "-" : "+")\(abs(hours))h>\(-hours)"
  }

  /// Changes what the zones are; nobody looks at them before that.
  func set(home: Int, away: Int) throws(SimulationFailure) {
    (self.home, self.away) = (home, away)
    zones.tz = Self.rule(home)
    // RFC 9636: version 2, once empty and once with one type, then the rule.
    var bytes = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
    let counts: [UInt8] = [0, 0, 0, 0, 1, 4]
    for count in counts { bytes += [0, 0, 0, count] }
    bytes += [0, 0, 0, 0, 0, 0] + Array("LMT\0".utf8)
    bytes += Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
    for count in counts { bytes += [0, 0, 0, count] }
    let offset = UInt32(bitPattern: Int32(away * 3600))
    bytes += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: offset >> UInt32($0)) } + [0, 0]
    bytes += Array("LMT\0\n\(Self.rule(away))\n".utf8)
    let file = unsafe fopen(directory.path + "/Land", "w")
    guard let file = unsafe file else { throw SimulationFailure("fopen: \(errno)") }
    defer { unsafe fclose(file) }
    guard unsafe fwrite(bytes, 1, bytes.count, file) == bytes.count else {
      throw SimulationFailure("fwrite: \(errno)")
    }
  }

  // MARK: Series

  private func hours(_ zone: String) -> Int { zone.isEmpty ? home : zone == "Land" ? away : 0 }

  private func name(_ rule: Repeat) -> String { rule.isFloating ? "" : rule.zone ?? "" }

  /// A series asks for a zone.
  func know(_ rule: Repeat) { know([name(rule)]) }

  func know(_ names: some Sequence<String>) {
    for name in names where known[name] == nil { known[name] = hours(name) }
  }

  /// The daemon has started with these series.
  func knowOnly(_ rules: [Repeat]) {
    known = [:]
    for rule in rules { know(rule) }
  }

  /// All series change to what zones are now; says which zones are others.
  func renew() -> Set<String> {
    let changed = Set(known.keys.filter { known[$0] != hours($0) })
    for name in changed { known[name] = hours(name) }
    return changed
  }

  /// How far east of UTC the zone of a calendar is, in microseconds.
  func east(of rule: Repeat) -> Int64 { Int64(known[name(rule)] ?? 0) * 3_600_000_000 }

  /// What a wall time comes to; nil outside 1970 to 9999. Its text is in whole seconds.
  func resolve(_ wall: WallStart) -> (date: Int64, start: LocalStart)? {
    guard let shown = try? WallTime(rfc3339: wall.local + "Z") else { return nil }
    let date = shown.microseconds - Int64(wall.isFloating ? home : away) * 3_600_000_000
    guard (0...WallTime.latest.microseconds).contains(date) else { return nil }
    var start = LocalStart(wall)
    start.wall.zone = wall.isFloating ? Self.rule(home) : "Land"
    return (date, start)
  }
}

extension World {
  /// The zones change, and the daemon hears of it.
  func changeZones(_ dice: inout Dice) throws(SimulationFailure) {
    let hours = dice.below(24) - 12
    if dice.chance(50) {
      try land.set(home: hours, away: land.away)
    } else {
      try land.set(home: land.home, away: hours)
    }
    try engine().noteZones()
  }

  /// A time of day near now, in a zone or floating.
  func wallStart(_ dice: inout Dice) -> WallStart {
    let isFloating = dice.chance(50)
    let hours = Int64(isFloating ? land.home : land.away)
    let shown = date(&dice).microseconds / Dice.second * Dice.second + hours * 3_600_000_000
    let text = WallTime(microseconds: max(0, shown)).rfc3339.prefix(19)
    return WallStart(
      local: String(text), zone: isFloating ? nil : "Land", isFloating: isFloating)
  }

  /// What the service does before anything fires; returns whether there is more of it.
  func sweep(among count: Int) throws(SimulationFailure) -> Bool {
    let engine = try engine()
    guard engine.sweep != nil else { return false }
    let rows = engine.rows.count
    let isMore = engine.sweepZones(among: UInt32(count), at: now)
    if engine.failure != nil { isDoomed = true }
    if let problem = engine.swept?.problem { throw SimulationFailure("the sweep: \(problem)") }
    if !isDoomed {
      try model.sweep(try rendered(Array(engine.rows[rows...])), isThrough: !isMore)
      try compareRows()
    }
    return isMore
  }
}

extension Model {
  /// Follows what a look at the zones moved: each must have had to; at the end nothing else has to.
  mutating func sweep(_ told: [ActivityEvent], isThrough: Bool) throws(SimulationFailure) {
    for event in told where event.localStart != nil {
      guard var life = lives.values.first(where: { $0.isMeant(event) }),
        let to = destination(of: life), let old = life.localStart
      else { throw SimulationFailure("moved although nothing asks for it: \(event)") }
      let former = life.start.date(now).map { WallTime(microseconds: $0) }
      let isOfSeries = life.serie?.slot == life.start
      life.start = .date(to.date)
      life.localStart = to.start
      if isOfSeries, var serie = life.serie {
        serie.slot = life.start
        serie.next = following(serie, from: serie.slot)
        life.serie = serie
      } else {
        renewNext(&life)
      }
      let told = waitingReminders(life.first)
      life.renewReminders(now)
      let shown = show(life, at: now)
      emit(.rescheduled, &life, from: .pending) { event in
        event.startDate = shown.startDate
        event.endDate = shown.endDate
        event.localStart = to.start
        event.formerStartDate = former
        event.cause = old.wall.zone == to.start.wall.zone ? .tzdata : .zone
      }
      withdraw(told, by: nil)
    }
    if isThrough, !land.renew().isEmpty {
      renewSeries { $0.isFloating ? .zone : .tzdata }
    }
    if isThrough, let left = lives.values.first(where: { destination(of: $0) != nil }) {
      throw SimulationFailure("\(left.id) \(left.number) has not moved")
    }
  }

  /// Where a pending start has to move to.
  private func destination(of life: Life) -> (date: Int64, start: LocalStart)? {
    guard life.state == .pending, let wall = life.localStart?.wall,
      let to = land.resolve(wall), life.start != .date(to.date)
    else { return nil }
    return to
  }

  /// The start that a call asks for, and the wall time behind it.
  func startTerm(
    _ moment: Moment?, _ wall: WallStart?, allowPast: Bool = false
  ) throws(Refused) -> (start: When, local: LocalStart?) {
    var moment = moment
    var local: LocalStart?
    if let wall {
      guard let found = land.resolve(wall) else { throw Refused([Self.wrong("start.local")]) }
      moment = .at(WallTime(microseconds: found.date))
      local = found.start
    }
    if allowPast, case .at(let date) = moment, date <= now.wall {
      return (.date(date.microseconds.toMillisecond), local)
    }
    return (try startTerm(moment), local)
  }
}
