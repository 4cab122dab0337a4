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
  var boots: BootHistory
  var settings: Settings
  /// The rows of the current batch.
  private(set) var rows: [EventRow] = []
  /// Why the current batch cannot be committed.
  private(set) var failure: StoreError?
  /// The disk is full: only what makes things smaller or lets time pass goes on.
  private(set) var isFull = false
  /// Entries of the store that are still to be written.
  private var entries: [String: [UInt8]?] = [:]
  /// Alerts whose session is not kept any more, to be taken out of the store.
  private var lostAlerts: [Int64] = []
  /// Sessions that more people than their owner see, while they are not dismissed.
  private(set) var shared: [Int64: UInt32] = [:]
  /// Who took such a session off their own screen.
  private(set) var hidden: [Int64: Set<UserID>] = [:]
  /// The names that uids have, and the last events of those who had them before.
  private(set) var ownerNames: [UserID: String] = [:]
  private(set) var former: [UserID: Int64] = [:]

  init(core: consuming Scheduler, store: ActivityStore, boots: BootHistory, settings: Settings) {
    self.core = core
    self.store = store
    self.boots = boots
    self.settings = settings
    records = Records(store: store)
  }

  // MARK: Batches

  /// Appends what the core has decided since `count` events were there; `body` is what came with
  /// each.
  func append(since count: Int, id: ActivityID? = nil, body: (Event) -> [UInt8] = { _ in [] }) {
    guard failure == nil else { return }
    do throws(StoreError) {
      for index in count..<core.events.count {
        let event = core.events[index]
        let row = RowCoding.row(event, boot: boots.current, id: id, body: body(event))
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
  func hide(_ first: Int64, from user: UserID) { hidden[first, default: []].insert(user) }

  /// A uid's name is this from here on.
  func setOwnerName(_ user: UserID, _ name: String) {
    ownerNames[user] = name
    setEntry(OwnerCoding.name(user), Array(name.utf8))
  }

  /// Events of a uid up to that number belong to somebody who had it before.
  func setFormer(_ user: UserID, _ sequence: Int64) {
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
    if failure == nil, core.events.isEmpty, entries.isEmpty, lostAlerts.isEmpty {
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
      for sequence in lostAlerts { try store.removeOutbox(sequence) }
      for (key, value) in entries {
        if let value { try store.putEntry(key, value) } else { try store.removeEntry(key) }
      }
      try store.commit()
    } catch {
      undo(error)
      return .undone(error)
    }
    followShared()
    core.keepBatch()
    entries = [:]
    lostAlerts = []
    let kept = rows
    rows.removeAll(keepingCapacity: true)
    return kept.isEmpty ? .nothing : .kept(kept)
  }

  /// Keeps `shared` in step with what the batch did.
  private func followShared() {
    for event in core.events {
      guard let session = event.session, session.isShared else { continue }
      if session.state == .dismissed {
        shared[session.first] = nil
        if let users = hidden.removeValue(forKey: session.first) {
          for user in users { setEntry(HiddenCoding.text(session.first, user), nil) }
        }
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
    records.forgetRecent()
    rows.removeAll(keepingCapacity: true)
    failure = nil
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
    let count = core.events.count
    let isMore = core.advance(to: reading, limit: limit)
    append(since: count)
    return isMore
  }

  /// The wall clock was set.
  func noteStep(_ step: Int64, at reading: ClockReading) {
    let count = core.events.count
    core.noteStep(step, at: reading)
    append(since: count)
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

  func keepBoot() {
    setEntry(BootCoding.key(boots.current), BootCoding.bytes(boots.boot))
  }
}
