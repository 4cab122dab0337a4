internal import ActivityStore
internal import LiveActivity
internal import SchedulerAPI
internal import Scheduling

extension Engine {
  /// `CreateToken`: a token for a session that is active or stale.
  func createToken(
    _ call: CreateTokenParameters, by peer: Peer
  ) throws(SchedulerError) -> TokenReply {
    try checkStore(grows: true)
    let owner = try owner(call.owner, for: peer)
    let slot = try slot(of: call.id, owner: owner)
    let session = core.session(slot)
    let number = Int64(session.number)
    if let wanted = call.session, wanted != number {
      throw .conflict(id: call.id.text, session: number, sequence: session.sequence)
    }
    switch session.state {
    case .pending: throw .notStarted(id: call.id.text)
    case .active, .stale: break
    case .ended, .dismissed:
      throw .activityOver(
        id: call.id.text, session: number, state: session.state, reason: session.reason)
    }
    guard session.remoteUpdates else { throw .remoteUpdatesStopped(id: call.id.text) }
    let use = TokenUse.session(owner: owner, first: session.first)
    return makeToken(for: use, voidOthers: call.voidOthers)
  }

  /// `CreateStartToken`: a token that starts sessions of a type for an application.
  func createStartToken(
    _ call: CreateStartTokenParameters, by peer: Peer
  ) throws(SchedulerError) -> TokenReply {
    try checkStore(grows: true)
    let owner = try owner(call.owner, for: peer)
    let use = StartUse(
      owner: owner, attributesType: call.attributesType, application: call.application)
    let known = tokens.startUses(of: owner)
    guard known.contains(use) || known.count < TokenBook.startUsesPerOwner else {
      throw .tooManyTokens(limit: Int64(TokenBook.startUsesPerOwner))
    }
    return makeToken(for: .start(use), voidOthers: call.voidOthers)
  }

  /// `VoidStartTokens`: how many there were.
  func voidStartTokens(
    _ call: VoidStartTokensParameters, by peer: Peer
  ) throws(SchedulerError) -> VoidStartTokensParameters.Reply {
    try checkStore(grows: false)
    var count = 0
    for use in tokens.startUses(of: try owner(call.owner, for: peer)) {
      if let type = call.attributesType, use.attributesType != type { continue }
      if let application = call.application, use.application != application { continue }
      count += void(.start(use))
    }
    return VoidStartTokensParameters.Reply(voided: Int64(count))
  }

  private func makeToken(for use: TokenUse, voidOthers: Bool) -> TokenReply {
    if voidOthers { void(use) }
    for hash in tokens.hashes(for: use).dropLast(TokenBook.validAtOnce - 1) { void(hash) }
    while true {
      let text = TokenHash.makeToken()
      guard let hash = TokenHash(of: text), tokens[hash] == nil else { continue }
      setEntry(TokenCoding.key(hash), TokenCoding.bytes(tokens.add(hash, for: use)))
      return TokenReply(token: text)
    }
  }

  /// Voids the tokens for a use; returns how many there were.
  @discardableResult
  func void(_ use: TokenUse) -> Int {
    let hashes = tokens.hashes(for: use)
    for hash in hashes { void(hash) }
    return hashes.count
  }

  private func void(_ hash: TokenHash) {
    tokens.remove(hash)
    setEntry(TokenCoding.key(hash), nil)
  }

  /// Voids the tokens of the sessions that the batch has ended, or cut off from remote updates.
  func voidTokensOfTheOver() {
    guard !tokens.isEmpty else { return }
    for event in core.events {
      switch event.kind {
      case .ended, .dismissed, .remoteUpdatesStopped: break
      default: continue
      }
      // One person's dismissal leaves it to the others.
      guard let session = event.session, !session.isPushable else { continue }
      void(.session(owner: session.owner, first: session.first))
    }
  }

  /// Takes up the store's tokens.
  func restoreTokens() throws(StoreError) {
    for (key, value) in try store.entries(prefix: TokenCoding.prefix) {
      guard let hash = TokenCoding.hash(key), let token = TokenCoding.token(value),
        try isUseful(token.use)
      else {
        setEntry(key, nil)
        continue
      }
      tokens.restore(hash, token)
    }
  }

  private func isUseful(_ use: TokenUse) throws(StoreError) -> Bool {
    guard case .session(let owner, let first) = use else { return true }
    return try slot(pushable: first, of: owner) != nil
  }

  /// The slot of a session that takes remote updates.
  func slot(pushable first: Int64, of owner: UserID) throws(StoreError) -> UInt32? {
    guard let slot = try slot(ofSession: first, owner: owner), core.first(slot) == first,
      core.session(slot).isPushable
    else { return nil }
    return slot
  }
}

extension Session {
  /// Whether tokens of it are valid.
  fileprivate var isPushable: Bool { state.isRunning && remoteUpdates }
}
