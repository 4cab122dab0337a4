import LiveActivity
import Testing

@testable import Scheduling

@Suite struct SessionTables {
  /// What a table holds, held plainly.
  struct Model {
    struct Entry {
      var session: Session
      var isWhole: Bool
      var digest: KeyedHash.Digest
      var isCurrent: Bool
    }
    var entries: [UInt32: Entry] = [:]
    /// Newest last.
    var order: [UInt32] = []

    func slots(of owner: UserID) -> [UInt32] {
      order.reversed().filter { entries[$0]?.session.owner == owner }
    }

    func slots(of owner: UserID, channel: String) -> Set<UInt32> {
      Set(
        entries.filter {
          $0.value.session.owner == owner && $0.value.session.channel == channel
            && $0.value.session.state != .dismissed
        }.keys)
    }

    func count(_ owner: UserID?, _ states: Set<ActivityState>) -> Int {
      entries.values.filter {
        (owner == nil || $0.session.owner == owner) && states.contains($0.session.state)
      }.count
    }
  }

  static let users = [UserID(0), .anna, .bert]

  func session(_ generator: inout SeededGenerator, like old: Session? = nil) -> Session {
    var session = generator.session()
    if let old {
      session = Session(
        owner: old.owner, number: old.number, first: old.first, start: session.start)
      let random = generator.session()
      if generator.oneIn(2) {
        session.stale = random.stale
        session.channel = random.channel
        session.sequence = old.first &+ 1
        session.last = old.first &+ 1
      }
      session.state = random.state
      session.reason = random.reason
    } else {
      session.owner = Self.users.randomElement(using: &generator) ?? .anna
      session.first = Int64(generator.next(upperBound: 1 << 40 as UInt64))
    }
    if session.state == .pending { session.start = .date(date(1)) }
    return session
  }

  @Test(arguments: 1...10)
  func itHoldsWhatAPlainDictionaryHolds(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var table = SessionTable(key: (1, 2))
    var model = Model()
    for step in 0..<400 {
      let slot = model.entries.keys.sorted().randomElement(using: &generator)
      switch generator.next(upperBound: 6 as UInt64) {
      case 0, 1:
        let session = session(&generator)
        let id = ActivityID(stored: "t\(step)")
        let digest = table.digest(owner: session.owner, id: id)
        let isWhole = generator.oneIn(2)
        guard let slot = table.insert(session, digest: digest, isWhole: isWhole) else { return }
        #expect(model.entries[slot] == nil, "seed \(seed): slot \(slot) is in use")
        model.entries[slot] = Model.Entry(
          session: session, isWhole: isWhole, digest: digest, isCurrent: false)
        model.order.append(slot)
      case 2, 3:
        guard let slot, let old = model.entries[slot] else { continue }
        let session = session(&generator, like: old.session)
        let isWhole = generator.oneIn(2)
        table.save(slot, session, isWhole: isWhole)
        model.entries[slot]?.session = session
        model.entries[slot]?.isWhole = isWhole
      case 4:
        guard let slot, let isCurrent = model.entries[slot]?.isCurrent else { continue }
        if isCurrent { table.retire(slot) } else { table.makeCurrent(slot) }
        model.entries[slot]?.isCurrent = !isCurrent
      default:
        guard let slot, generator.oneIn(2) else { continue }
        table.remove(slot)
        model.entries[slot] = nil
        model.order.removeAll { $0 == slot }
      }
      // Looking at all of it after every step would take most of the time.
      let broken = step % 7 == 0 ? differences(table, model) : []
      guard broken.isEmpty else {
        Issue.record("seed \(seed), step \(step): \(broken)")
        return
      }
    }
  }

  func differences(_ table: borrowing SessionTable, _ model: Model) -> [String] {
    var broken: [String] = []
    if table.count != model.entries.count { broken.append("count \(table.count)") }
    for (slot, entry) in model.entries {
      if table.find(entry.digest) != (entry.isCurrent ? slot : nil) { broken.append("index") }
      let isSame = same(table.load(slot), entry.session, isWhole: entry.isWhole)
      if !isSame { broken.append("session \(table.load(slot)), not \(entry.session)") }
      if table.state(slot) != entry.session.state { broken.append("state") }
      if table.first(slot) != entry.session.first { broken.append("first") }
    }
    for owner in Self.users {
      if table.slots(of: owner) != model.slots(of: owner) { broken.append("chain of \(owner)") }
      for channel in ["news", "s\u{f6}", "\u{1F3C6}", "none"] {
        if table.slots(of: owner, channel: channel) != model.slots(of: owner, channel: channel) {
          broken.append("channel \(channel)")
        }
      }
      let record = table.owners[owner]
      if (record == nil) != model.slots(of: owner).isEmpty { broken.append("record of \(owner)") }
      if record?.pending ?? 0 != model.count(owner, [.pending]) { broken.append("pending") }
      if record?.running ?? 0 != model.count(owner, [.active, .stale]) { broken.append("running") }
      if record?.ended ?? 0 != model.count(owner, [.ended]) { broken.append("ended") }
    }
    if table.totals.pending != model.count(nil, [.pending]) { broken.append("all pending") }
    if table.totals.running != model.count(nil, [.active, .stale]) { broken.append("all running") }
    if table.totals.ended != model.count(nil, [.ended]) { broken.append("all ended") }
    return broken
  }

  /// Of a dismissed one only who, which and why must be there.
  func same(_ a: Session, _ b: Session, isWhole: Bool) -> Bool {
    if a == b { return true }
    guard b.state == .dismissed, !isWhole, b.timestamp == nil, b.last == b.sequence else {
      return false
    }
    return a.owner == b.owner && a.number == b.number && a.first == b.first
      && a.state == b.state && a.reason == b.reason && a.sequence == b.sequence
      && a.last == b.last && a.isCancelled == b.isCancelled && a.isShared == b.isShared
      && a.isChanged == b.isChanged && a.remoteUpdates == b.remoteUpdates
  }

  @Test func aSlabsPlacesAreUsedAgainAndItGrowsPastItsChunks() {
    var slab = Slab(blank: 0)
    let places = (0..<20_000).compactMap { _ in slab.allocate() }
    #expect(places == Array(0..<20_000 as Range<UInt32>))
    for place in places { slab[place] = Int(place) }
    #expect(places.allSatisfy { slab[$0] == Int($0) })
    slab.release(5)
    slab.release(19_999)
    #expect(slab.count == 19_998 && slab.hasRoom)
    #expect([slab.allocate(), slab.allocate(), slab.allocate()] == [19_999, 5, 20_000])
    #expect(slab[5] == 0 && slab[19_999] == 0)
  }
}
