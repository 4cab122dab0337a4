internal import ActivityStore
internal import LiveActivity
internal import Scheduling

extension Engine {
  /// Opens a state directory and rebuilds the core from it.
  static func open(
    directory: String, settings: Settings, at reading: ClockReading, bootID: String,
    isSynchronised: Bool, hashKey: (UInt64, UInt64), zones: Zones = Zones(),
    progress: () -> Void = {}
  ) throws(StoreError) -> (engine: Engine, report: OpenReport) {
    var options = StoreOptions()
    options.reserveBytes = Int64(settings.reserveBytes)
    options.onDamage = settings.onDamage == .refuse ? .refuse : .setAside
    let (store, opened) = try ActivityStore.open(
      directory: directory, now: reading.wall, options: options)
    var report = opened
    // A large file is checked only as far as it is read. What is found wrong then may be this
    // process's view of it: it is looked at once more as a whole before it is believed lost.
    var isSecond = false
    while true {
      do throws(StoreError) {
        let engine = try Engine(
          loading: store, settings: settings, at: reading, bootID: bootID,
          isSynchronised: isSynchronised, hashKey: hashKey, zones: zones, progress: progress)
        return (engine, report)
      } catch {
        guard error.code == .damaged, report.setAside == nil else { throw error }
        let again = try store.reopen(now: reading.wall, damage: isSecond ? error.description : nil)
        report.setAside = again.setAside
        isSecond = true
      }
    }
  }

  /// Rebuilds the core from an open store.
  convenience init(
    loading store: ActivityStore, settings: Settings, at reading: ClockReading, bootID: String,
    isSynchronised: Bool, hashKey: (UInt64, UInt64), zones: Zones = Zones(),
    progress: () -> Void = {}
  ) throws(StoreError) {
    let known = try store.entries(prefix: BootCoding.prefix).compactMap {
      BootCoding.boot($0.value)
    }
    var boots = BootHistory(boots: known, id: bootID, offset: reading.offset)
    if isSynchronised { boots.anchor(offset: reading.offset) }
    var names: [UserID: String] = [:]
    var former: [UserID: Int64] = [:]
    for (key, value) in try store.entries(prefix: "owner/") {
      guard let user = OwnerCoding.user(key, "owner/") else { continue }
      names[user] = String(decoding: value, as: UTF8.self)
    }
    for (key, value) in try store.entries(prefix: "former/") {
      guard let user = OwnerCoding.user(key, "former/") else { continue }
      former[user] = Int64(String(decoding: value, as: UTF8.self))
    }
    var core = Scheduler(
      now: reading, nextSequence: store.highestSequence + 1, hashKey: hashKey,
      limits: settings.limits)
    var damaged: Int64?
    var shared: [(first: Int64, slot: UInt32)] = []
    var hidden: [(first: Int64, user: UserID)] = []
    var bound: [(slot: UInt32, first: Int64)] = []
    var alerts: [(entry: OutboxEntry, boot: Int)] = []
    for (sequence, fields) in try store.alerts() {
      guard let alert = OutboxEntry.unpack(fields) else {
        throw .damagedRow(sequence, "its alert cannot be read")
      }
      alerts.append(alert)
    }
    // Of a session that is over little is kept, unless alerts of it still wait.
    let withAlerts = Set(alerts.map(\.entry.first))
    var zonesBefore: String?
    var hasLocal = false
    var loaded = 0
    var repeating: Set<String> = []
    try store.load { row in
      loaded += 1
      if loaded % 65_536 == 0 { progress() }
      guard let packed = PackedSession(bytes: row.fields) else {
        damaged = row.first
        return
      }
      if let last = former[packed.session.owner], row.first <= last { return }
      var session = boots.translate(packed.session, from: packed.boot)
      session.last = row.last
      if session.localRow != 0, session.state == .pending { hasLocal = true }
      if case .calendar(_, let zone) = session.aside.series?.rule {
        repeating.insert(zone)
      }
      let id = ActivityID(stored: String(decoding: row.id, as: UTF8.self))
      guard
        let slot = core.restore(session, id: id, hasAlerts: withAlerts.contains(session.first)),
        session.state != .dismissed
      else { return }
      if session.isShared { shared.append((session.first, slot)) }
      if session.isBound, session.state.isLive { bound.append((slot, session.first)) }
    } outbox: { _, _ in
    } entry: { key, value in
      if key == Engine.zonesKey { zonesBefore = String(decoding: value, as: UTF8.self) }
      if let disabled = DisabledCoding.key(key) { core.restore(disabled: disabled) }
      if let place = HiddenCoding.place(key) { hidden.append(place) }
    }
    if let damaged { throw .damagedRow(damaged, "its fields cannot be read") }
    self.init(core: core, store: store, boots: boots, settings: settings, zones: zones)
    // The rules may have changed while nobody looked.
    let zonesDiffer = zonesBefore == nil || zonesBefore != zones.fingerprint
    if hasLocal || !repeating.isEmpty, zonesDiffer { noteZones() }
    restoreOwners(names: names, former: former)
    for alert in alerts {
      var entry = alert.entry
      guard let slot = try slot(ofSession: entry.first, owner: entry.owner) else {
        dropLostAlert(entry.sequence)
        continue
      }
      entry.slot = slot
      entry.deadline = boots.translate(entry.deadline, from: alert.boot)
      self.core.restore(entry)
    }
    for place in shared { noteShared(place.first, slot: place.slot) }
    for place in hidden {
      let owner = try store.event(place.first)?.owner.map { UserID($0) }
      if let owner, try slot(ofSession: place.first, owner: owner) != nil {
        restoreHidden(place.first, from: place.user)
      } else {
        setEntry(HiddenCoding.text(place.first, place.user), nil)
      }
    }
    try restoreTokens()
    endBound(bound, at: reading)
    readZones(repeating)
    let (zone, version) = (
      zones.fingerprint?.split(separator: " "), zonesBefore?.split(separator: " ")
    )
    renewSeries(at: reading) { name in
      guard zonesDiffer, let zone, let version else { return nil }
      if name == Self.floatingZone, zone.last != version.last { return .zone }
      return zone.first != version.first ? .tzdata : nil
    }
    keepBoot()
  }

  /// The slot of a session by its first event, current or past.
  func slot(ofSession first: Int64, owner: UserID) throws(StoreError) -> UInt32? {
    let id = ActivityID(stored: try records.id(ofSession: first))
    if let slot = core.find(owner: owner, id: id), core.first(slot) == first { return slot }
    return core.slots(of: owner).first { core.first($0) == first }
  }
}
