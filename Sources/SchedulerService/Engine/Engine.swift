internal import ActivityStore
internal import LiveActivity
internal import Scheduling

/// Core and store joined: commands in, durable events out. One thread, no sockets.
///
/// A batch is everything between two commits. What the core decides is appended to the store's open
/// transaction at once, so that later commands of the batch read it there; `commit` makes it durable
/// or takes all of it back, in the core too.
final class Engine {
  var core: Scheduler
  let store: ActivityStore
  let records: Records
  let zones: Zones
  /// The look through wall times that is going on, as it was before the batch, and the last one that
  /// came to its end and has not been told of.
  var sweep: ZoneSweep?
  var sweepBefore: ZoneSweep?
  var swept: ZoneSweep?
  var boots: BootHistory
  var settings: Settings
  /// The rows of the current batch.
  private(set) var rows: [EventRow] = []
  /// Why the current batch cannot be committed.
  private(set) var failure: StoreError?
  /// The disk is full: only what makes things smaller or lets time pass goes on.
  private(set) var isFull = false
  /// Entries of the store that are written with the batch.
  private var entries: [String: [UInt8]?] = [:]
  /// The boot's entry is to be written, with whatever batch is kept next.
  private var isBootNew = false
  /// Alerts whose session is not kept any more, to be taken out of the store.
  private var lostAlerts: [Int64] = []
  /// Sessions that more people than their owner see, while they are not dismissed.
  private(set) var shared: [Int64: UInt32] = [:]
  /// Who took such a session off their own screen.
  private(set) var hidden: [Int64: Set<UserID>] = [:]
  /// The names that uids have, and the last events of those who had them before.
  private(set) var ownerNames: [UserID: String] = [:]
  private(set) var former: [UserID: Int64] = [:]
  /// Why nothing can wake the machine; nil where it can be woken.
  var wakeProblem: String?
  /// The tokens of remote updates.
  var tokens = TokenBook()
  /// What of these the batch has changed, as it was, newest last.
  private var asideLog: [AsideStep] = []
  /// Sessions whose connection is gone, until their end is durable.
  private var orphans: [(slot: UInt32, first: Int64)] = []

  private enum AsideStep {
    case hidden(Int64, Set<UserID>?)
    case name(UserID, String?)
    case former(UserID, Int64?)
  }

  init(
    core: consuming Scheduler, store: ActivityStore, boots: BootHistory, settings: Settings,
    zones: Zones
  ) {
    self.zones = zones
    self.core = core
    self.store = store
    self.boots = boots
    self.settings = settings
    records = Records(store: store)
  }

  // MARK: Batches

  /// Appends what the core has decided since `count` events were there; `body` is what came with
  /// each.
  func append(
    since count: Int, id: ActivityID? = nil,
    body: (Event) throws(StoreError) -> [UInt8] = { _ in [] }
  ) {
    guard failure == nil else { return }
    do throws(StoreError) {
      for index in count..<core.events.count {
        let event = core.events[index]
        var (id, bytes) = (id, [UInt8]())
        if let template = event.template {
          (id, bytes) = try occurrence(madeOf: template)
        } else {
          bytes = try body(event)
        }
        let row = RowCoding.row(event, boot: boots.current, id: id, body: bytes)
        if !store.isInTransaction { try store.begin() }
        try store.append(row)
        rows.append(row)
      }
    } catch {
      failure = error
    }
  }

  /// Keeps an entry in the store with the next commit; nil takes it out.
  func setEntry(_ key: String, _ value: [UInt8]?) { entries[key] = value }

  /// Takes an alert out of the store with the next commit.
  func dropLostAlert(_ sequence: Int64) { lostAlerts.append(sequence) }

  /// A session is there that more people than its owner see.
  func noteShared(_ first: Int64, slot: UInt32) { shared[first] = slot }

  /// Somebody took a shared session off their own screen.
  func hide(_ first: Int64, from user: UserID) {
    asideLog.append(.hidden(first, hidden[first]))
    hidden[first, default: []].insert(user)
    setEntry(HiddenCoding.text(first, user), [])
  }

  /// Takes up who took a shared session off their own screen.
  func restoreHidden(_ first: Int64, from user: UserID) {
    hidden[first, default: []].insert(user)
  }

  /// A session is forgotten, and with it who took it off their screen.
  func dropHidden(_ first: Int64) {
    guard let users = hidden.removeValue(forKey: first) else { return }
    for user in users { setEntry(HiddenCoding.text(first, user), nil) }
  }

  /// A uid's name is this from here on.
  func setOwnerName(_ user: UserID, _ name: String) {
    asideLog.append(.name(user, ownerNames[user]))
    ownerNames[user] = name
    setEntry(OwnerCoding.name(user), Array(name.utf8))
  }

  /// Events of a uid up to that number belong to somebody who had it before.
  func setFormer(_ user: UserID, _ sequence: Int64) {
    asideLog.append(.former(user, former[user]))
    former[user] = sequence
    setEntry(OwnerCoding.former(user), Array(String(sequence).utf8))
  }

  /// Takes up what the store holds of users.
  func restoreOwners(names: [UserID: String], former: [UserID: Int64]) {
    ownerNames = names
    self.former = former
  }

