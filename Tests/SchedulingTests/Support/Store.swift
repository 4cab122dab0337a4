import LiveActivity
import Scheduling

/// What a store keeps, as bytes: the last word about each session and each alert.
struct Store {
  private(set) var ids: [Int64: ActivityID] = [:]
  private(set) var sessions: [Int64: [UInt8]] = [:]
  private(set) var alerts: [Int64: [UInt8]] = [:]
  private(set) var disabled: Set<EnabledKey> = []

  /// Which ID a request is about, before its `scheduled` is kept.
  mutating func name(_ first: Int64, _ id: ActivityID) { ids[first] = id }

  mutating func take(_ event: Event, boot: Int) {
    if let session = event.session {
      sessions[session.first] =
        PackedSession(boot: boot, at: event.at, session: session).bytes
    }
    guard let change = event.enabled else { return }
    if !change.isEnabled {
      disabled.insert(change.key)
    } else if change.key.attributesType == nil, change.key.application == nil {
      disabled = disabled.filter { $0.owner != change.key.owner }
    } else {
      disabled.remove(change.key)
    }
  }

  mutating func take(_ sequence: Int64, _ entry: OutboxEntry?, boot: Int, at now: ClockReading) {
    alerts[sequence] = entry?.bytes(boot: boot, at: now)
  }

  /// The session as it was last kept.
  func session(_ first: Int64) -> Session? {
    sessions[first].flatMap { PackedSession(bytes: $0)?.session }
  }

  /// Fills an empty core, as a starting daemon does.
  func restore(to core: inout Scheduler, _ history: BootHistory) {
    var slots: [Int64: UInt32] = [:]
    for (first, bytes) in sessions.sorted(by: { $0.key < $1.key }) {
      guard let packed = PackedSession(bytes: bytes), let id = ids[first] else { continue }
      let session = history.translate(packed.session, from: packed.boot)
      slots[first] = core.restore(session, id: id)
    }
    for (_, bytes) in alerts.sorted(by: { $0.key < $1.key }) {
      guard let (packed, boot) = OutboxEntry.unpack(bytes), let slot = slots[packed.first] else {
        continue
      }
      var entry = packed
      entry.slot = slot
      entry.deadline = history.translate(packed.deadline, from: boot)
      core.restore(entry)
    }
    for key in disabled { core.restore(disabled: key) }
  }
}
