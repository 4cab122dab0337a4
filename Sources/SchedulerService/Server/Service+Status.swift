internal import ActivityStore
internal import LiveActivity
internal import SchedulerAPI
internal import Scheduling
internal import Systemd

/// Those who wait for a look through the store.
struct StoreCheck {
  /// Its own thread: whoever must be looked up by name does not wait for it.
  let worker: BackgroundWorker
  var waiting: [Waiting] = []

  struct Waiting {
    let connection: Connection
    let call: GetStatusParameters
    let wantsReply: Bool
  }
}

extension Service {
  /// `GetStatus`.
  func getStatus(
    _ call: GetStatusParameters, _ connection: Connection, _ wantsReply: Bool
  ) throws(SchedulerError) {
    guard call.checkStore else {
      reply(try status(call, connection.peer), connection, wantsReply: wantsReply)
      return
    }
    let isOwner = options.isUserService || clock.isTest
    guard isOwner || connection.peer.isAdmin else {
      throw engine.notAnAdmin("check the store")
    }
    // What is refused is refused at once.
    _ = try status(call, connection.peer)
    try checkStore(.init(connection: connection, call: call, wantsReply: wantsReply))
    connection.isBusy = true
    connection.endsCallLater(wantsReply: wantsReply)
  }

  private func status(
    _ call: GetStatusParameters, _ peer: Peer
  ) throws(SchedulerError) -> ServiceStatus {
    lookAtWake()
    var status = try engine.status(call, by: peer, version: Self.version)
    // Nothing has had to be decided since the clock was last read: the daemon's now is now.
    status.now = clock.reading.wall
    status.alertAgents = alertAgents(for: call.everyOwner ? nil : peer.user)
    return status
  }

  private func alertAgents(for user: UserID?) -> Int64 {
    let agents = connections.values.filter { connection in
      guard let watcher = connection.watcher, watcher.isAgent else { return false }
      return user == nil || watcher.person == user
    }
    return Int64(agents.count)
  }

  /// One look serves all who ask while it goes on.
  private func checkStore(_ asker: StoreCheck.Waiting) throws(SchedulerError) {
    if storeCheck != nil {
      storeCheck?.waiting.append(asker)
      return
    }
    let audit = engine.store.audit
    do throws(SystemError) {
      let check = StoreCheck(worker: try BackgroundWorker(loop), waiting: [asker])
      storeCheck = check
      check.worker.submit {
        do throws(StoreError) { return try audit.run() } catch { return [error.description] }
      } completion: { [weak self] (findings: [String]) in
        self?.finishStoreCheck(findings)
      }
    } catch {
      throw .storeUnavailable(why: "it cannot be checked now: \(error)")
    }
  }

  private func finishStoreCheck(_ findings: [String]) {
    guard let check = storeCheck else { return }
    storeCheck = nil
    if !findings.isEmpty {
      journal.log(.error, "The store has what must not be: \(findings.joined(separator: "; "))")
    }
    for asker in check.waiting where !asker.connection.isClosed {
      asker.connection.isBusy = false
      if asker.wantsReply {
        do throws(SchedulerError) {
          var status = try status(asker.call, asker.connection.peer)
          status.storeFindings = findings
          reply(status, asker.connection, wantsReply: true)
        } catch {
          fail(error, asker.connection, wantsReply: true)
        }
      }
      settle(asker.connection)
    }
    scheduleTurn()
  }
}
