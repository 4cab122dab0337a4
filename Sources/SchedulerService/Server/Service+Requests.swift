internal import JSON
internal import LiveActivity
internal import SchedulerAPI
internal import Scheduling
internal import Systemd
internal import Varlink

/// A request whose audience has been looked up, or could not be.
struct LookedUpRequest {
  let parameters: RequestParameters
  let wantsReply: Bool
  let audience: Result<ResolvedAudience, SchedulerError>
}

extension Service {
  /// `Request`. User and group names are looked up by the helper thread: only this caller waits.
  func request(
    _ parameters: RequestParameters, _ connection: Connection, _ wantsReply: Bool,
    at reading: ClockReading
  ) throws(SchedulerError) {
    if parameters.wake == true { lookAtWake() }
    let names = parameters.audience ?? []
    let needsLookUp = names.contains { $0 != .everyone }
    guard needsLookUp, connection.peer.isAdmin else {
      var audience = ResolvedAudience()
      audience.isEveryone = names.contains(.everyone)
      return try finish(parameters, audience, connection, wantsReply, at: reading)
    }
    connection.isBusy = true
    worker.submit {
      LookedUpRequest(
        parameters: parameters, wantsReply: wantsReply, audience: Self.lookUp(names))
    } completion: { [weak self, weak connection] found in
      guard let self, let connection else { return }
      self.lookedUp.append((connection, found))
      self.scheduleTurn()
    }
    connection.endsCallLater(wantsReply: wantsReply)
  }

  func finishRequest(
    _ found: LookedUpRequest, _ connection: Connection, at reading: ClockReading
  ) {
    guard !connection.isClosed else { return }
    connection.isBusy = false
    connection.beginsCall(wantsReply: found.wantsReply)
    join(connection)
    do throws(SchedulerError) {
      try finish(
        found.parameters, found.audience.get(), connection, found.wantsReply, at: reading)
    } catch {
      fail(error, connection, wantsReply: found.wantsReply)
    }
  }

  private func finish(
    _ parameters: RequestParameters, _ audience: ResolvedAudience, _ connection: Connection,
    _ wantsReply: Bool, at reading: ClockReading
  ) throws(SchedulerError) {
    let count = engine.core.events.count
    let done = try engine.request(
      parameters, by: connection.peer, audience: audience, at: reading)
    // Also one that was pending and is bound by what has changed it.
    if parameters.bound, done.reply.created || engine.core.state(done.slot) == .pending,
      engine.core.events.count > count
    {
      connection.bound.append((done.slot, engine.core.first(done.slot)))
    }
    reply(done.reply, connection, wantsReply: wantsReply)
  }

  /// Runs on the helper thread.
  private static func lookUp(_ names: [Audience]) -> Result<ResolvedAudience, SchedulerError> {
    var audience = ResolvedAudience()
    for (index, name) in names.enumerated() {
      do throws(SystemError) {
        switch name {
        case .everyone: audience.isEveryone = true
        case .user(let text):
          guard let account = try Accounts.user(named: text) else {
            return .failure(.service(.invalidParameter("audience[\(index)]")))
          }
          audience.users.insert(account.userID)
        case .group(let text):
          guard let group = try Accounts.group(named: text) else {
            return .failure(.service(.invalidParameter("audience[\(index)]")))
          }
          audience.groups.insert(group)
        }
      } catch {
        return .failure(.storeUnavailable(why: "\(error)"))
      }
    }
    return .success(audience)
  }
}
