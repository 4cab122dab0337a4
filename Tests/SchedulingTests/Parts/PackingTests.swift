import LiveActivity
import Testing

@testable import Scheduling

/// What is written into the store is read back, and what is damaged there traps nobody.
@Suite struct Packing {
  @Test(arguments: 1...20)
  func sessionsAreReadBackAsTheyWere(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let packed = PackedSession(
        boot: Int(generator.integer()), at: generator.reading(), session: generator.session())
      #expect(PackedSession(bytes: packed.bytes) == packed, "seed \(seed)")
    }
  }

  @Test(arguments: 1...20)
  func alertsAreReadBackAsTheyWere(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let entry = generator.outboxEntry()
      let boot = Int(generator.integer())
      let read = OutboxEntry.unpack(entry.bytes(boot: boot, at: generator.reading()))
      #expect(read?.entry == entry && read?.boot == boot, "seed \(seed)")
    }
  }

  @Test func aPendingSessionIsSmall() throws {
    let stage = Stage()
    try stage.schedule()
    let bytes = try #require(stage.store.sessions[1])
    #expect(bytes.count < 64)
  }

  @Test func whatIsCutOffIsDamaged() {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<50 {
      let bytes = PackedSession(boot: 1, at: generator.reading(), session: generator.session())
        .bytes
      for count in 0..<bytes.count {
        #expect(PackedSession(bytes: Array(bytes.prefix(count))) == nil)
      }
      let alert = generator.outboxEntry().bytes(boot: 1, at: generator.reading())
      for count in 0..<alert.count {
        #expect(OutboxEntry.unpack(Array(alert.prefix(count))) == nil)
      }
    }
  }

  @Test func anotherFormatIsRefused() {
    let stage = Stage()
    var bytes = PackedSession(
      boot: 0, at: stage.now,
      session: Session(owner: .anna, number: 1, first: 1, start: .none)
    ).bytes
    for format in [UInt8(0), 2, 255] {
      bytes[0] = format
      #expect(PackedSession(bytes: bytes) == nil)
    }
    #expect(PackedSession(bytes: []) == nil)
    #expect(OutboxEntry.unpack([]) == nil)
  }

  @Test(arguments: 1...20)
  func damagedBytesEndInNilOrInSomethingThatTrapsNobody(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed &* 31)
    for _ in 0..<60 {
      var bytes = PackedSession(
        boot: 1, at: generator.reading(), session: generator.session()
      ).bytes
      for _ in 0...generator.next(upperBound: 4 as UInt64) {
        let place = Int(generator.next(upperBound: UInt64(bytes.count)))
        bytes[place] = UInt8(truncatingIfNeeded: generator.next())
      }
      var alert = generator.outboxEntry().bytes(boot: 1, at: generator.reading())
      let place = Int(generator.next(upperBound: UInt64(alert.count)))
      alert[place] = UInt8(truncatingIfNeeded: generator.next())
      live(with: PackedSession(bytes: bytes), OutboxEntry.unpack(alert)?.entry, &generator)
    }
  }

  /// Lets a core live with what a damaged store gave it.
  func live(
    with packed: PackedSession?, _ alert: OutboxEntry?, _ generator: inout SeededGenerator
  ) {
    guard let packed else { return }
    let boots = [
      BootHistory.Boot(id: "a", offset: generator.integer(), anchor: generator.integer())
    ]
    let stage = Stage()
    let history = BootHistory(boots: boots, id: "b", offset: stage.now.offset)
    let session = history.translate(packed.session, from: packed.boot)
    let slot = stage.core.restore(session, id: ActivityID(stored: "tea"))
    if var alert, let slot {
      alert.slot = slot
      alert.first = session.first
      stage.core.restore(alert)
    }
    stage.core.anchorCarried(at: stage.now)
    for _ in 0..<4 {
      _ = stage.core.advance(to: stage.now, limit: 50)
      stage.now.wall.microseconds += microseconds(10 * hour)
      stage.now.boottime.microseconds += microseconds(10 * hour)
    }
    _ = stage.dump()
    stage.undo()
    let target = Target(slot: slot ?? 0)
    _ = try? stage.core.update(target, UpdateCommand(), by: session.owner, at: stage.now)
    _ = try? stage.core.end(target, EndCommand(), by: session.owner, at: stage.now)
    _ = try? stage.core.cancel(target, by: session.owner, at: stage.now)
    stage.core.keepBatch()
  }
}
