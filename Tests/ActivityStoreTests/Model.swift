import LiveActivity

@testable import ActivityStore

/// A small stand-in for the core: makes events as the service would, and knows what the store must
/// say of every session.
struct Model {
  var sequence: Int64 = 0
  var date: Int64 = 1_000_000
  /// What `load` must tell, by session.
  var sessions: [Int64: SessionRow] = [:]
  var lastOfID: [String: Int64] = [:]
  var newest: [String: Int64] = [:]
  var numbers: [String: Int64] = [:]
  var contentRow: [Int64: Int64] = [:]
  /// A row of the open transaction whose content another session may use too.
  var contentToShare: Int64?

  var live: [Int64] { sessions.values.filter { $0.state < 3 }.map(\.first).sorted() }
  var notDismissed: [Int64] { sessions.values.filter { $0.state != 4 }.map(\.first).sorted() }

  private mutating func event(_ kind: EventKind) -> EventRow {
    sequence += 1
    date += 1000
    return EventRow(sequence: sequence, kind: kind.rawValue, date: date)
  }

  /// A `scheduled` event of an ID that has no live session.
  mutating func schedule(_ id: String, owner: UInt32 = 1000, body: String = "{}") -> EventRow {
    var event = event(.scheduled)
    let key = "\(owner)/\(id)"
    event.first = event.sequence
    event.previous = lastOfID[key] ?? 0
    event.id = Array(id.utf8)
    event.owner = owner
    numbers[key, default: 0] += 1
    event.number = numbers[key] ?? 1
    event.by = owner
    event.to = 0
    event.contentRow = event.sequence
    event.fields = packed(event.sequence)
    event.body = Array(body.utf8)
    sessions[event.first] = SessionRow(
      first: event.first, id: event.id, owner: owner, number: event.number, state: 0,
      last: event.sequence, date: event.date, fields: event.fields)
    lastOfID[key] = event.sequence
    newest[key] = event.first
    contentRow[event.first] = event.sequence
    return event
  }

  /// Another event of a session; `to` nil: no transition.
  mutating func event(
    _ kind: EventKind, of first: Int64, to: UInt8? = nil, body: String = "",
    packs: Bool = true
  ) -> EventRow {
    var event = event(kind)
    guard var session = sessions[first] else { return event }
    event.first = first
    event.previous = session.last
    event.owner = session.owner
    event.number = session.number
    if let to {
      event.from = session.state
      event.to = to
      session.state = to
    }
    if kind == .updated {
      event.contentRow = event.sequence
      contentRow[first] = event.sequence
    }
    if packs {
      event.fields = packed(event.sequence)
      session.fields = event.fields
    }
    event.body = Array(body.utf8)
    session.last = event.sequence
    session.date = event.date
    sessions[first] = session
    // What happens to an older session is not what the ID's next one follows.
    let key = "\(session.owner)/\(String(decoding: session.id, as: UTF8.self))"
    if newest[key] == first { lastOfID[key] = event.sequence }
    return event
  }

  /// An event about no session.
  mutating func lone(_ kind: EventKind, owner: UInt32?) -> EventRow {
    var event = event(kind)
    event.owner = owner
    event.step = owner == nil ? -3 : nil
    return event
  }

  func packed(_ sequence: Int64) -> [UInt8] {
    (0..<24).map { UInt8(truncatingIfNeeded: sequence &* 31 &+ $0) }
  }

  /// What is forgotten when the store says that sessions are gone.
  mutating func forget(_ firsts: [Int64]) {
    for first in firsts {
      guard let session = sessions.removeValue(forKey: first) else { continue }
      let key = "\(session.owner)/\(String(decoding: session.id, as: UTF8.self))"
      let others = sessions.values.filter { $0.owner == session.owner && $0.id == session.id }
      let latest = others.max { $0.first < $1.first }
      lastOfID[key] = latest?.last
      newest[key] = latest?.first
      if others.isEmpty { numbers[key] = nil }
    }
  }

  /// One random event.
  mutating func random(_ generator: inout SeededGenerator) -> EventRow {
    let owner = UInt32.random(in: 1000...1002, using: &generator)
    let running = notDismissed
    switch Int.random(in: 0..<20, using: &generator) {
    case 0: return lone(.enabledChanged, owner: owner)
    case 1: return lone(.clockStepped, owner: nil)
    case 2..<8 where running.count < 30:
      for _ in 0..<8 {
        let id = "id-\(Int.random(in: 0..<24, using: &generator))"
        let busy = sessions.values.contains {
          $0.owner == owner && $0.id == Array(id.utf8) && $0.state != 4
        }
        if !busy { return schedule(id, owner: owner) }
      }
      return lone(.enabledChanged, owner: owner)
    case 18:
      // An alert of a session that may be gone is settled.
      guard let first = sessions.keys.sorted().randomElement(using: &generator) else { break }
      return event(.alertSettled, of: first, packs: false)
    default: break
    }
    guard let first = running.randomElement(using: &generator), let session = sessions[first]
    else { return lone(.enabledChanged, owner: owner) }
    switch Int.random(in: 0..<8, using: &generator) {
    case 0 where session.state == 0: return event(.started, of: first, to: 1)
    case 1 where session.state == 1: return event(.stale, of: first, to: 2)
    case 2 where session.state < 3 && session.state > 0: return event(.ended, of: first, to: 3)
    case 3: return event(.dismissed, of: first, to: 4)
    case 4: return event(.action, of: first, body: #"{"action":"ok"}"#)
    default:
      guard session.state < 3 else { return event(.action, of: first, packs: false) }
      var update = event(.updated, of: first, body: #"{"state":{}}"#)
      if let row = contentToShare, Bool.random(using: &generator) {
        update.contentRow = row
        contentRow[first] = row
      } else {
        contentToShare = update.sequence
      }
      return update
    }
  }
}

extension ActivityStore {
  func append(_ events: [EventRow]) throws(StoreError) {
    try transaction { () throws(StoreError) in
      for event in events { try append(event) }
    }
  }
}
