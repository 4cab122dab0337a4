internal import ActivityStore
internal import JSON
internal import LiveActivity
internal import SchedulerAPI
internal import Scheduling

/// A look through all pending sessions, whether the wall time of their start comes to another date.
struct ZoneSweep {
  /// The slot to go on from.
  var next: UInt32 = 0
  /// How many starts have moved.
  var moved = 0
  /// What could not be read, once.
  var problem: String?
}

extension Engine {
  /// The entry of the store with what the zones were at the last sweep.
  static let zonesKey = "zones"

  /// The zones may have changed: every pending wall time is looked at again, from the next
  /// `sweepZones` on. Nothing fires until that is through, or what is due would be by old rules.
  func noteZones() {
    zones.forget()
    sweep = ZoneSweep()
  }

  /// Whether the machine's zone or the version of its tzdata is another than when it was last looked at.
  func zonesDiffer() -> Bool {
    let before = zones.fingerprint
    zones.forget()
    return before == nil || before != zones.fingerprint
  }

  /// Goes on with the sweep for at most so many slots; returns whether there is more to do.
  func sweepZones(among count: UInt32, at reading: ClockReading) -> Bool {
    guard var going = sweep else { return false }
    if sweepBefore == nil { sweepBefore = going }
    let (slots, next) = core.pendingLocal(from: going.next, among: count)
    for slot in slots {
      do throws(StoreError) {
        if try review(slot, at: reading, &going) { going.moved += 1 }
      } catch {
        going.problem = error.description
      }
    }
    if let next {
      going.next = next
      sweep = going
      return true
    }
    let series = renewZones(at: reading)
    going.moved += series.moved
    if let problem = series.problem { going.problem = "\(problem)" }
    sweep = nil
    swept = going
    setEntry(Self.zonesKey, zones.fingerprint.map { Array($0.utf8) })
    return false
  }

  /// Moves the start of one session, if its wall time comes to another date.
  private func review(
    _ slot: UInt32, at reading: ClockReading, _ sweep: inout ZoneSweep
  ) throws(StoreError) -> Bool {
    let session = core.session(slot)
    guard let old = try records.payload(session.localRow)?.localStart,
      let former = session.startDate(at: reading)
    else { return false }
    let date: WallTime
    let start: LocalStart
    do throws(SchedulerError) {
      var wall = old.wall
      if wall.isFloating { wall.zone = nil }
      (date, start) = try zones.resolve(wall)
    } catch {
      // What cannot be read now, as amid an upgrade of tzdata, leaves the start where it is.
      sweep.problem = "\(error)"
      return false
    }
    guard date != former else { return false }
    let cause: MoveCause = old.wall.zone == start.wall.zone ? .tzdata : .zone
    let bytes = moveBody(from: former, start, cause: cause)
    let count = core.events.count
    core.moveStart(slot, to: date, at: reading)
    append(since: count) { $0.kind == .rescheduled ? bytes : [] }
    return true
  }

  /// What is kept of a start that moved by itself.
  func moveBody(from former: WallTime, _ start: LocalStart? = nil, cause: MoveCause) -> [UInt8] {
    var body = JSONWriter()
    body.beginObject()
    body.member("localStart", start)
    body.member("formerStart", former.microseconds)
    body.member("cause", Int64(cause.rawValue))
    body.endObject()
    return body.take()
  }
}

extension Payload {
  /// The wall time that the start was asked for as, and what it was read by.
  var localStart: LocalStart? { body?["localStart"].flatMap { try? LocalStart(decoding: $0) } }

  /// The start date before it moved by itself.
  var formerStart: WallTime? {
    body?["formerStart"]?.int64.map { WallTime(microseconds: $0) }
  }

  /// Why it moved by itself.
  var cause: MoveCause? {
    body?["cause"]?.int64.flatMap { UInt8(exactly: $0) }.flatMap(MoveCause.init(rawValue:))
  }
}
