internal import ActivityStore
internal import LiveActivity
internal import SchedulerAPI
internal import Scheduling

extension Engine {
  /// Whose activities a call is for; only root and the admin group may name another owner.
  func owner(_ owner: UserID?, for peer: Peer) throws(SchedulerError) -> UserID {
    guard let owner, owner != peer.user else { return peer.user }
    guard peer.isAdmin else { throw notAnAdmin("name another owner") }
    return owner
  }

  func notAnAdmin(_ what: String) -> SchedulerError {
    .notPermitted(why: "only root and members of group \(settings.adminGroup) may \(what)")
  }

  /// The slot of an owner's ID.
  func slot(of id: ActivityID, owner: UserID) throws(SchedulerError) -> UInt32 {
    guard let slot = core.find(owner: owner, id: id) else {
      throw .noSuchActivity(id: id.text)
    }
    return slot
  }

  /// The slot of an ID that the peer may see: its own, another's as an admin, or one that it is in
  /// the audience of. Somebody else's looks like none at all.
  func visibleSlot(
    _ id: ActivityID, of owner: UserID?, for peer: Peer
  ) throws(SchedulerError) -> UInt32 {
    let slot = try slot(of: id, owner: owner ?? peer.user)
    let session = core.session(slot)
    guard try storing({ () throws(StoreError) in try mayBeSeen(session, by: peer) }) else {
      throw .noSuchActivity(id: id.text)
    }
    return slot
  }

  /// Whether a peer may see a session.
  func mayBeSeen(_ session: Session, by peer: Peer) throws(StoreError) -> Bool {
    if session.owner == peer.user || peer.isAdmin { return true }
    return try isInAudience(session, peer)
  }

  /// Whether a peer is in the wider audience of a session and has not taken it off their screen.
  func isInAudience(_ session: Session, _ peer: Peer) throws(StoreError) -> Bool {
    guard session.isShared, !isHidden(session, from: peer.user) else { return false }
    return try audience(of: session).includes(peer)
  }

  /// Who is shown a session, beside its owner.
  func audience(of session: Session) throws(StoreError) -> ResolvedAudience {
    let whole = try records.whole(session)
    return try records.payload(whole.requestRow)?.audience ?? ResolvedAudience()
  }

  /// Whether somebody took a session off their own screen.
  func isHidden(_ session: Session, from user: UserID) -> Bool {
    hidden[session.first]?.contains(user) == true
  }

  /// What the store's errors are to a caller.
  func storing<Value>(
    _ body: () throws(StoreError) -> Value
  ) throws(SchedulerError) -> Value {
    do throws(StoreError) { return try body() } catch {
      throw .storeUnavailable(why: error.description)
    }
  }

  /// What the core's refusals are to a caller.
  func refusing<Value>(
    _ id: ActivityID, _ body: () throws(Refusal) -> Value
  ) throws(SchedulerError) -> Value {
    do throws(Refusal) { return try body() } catch {
      throw SchedulerError(error, id: id.text)
    }
  }

  /// The same; dates that do not fit are named as the caller gave them.
  func refusing<Value>(
    _ id: ActivityID, naming names: [String: String], _ body: () throws(Refusal) -> Value
  ) throws(SchedulerError) -> Value {
    do throws(SchedulerError) { return try refusing(id, body) } catch {
      guard case .invalidDate(let field, let value, let why) = error, let name = names[field]
      else { throw error }
      throw .invalidDate(field: name, value: value, why: why)
    }
  }

  /// A batch that cannot be committed takes no more; with a full disk nothing grows.
  func checkStore(grows: Bool) throws(SchedulerError) {
    if let failure { throw .storeUnavailable(why: failure.description) }
    if grows, isFull { throw .storeUnavailable(why: "the disk is full") }
  }
}

extension SchedulerError {
  init(_ refusal: Refusal, id: String) {
    switch refusal {
    case .noSuchActivity: self = .noSuchActivity(id: id)
    case .noSuchAlert: self = .noSuchAlert(sequence: 0)
    case .noNextOccurrence: self = .noNextOccurrence(id: id)
    case .noSuchAction: self = .noSuchAction("")
    case .activityExists(let session, let state):
      self = .activityExists(id: id, session: Int64(session), state: state)
    case .activityOver(let session, let state, let reason):
      self = .activityOver(id: id, session: Int64(session), state: state, reason: reason)
    case .alreadyStarted(let session, let state):
      self = .alreadyStarted(id: id, session: Int64(session), state: state)
    case .conflict(let session, let sequence):
      self = .conflict(id: id, session: Int64(session), sequence: sequence)
    case .startDateNotInFuture(let start, let now):
      self = .startDateNotInFuture(startDate: start, now: now)
    case .invalidDate(let field, let value, let why):
      self = .invalidDate(field: field, value: value.rfc3339, why: why)
    case .outdated(let timestamp, let applied):
      self = .outdated(timestamp: timestamp, applied: applied)
    case .cannotWake(let why): self = .wakeUnavailable(why: why)
    case .remoteUpdatesStopped: self = .remoteUpdatesStopped(id: id)
    case .tooManyActivities(let limit): self = .tooManyActivities(limit: Int64(limit))
    case .activitiesDisabled(let type, let application):
      self = .activitiesDisabled(attributesType: type, application: application)
    }
  }
}
