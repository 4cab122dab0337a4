internal import LiveActivity
internal import SchedulerAPI
internal import TimeExpressions

/// The machine's zones, as they were when they were last looked at.
final class Zones {
  private let database: ZoneDatabase
  private let localtime: String
  /// What `$TZ` says.
  var tz: String?
  private var known: [String: TimeZoneRules] = [:]
  private var read: Result<TimeZoneRules, TimeZoneError>?
  private var readVersion: String??

  /// The zones of a directory, the system's where there is none.
  init(
    directory: String? = nil, tz: String? = nil, localtime: String = "/etc/localtime"
  ) {
    database = ZoneDatabase(directory: directory)
    self.tz = tz
    self.localtime = localtime
  }

  /// Where the zones are.
  var directory: String { database.directory }

  /// They may have changed: all is read anew when it is asked for.
  func forget() {
    known = [:]
    read = nil
    readVersion = nil
  }

  /// The rules of a zone by its name.
  func rules(_ name: String) throws(TimeZoneError) -> TimeZoneRules {
    if let rules = known[name] { return rules }
    let rules = try database.rules(name)
    // More zones than there are nobody needs.
    if known.count > 700 { known = [:] }
    known[name] = rules
    return rules
  }

  /// The machine's own zone.
  func system() throws(TimeZoneError) -> TimeZoneRules {
    if let read { return try read.get() }
    let result: Result<TimeZoneRules, TimeZoneError>
    do throws(TimeZoneError) {
      result = .success(try database.localRules(tz: tz, localtime: localtime))
    } catch {
      result = .failure(error)
    }
    read = result
    return try result.get()
  }

  /// The version of the data; nil where it is not known.
  var version: String? {
    if let readVersion { return readVersion }
    let version = database.version
    readVersion = .some(version)
    return version
  }

  /// What tells, after a restart, that nothing has changed; nil where that cannot be told.
  var fingerprint: String? {
    guard let version, let system = try? system(), system.name != "localtime" else { return nil }
    return version + " " + system.name
  }
}

extension Zones {
  /// What a wall time comes to.
  ///
  /// - Throws: `InvalidDate` with what is no wall time, or the zone that cannot be had.
  func resolve(_ wall: WallStart) throws(SchedulerError) -> (date: WallTime, start: LocalStart) {
    guard let time = CivilTime(iso: wall.local) else {
      throw .invalidDate(
        field: "start.local", value: wall.local,
        why: "it is not a date and a time as 2026-12-01T18:30:00, without an offset")
    }
    let rules: TimeZoneRules
    do throws(TimeZoneError) {
      rules =
        if let zone = wall.zone, !wall.isFloating { try self.rules(zone) } else { try system() }
    } catch {
      throw .invalidDate(
        field: "start.zone", value: wall.zone ?? localtime, why: "\(error.problem); \(error.hint)")
    }
    let instant = rules.instant(of: time, second: wall.isSecond)
    guard (0...WallTime.latest.microseconds).contains(instant.microseconds) else {
      throw .invalidDate(
        field: "start.local", value: wall.local, why: "it is outside 1970 to 9999")
    }
    var start = LocalStart(wall, tzdata: version)
    start.wall.local = time.iso
    start.wall.zone = rules.name
    switch instant.adjustment {
    case .movedPastGap(let seconds): start.movedMicroseconds = seconds * 1_000_000
    case .firstOfTwo: start.isTwice = true
    case .leapSecond, nil: break
    }
    if wall.isSecond, rules.instant(of: time) != instant { start.isTwice = true }
    let date = WallTime(microseconds: instant.microseconds.roundedUpToMillisecond)
    return (min(date, .latest), start)
  }
}
