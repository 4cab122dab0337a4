internal import SchedulerAPI
internal import Systemd
internal import TimeExpressions

extension Service {
  /// How many slots are looked at in one turn of a sweep.
  static let sweptInTurn: UInt32 = 1000
  /// A package that is unpacked changes many files: they are looked at once they have rested.
  static let zonesRest: Int64 = 500_000

  /// Watches the directories of the zones, and those in which others could be put in their place.
  func watchZones() {
    do throws(SystemError) {
      let watch = try DirectoryWatch()
      zoneWatch = watch
      addZoneWatches()
      zoneSource = try loop.addDescriptor(watch.number, .readable) { [weak self] _ in
        guard let self, watch.read() else { return }
        pulse?.wake(.zones, at: SystemClock.monotonic + Self.zonesRest)
      }
    } catch {
      journal.log(.warning, "Changes of time zones are seen at the next start only: \(error)")
    }
  }

  private func addZoneWatches() {
    guard let zoneWatch else { return }
    let directory = engine.zones.directory
    try? zoneWatch.add("/etc", names: ["localtime", "timezone"])
    if let slash = directory.lastIndex(of: "/"), slash != directory.startIndex {
      let name = String(directory[directory.index(after: slash)...])
      try? zoneWatch.add(String(directory[..<slash]), names: [name])
    }
    try? zoneWatch.add(directory)
    // One level below are the zones of a continent; a package that changes those of a country has
    // changed the version beside them too.
    for entry in (try? Files.list(directory)) ?? []
    where entry != "posix" && entry != "right" {
      try? zoneWatch.add(directory + "/" + entry)
    }
  }

  /// The zones may be others: pending wall times are looked at again, and STATUS is told in the new
  /// zone.
  func lookAtZones() {
    addZoneWatches()
    Surroundings.readZone()
    lastStatus = nil
    engine.noteZones()
    scheduleTurn()
  }

  /// Goes on with looking at wall times; returns whether nothing may fire yet.
  func sweepZones() -> Bool {
    guard engine.sweep != nil else { return false }
    return engine.sweepZones(among: Self.sweptInTurn, at: clock.reading)
  }

  /// Tells the journal of a look at the zones that is through and durable.
  func tellZones() {
    guard let swept = engine.swept else { return }
    engine.swept = nil
    if let problem = swept.problem {
      journal.log(.warning, "A start at a wall time stays where it is: \(problem)")
    }
    guard swept.moved > 0 else { return }
    let zone = (try? engine.zones.system().name) ?? "unknown"
    journal.log(
      .notice,
      "Time zones have changed (here it is \(zone), tzdata \(engine.zones.version ?? "unknown")): "
        + "\(swept.moved) pending \(swept.moved == 1 ? "activity starts" : "activities start") at another time"
    )
  }
}