  /// What became of a batch.
  enum Outcome {
    /// There was nothing to keep.
    case nothing
    /// These rows are durable.
    case kept([EventRow])
    /// Nothing of it happened.
    case undone(StoreError)
  }

  /// Makes the batch durable, or takes it back.
  func commit() -> Outcome {
    if failure == nil, core.events.isEmpty, entries.isEmpty, lostAlerts.isEmpty, !isBootNew {
      sweepBefore = nil
      return .nothing
    }
    do throws(StoreError) {
      if let failure { throw failure }
      if !store.isInTransaction { try store.begin() }
      for change in core.outboxChanges {
        if let entry = change.entry {
          try store.putOutbox(
            change.sequence, entry.bytes(boot: boots.current, at: core.now))
        } else {
          try store.removeOutbox(change.sequence)
        }
      }
      voidTokensOfTheOver()
      for sequence in lostAlerts { try store.removeOutbox(sequence) }
      for (key, value) in entries {
        if let value { try store.putEntry(key, value) } else { try store.removeEntry(key) }
      }
      if isBootNew {
        try store.putEntry(BootCoding.key(boots.current), BootCoding.bytes(boots.boot))
      }
      try store.commit()
    } catch {
      undo(error)
      return .undone(error)
    }
    followShared()
    core.keepBatch()
    tokens.keep()
    sweepBefore = nil
    entries = [:]
    asideLog = []
    isBootNew = false
    if !orphans.isEmpty { orphans.removeAll { !isLive($0) } }
    lostAlerts = []
    let kept = rows
    rows.removeAll(keepingCapacity: true)
    return kept.isEmpty ? .nothing : .kept(kept)
  }

  /// Keeps `shared` in step with what the batch did.
  private func followShared() {
    for event in core.events {
      guard let session = event.session, session.isShared || shared[session.first] != nil else {
        continue
      }
      if session.state == .dismissed || !session.isShared {
        shared[session.first] = nil
      } else if shared[session.first] == nil,
        let slot = try? slot(ofSession: session.first, owner: session.owner)
      {
        shared[session.first] = slot
      }
    }
  }

  private func undo(_ error: StoreError) {
    store.rollback()
    core.undoBatch()
    tokens.undo()
    records.forgetRecent()
    rows.removeAll(keepingCapacity: true)
    failure = nil
    entries = [:]
    for step in asideLog.reversed() {
      switch step {
      case .hidden(let first, let users): hidden[first] = users
      case .name(let user, let name): ownerNames[user] = name
      case .former(let user, let sequence): former[user] = sequence
      }
    }
    asideLog = []
    if let before = sweepBefore { (sweep, swept, sweepBefore) = (before, nil, nil) }
    orphans.removeAll { !isLive($0) }
    if error.code == .full, !isFull {
      isFull = true
      _ = store.giveUpReserve()
    }
  }

  /// The disk may have room again: tries to put the reserve back.
  func regainReserve() -> Bool {
    guard isFull else { return false }
    isFull = !store.restoreReserve()
    return !isFull
  }

  // MARK: Time

  /// Fires what is due, at most `limit` deadlines; returns whether more is.
  func advance(to reading: ClockReading, limit: Int) -> Bool {
    endOrphans(at: reading)
    let count = core.events.count
    let isMore = core.advance(to: reading, limit: limit)
    append(since: count) { (event) throws(StoreError) in try timedBody(event) }
    return isMore
  }

  /// The wall clock was set.
  func noteStep(_ step: Int64, at reading: ClockReading) {
    let count = core.events.count
    core.noteStep(step, at: reading)
    append(since: count)
    if step < 0 { renewSeries(at: reading) }
  }

  /// The wall clock can be trusted from here on in this boot.
  func anchor(at reading: ClockReading) {
    guard boots.boot.anchor == nil else { return }
    boots.anchor(offset: reading.offset)
    core.anchorCarried(at: reading)
    keepBoot()
  }

  /// Remembers how far the two clocks are apart, for what a later boot has to take from it.
  func seeClock(_ reading: ClockReading) {
    let change = reading.offset - boots.boot.offset
    guard change.magnitude > 1000 else { return }
    boots.see(offset: reading.offset)
    keepBoot()
  }

  /// Writes the boot down with the next batch that is kept: what is known of the clocks is not
  /// undone.
  func keepBoot() { isBootNew = true }

  // MARK: Bound sessions

  /// The connections that sessions were bound to are gone. Should their end not be kept, they are
  /// ended again with what is due next.
  func endBound(_ bound: [(slot: UInt32, first: Int64)], at reading: ClockReading) {
    orphans += bound
    endOrphans(at: reading)
  }

  private func endOrphans(at reading: ClockReading) {
    var command = EndCommand()
    command.reason = .ownerGone
    for orphan in orphans where isLive(orphan) {
      let count = core.events.count
      _ = try? core.end(Target(slot: orphan.slot), command, by: nil, at: reading)
      append(since: count)
    }
  }

  /// Whether a place still holds that session, and it is not over.
  func isLive(_ place: (slot: UInt32, first: Int64)) -> Bool {
    core.first(place.slot) == place.first && core.state(place.slot).isLive
  }
}
