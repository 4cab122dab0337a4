internal import ActivityStore
internal import JSON
internal import LiveActivity
internal import SchedulerAPI
internal import Scheduling
internal import Varlink

/// `List` in parts.
final class ListStream: ReplyStream {
  private let call: ListParameters
  private let engine: Engine
  private let places: [SessionPlace]
  private var next = 0

  init(_ call: ListParameters, _ engine: Engine, by peer: Peer) throws(SchedulerError) {
    self.call = call
    self.engine = engine
    places = try engine.listed(call, by: peer)
  }

  func write(to connection: Connection) throws -> Bool {
    let part = try part(bytes: 64 << 10)
    let isLast = next == places.count
    connection.outbox.writer.varlinkReply(continues: !isLast) { $0.member("activities", part) }
    return isLast
  }

  /// All in one reply; throws `ExpectedMore` where that is too much.
  func whole() throws(SchedulerError) -> JSONText {
    let text = try engine.storing { () throws(StoreError) in
      try part(bytes: VarlinkLimits.messageBytes - 1024)
    }
    guard next == places.count, text.byteCount <= VarlinkLimits.messageBytes - 1024 else {
      throw .service(.expectedMore)
    }
    return text
  }

  private func part(bytes: Int) throws(StoreError) -> JSONText {
    var writer = JSONWriter()
    writer.beginArray()
    while next < places.count, writer.bytes.count < bytes {
      if let activity = try engine.listedActivity(places[next], call) {
        activity.encode(&writer)
      }
      next += 1
    }
    writer.endArray()
    return JSONText(trusted: writer.take())
  }
}

/// `History` in parts: of one ID by walking its rows back first, of many in order of the rows.
final class HistoryStream: ReplyStream {
  private let call: HistoryParameters
  private let engine: Engine
  private let peer: Peer
  private let scope: Engine.Scope
  /// Of one ID: the rows that are left, newest first.
  private var numbers: [Int64]?
  /// Of many: the last row that was looked at, and the last one that was there.
  private var cursor: Int64 = 0
  private let last: Int64
  private var isDone = false

  init(_ call: HistoryParameters, _ engine: Engine, by peer: Peer) throws(SchedulerError) {
    self.call = call
    self.engine = engine
    self.peer = peer
    scope = try engine.scope(owner: call.owner, everyOwner: call.everyOwner, for: peer)
    last = engine.store.highestSequence
    if let id = call.id { numbers = try Self.rows(of: id, call, engine, peer) }
  }

  private static func rows(
    of id: ActivityID, _ call: HistoryParameters, _ engine: Engine, _ peer: Peer
  ) throws(SchedulerError) -> [Int64] {
    let slots =
      call.everyOwner
      ? engine.core.owners.compactMap { engine.core.find(owner: $0, id: id) }
      : [try engine.visibleSlot(id, of: call.owner, for: peer)]
    if slots.isEmpty { throw .noSuchActivity(id: id.text) }
    return try engine.storing { () throws(StoreError) in
      var numbers: [Int64] = []
      for slot in slots.flatMap({ engine.core.slots(sameIDAs: $0) }) {
        let session = engine.core.session(slot)
        guard call.session == nil || call.session == Int64(session.number) else { continue }
        // Alerts outlive a session: its last event may come after the first one of the next.
        var from = session.last
        while from >= session.first {
          let rows = try engine.store.chain(from: from, limit: 1024)
          numbers += rows.lazy.filter { $0.first == session.first }.map(\.sequence)
          from = rows.last?.previous ?? 0
        }
      }
      return numbers.sorted(by: >)
    }
  }

  func write(to connection: Connection) throws -> Bool {
    let part = try part(bytes: 64 << 10, looks: 2048)
    connection.outbox.writer.varlinkReply(continues: !isDone) { $0.member("events", part) }
    return isDone
  }

  /// All in one reply; throws `ExpectedMore` where that is too much.
  func whole() throws(SchedulerError) -> JSONText {
    let text = try engine.storing { () throws(StoreError) in
      try part(bytes: VarlinkLimits.messageBytes - 1024, looks: 20_000)
    }
    guard isDone, text.byteCount <= VarlinkLimits.messageBytes - 1024 else {
      throw .service(.expectedMore)
    }
    return text
  }

  private func part(bytes: Int, looks: Int) throws(StoreError) -> JSONText {
    var writer = JSONWriter()
    var looks = looks
    writer.beginArray()
    while !isDone, looks > 0, writer.bytes.count < bytes {
      let rows = try next(min(looks, 256))
      looks -= max(1, rows.count)
      for row in rows where try concerns(row) {
        try engine.records.event(row).encode(&writer)
      }
    }
    writer.endArray()
    return JSONText(trusted: writer.take())
  }

  private func next(_ limit: Int) throws(StoreError) -> [EventRow] {
    guard numbers != nil else {
      let rows = try engine.store.events(after: cursor, limit: limit)
      if let row = rows.last { cursor = row.sequence }
      if rows.isEmpty || cursor >= last { isDone = true }
      return rows.filter { $0.sequence <= last }
    }
    var rows: [EventRow] = []
    while rows.count < limit, let number = numbers?.popLast() {
      if let row = try engine.store.event(number) { rows.append(row) }
    }
    if numbers?.isEmpty != false { isDone = true }
    return rows
  }

  private func concerns(_ row: EventRow) throws(StoreError) -> Bool {
    if let since = call.sinceDate, row.date < since.microseconds { return false }
    if let until = call.untilDate, row.date > until.microseconds { return false }
    if call.id == nil, let session = call.session, row.number != session { return false }
    if case .every = scope { return true }
    let wanted: UserID? =
      switch scope {
      case .of(let owner): owner
      default: nil
      }
    // Of one ID the session's visibility has been decided; of many each row decides.
    guard let owner = row.owner.map({ UserID($0) }) else { return call.id == nil && wanted == nil }
    if let wanted, wanted != owner { return false }
    if engine.isFormer(row), wanted == nil || !peer.isAdmin { return false }
    if owner == peer.user || (wanted != nil && peer.isAdmin) { return true }
    guard row.first != 0, let session = PackedSession(bytes: row.fields)?.session else {
      return false
    }
    return try engine.isInAudience(session, peer)
  }
}
